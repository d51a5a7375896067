# Mistake: plays for candies and forgets that a win comes first.
import sys
from functools import lru_cache

sys.setrecursionlimit(10000)
input()
heaps = sorted(list(map(int, input().split())) + [0, 0])[-3:]
x = heaps[0] ^ heaps[1] ^ heaps[2]


@lru_cache(maxsize=None)
def mine(h):
    best = 0
    for i in range(3):
        for left in range(h[i]):
            after = tuple(sorted(h[:i] + (left,) + h[i + 1:]))
            best = max(best, sum(h) - mine(after))
    return best


print("Yes" if x else "No", mine(tuple(heaps)))
