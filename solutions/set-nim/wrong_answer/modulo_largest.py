# Mistake: takes heaps modulo the largest move plus one, which is right only when all smaller moves are allowed too.
import sys

data = list(map(int, sys.stdin.read().split()))
k = data[0]
top = max(data[1:1 + k])
x = 0
for h in data[2 + k:]:
    x ^= h % (top + 1)
print("Yes" if x else "No")
