# Mistake: the winner takes everything.
import sys
from functools import lru_cache

sys.setrecursionlimit(10000)
input()
heaps = sorted(list(map(int, input().split())) + [0, 0])[-3:]
x = heaps[0] ^ heaps[1] ^ heaps[2]
print("Yes" if x else "No", sum(heaps) if x else 0)
