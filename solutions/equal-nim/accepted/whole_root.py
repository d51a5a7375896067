from functools import reduce
from math import isqrt
from operator import xor

n = int(input())
a = sorted(map(int, input().split()))
if n == 2:
    d = a[1] - a[0]
    lost = a[0] == (d + isqrt(5 * d * d)) // 2
else:
    lost = reduce(xor, a) == 0
print("No" if lost else "Yes")
