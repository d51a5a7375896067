# Mistake: both take as much as possible in each move, the winner among the winning moves.
import sys
from functools import lru_cache

sys.setrecursionlimit(10000)
input()
heaps = sorted(list(map(int, input().split())) + [0, 0])[-3:]
x = heaps[0] ^ heaps[1] ^ heaps[2]
taken = [0, 0]
turn = 0
while any(heaps):
    s = heaps[0] ^ heaps[1] ^ heaps[2]
    if s:
        i = max((i for i in range(3) if heaps[i] ^ s < heaps[i]), key=lambda i: heaps[i] - (heaps[i] ^ s))
        left = heaps[i] ^ s
    else:
        i = heaps.index(max(heaps))
        left = 0
    taken[turn] += heaps[i] - left
    heaps[i] = left
    turn ^= 1
print("Yes" if x else "No", taken[0])
