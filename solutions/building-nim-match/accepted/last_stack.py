# Chooses the last winning stack.
import sys
from functools import lru_cache, reduce
from operator import xor


@lru_cache(maxsize=None)
def won(tokens, heights):
    if tokens == 0:
        return reduce(xor, heights) != 0
    return any(not won(tokens - 1, tuple(sorted(heights[:i] + (heights[i] + 1,) + heights[i + 1:]))) for i in range(len(heights)))


def state(tokens, heights):
    return won(tokens, tuple(sorted(heights)))


def place(tokens, heights):
    for i in reversed(range(len(heights))):
        heights[i] += 1
        lost = not state(tokens - 1, heights)
        heights[i] -= 1
        if lost:
            return i
    return 0


tokens, s = map(int, input().split())
heights = list(map(int, input().split()))
mine = state(tokens, heights)
print("first" if mine else "second", flush=True)
while tokens or any(heights):
    if mine:
        if tokens:
            move = [place(tokens, heights) + 1]
        else:
            x = reduce(xor, heights)
            i = next((i for i in range(s) if heights[i] ^ x < heights[i]), None)
            if i is None:
                i = heights.index(max(heights))
                move = [i + 1, 1]
            else:
                move = [i + 1, heights[i] - (heights[i] ^ x)]
        print(*move, flush=True)
    else:
        line = sys.stdin.readline()
        if not line:
            break
        move = list(map(int, line.split()))
    if tokens:
        tokens -= 1
        heights[move[0] - 1] += 1
    else:
        heights[move[0] - 1] -= move[1]
    mine = not mine
