# The columns as strings of digits.
n, k = map(int, input().split())
rows = [format(a, "060b") for a in map(int, input().split())]
lost = all(column.count("1") % (k + 1) == 0 for column in map("".join, zip(*rows)))
print("No" if lost else "Yes")
