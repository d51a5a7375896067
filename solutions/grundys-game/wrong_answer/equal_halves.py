# Mistake: splits a heap into equal halves too.
import sys

g = [0, 0]
for n in range(2, 1400):
    seen = {g[p] ^ g[n - p] for p in range(1, n // 2 + 1)}
    v = 0
    while v in seen:
        v += 1
    g.append(v)
for n in map(int, sys.stdin.read().split()[1:]):
    print("first" if n >= len(g) or g[n] else "second")
