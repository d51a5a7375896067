# Parts that hang together are worth the nim-sum of their values.
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


@lru_cache(maxsize=None)
def value(part):
    seen = set()
    for v in range(n):
        if part >> v & 1:
            for gone in [1 << v] + [1 << v | 1 << u for u in range(v) if (near[v] & part) >> u & 1]:
                x = 0
                for p in parts(part & ~gone):
                    x ^= value(p)
                seen.add(x)
    return next(g for g in range(99) if g not in seen)


x = 0
for p in parts((1 << n) - 1):
    x ^= value(p)
print(x)
