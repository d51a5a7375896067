# Memoised recursion within Python's usual depth.
import sys

data = list(map(int, sys.stdin.read().split()))
k = data[0]
moves = data[1:1 + k]
heaps = data[2 + k:]
memo = {}


def sg(x):
    if x not in memo:
        seen = {sg(x - s) for s in moves if s <= x}
        g = 0
        while g in seen:
            g += 1
        memo[x] = g
    return memo[x]


total = 0
for h in heaps:
    total ^= sg(h)
print("Yes" if total else "No")
