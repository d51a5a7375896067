# Mistake: reads "each heap" as each heap that is not empty, so that two equal heaps beside an empty one can be taken at once.
from math import isqrt

input()
a = sorted(v for v in map(int, input().split()) if v)
if len(a) == 2:
    d = a[1] - a[0]
    lost = a[0] == (d + isqrt(5 * d * d)) // 2
else:
    x = 0
    for v in a:
        x ^= v
    lost = x == 0
print("No" if lost else "Yes")
