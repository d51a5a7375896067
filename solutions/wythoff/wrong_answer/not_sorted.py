# Mistake: expects the smaller heap to come first.
from math import isqrt

a, b = map(int, input().split())
d = abs(b - a)
print(0 if a == (d + isqrt(5 * d * d)) // 2 else 1)
