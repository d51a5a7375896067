# Mistake: keeps the tokens in a set, so that two on one vertex become one instead of cancelling.
import sys
from functools import lru_cache

sys.setrecursionlimit(10000)
data = list(map(int, sys.stdin.read().split()))
n, m, k = data[:3]
to = [[] for _ in range(n + 1)]
for i in range(m):
    to[data[3 + 2 * i]].append(data[4 + 2 * i])
tokens = set(data[3 + 2 * m:])


@lru_cache(None)
def sg(v):
    seen = {sg(w) for w in to[v]}
    g = 0
    while g in seen:
        g += 1
    return g


x = 0
for v in tokens:
    x ^= sg(v)
print("win" if x else "lose")
