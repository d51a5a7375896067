# Memoised search on sorted heaps. The winner moves to nim-sum zero, the loser anywhere.
import sys
from functools import lru_cache

sys.setrecursionlimit(10000)


@lru_cache(maxsize=None)
def mine(a, b, c):
    """What the player to move takes."""
    heaps = (a, b, c)
    x = a ^ b ^ c
    best = 0
    for i in range(3):
        h = heaps[i]
        targets = range(h) if x == 0 else [h ^ x] if h ^ x < h else []
        for left in targets:
            after = sorted(heaps[:i] + (left,) + heaps[i + 1:])
            best = max(best, a + b + c - mine(*after))
    return best


input()
heaps = sorted(list(map(int, input().split())) + [0, 0])[-3:]
x = heaps[0] ^ heaps[1] ^ heaps[2]
print("Yes" if x else "No", mine(*heaps))
