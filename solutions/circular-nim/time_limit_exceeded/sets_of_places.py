# Too slow: searches all sets of pieces that can be left.
from functools import lru_cache
import sys

sys.setrecursionlimit(100000)
k = int(input())
s = input()
n = len(s)


@lru_cache(maxsize=None)
def wins(pieces):
    for start in range(n):
        mask = 0
        for t in range(min(k, n)):
            bit = 1 << (start + t) % n
            if not pieces & bit:
                break
            mask |= bit
            if not wins(pieces & ~mask):
                return True
    return False


print("Yes" if wins(sum(1 << i for i in range(n) if s[i] == "#")) else "No")
