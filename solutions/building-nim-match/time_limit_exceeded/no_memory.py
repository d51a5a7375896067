# Too slow: plays the placing out anew at each position, in every order.
from functools import reduce
from operator import xor


def won(tokens, heights):
    if tokens == 0:
        return reduce(xor, heights) != 0
    for i in range(len(heights)):
        heights[i] += 1
        lost = not won(tokens - 1, heights)
        heights[i] -= 1
        if lost:
            return True
    return False


tokens, s = map(int, input().split())
heights = list(map(int, input().split()))
mine = won(tokens, heights)
print("first" if mine else "second", flush=True)
while tokens or any(heights):
    if mine and tokens:
        for i in range(s):
            heights[i] += 1
            if not won(tokens - 1, heights):
                break
            heights[i] -= 1
        heights[i] -= 1
        move = [i + 1]
    elif mine:
        x = reduce(xor, heights)
        i = next(i for i in range(s) if heights[i] ^ x < heights[i])
        move = [i + 1, heights[i] - (heights[i] ^ x)]
    if mine:
        print(*move, flush=True)
    else:
        move = list(map(int, input().split()))
    if tokens:
        tokens -= 1
        heights[move[0] - 1] += 1
    else:
        heights[move[0] - 1] -= move[1]
    mine = not mine
