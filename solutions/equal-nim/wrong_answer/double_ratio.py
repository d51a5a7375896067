# Mistake: a floating-point golden ratio, which is too coarse for large heaps.
from math import sqrt

n = int(input())
a = sorted(map(int, input().split()))
if n == 2:
    lost = a[0] == int((a[1] - a[0]) * (1 + sqrt(5)) / 2)
else:
    x = 0
    for v in a:
        x ^= v
    lost = x == 0
print("No" if lost else "Yes")
