line = open(0, newline="").read()
assert line.endswith("\n") and "\r" not in line
print(2 * int(line))
