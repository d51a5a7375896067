# Mistake: the nim-sum of sizes modulo r + 1, whatever k is.
n, k, r = map(int, input().split())
x = 0
for v in map(int, input().split()):
    x ^= v % (r + 1)
print("Yes" if x else "No")
