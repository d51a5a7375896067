# All moves, memoised on sorted heaps.
from functools import lru_cache
from itertools import product

n, k, r = map(int, input().split())
a = tuple(sorted(map(int, input().split())))
ways = [t for t in product(range(r + 1), repeat=n) if 0 < sum(v > 0 for v in t) <= k]


@lru_cache(maxsize=None)
def wins(h):
    for t in ways:
        if all(x <= y for x, y in zip(t, h)) and not wins(tuple(sorted(y - x for x, y in zip(t, h)))):
            return True
    return False


print("Yes" if wins(a) else "No")
