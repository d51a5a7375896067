# Mistake: takes each part for a path.
from functools import lru_cache
import sys

sys.setrecursionlimit(10000)
n, m = map(int, input().split())
near = [0] * n
for _ in range(m):
    u, v = map(int, input().split())
    near[u - 1] |= 1 << v - 1
    near[v - 1] |= 1 << u - 1


def parts(left):
    while left:
        part, rim = 0, left & -left
        while rim:
            part |= rim
            grown = 0
            for v in range(n):
                if rim >> v & 1:
                    grown |= near[v]
            rim = grown & left & ~part
        yield part
        left &= ~part


kayles = [0]
for k in range(1, n + 1):
    seen = {kayles[a] ^ kayles[k - t - a] for t in (1, 2) if t <= k for a in range(k - t + 1)}
    kayles.append(next(g for g in range(99) if g not in seen))
x = 0
for p in parts((1 << n) - 1):
    x ^= kayles[bin(p).count("1")]
print(x)
