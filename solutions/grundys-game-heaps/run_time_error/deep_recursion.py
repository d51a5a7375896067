# Crashes: a recursion from the largest heap down is deeper than Python allows.
from functools import lru_cache


@lru_cache(maxsize=None)
def value(size):
    reached = {value(size - part) ^ value(part) for part in range(1, (size - 1) // 2 + 1)}
    return next(v for v in range(size + 2) if v not in reached)


input()
heaps = list(map(int, input().split()))
x = 0
for size in heaps:
    x ^= value(size)
answer = (0, 0)
for i, size in enumerate(heaps):
    for part in range(1, (size - 1) // 2 + 1):
        if x and not answer[0] and x ^ value(size) ^ value(part) ^ value(size - part) == 0:
            answer = (i + 1, part)
print(*answer)
