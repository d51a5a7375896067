# Heaps of 1, 2 and 4 can be dropped, and two heaps of 3 cancel.
import sys
from functools import lru_cache

sys.setrecursionlimit(10000)


def reduced(heaps):
    rest = sorted(h for h in heaps if h > 4)
    if sum(h == 3 for h in heaps) % 2:
        rest.insert(0, 3)
    return tuple(rest)


@lru_cache(maxsize=None)
def wins(heaps):
    if not heaps:
        return True
    for i, h in enumerate(heaps):
        if i and heaps[i - 1] == h:
            continue
        rest = heaps[:i] + heaps[i + 1:]
        for p in range(1, (h + 1) // 2):
            if not wins(reduced(rest + (p, h - p))):
                return True
    return False


input()
print("Yes" if wins(reduced(tuple(map(int, input().split())))) else "No")
