# Mistake: believes that in a lost position the candies are shared.
import sys
from functools import lru_cache

sys.setrecursionlimit(10000)
input()
heaps = sorted(list(map(int, input().split())) + [0, 0])[-3:]
x = heaps[0] ^ heaps[1] ^ heaps[2]
total = sum(heaps)
print("Yes" if x else "No", total // 2 if x == 0 else total // 2 + x // 2)
