# Mistake: lets the first placer open the Nim, for any number of tokens.
t, s = map(int, input().split())
h = list(map(int, input().split()))
from functools import lru_cache


@lru_cache(maxsize=None)
def opener_wins(h, left, mine):
    if left == 0:
        x = 0
        for v in h:
            x ^= v
        return x != 0
    after = [opener_wins(tuple(sorted(h[:i] + (h[i] + 1,) + h[i + 1:])), left - 1, not mine) for i in range(s)]
    return any(after) if mine else all(after)


print("Yes" if opener_wins(tuple(sorted(h)), t, True) else "No")
