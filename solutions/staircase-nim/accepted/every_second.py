# The steps 1, 3, 5, ... are the items 0, 2, 4, ... of the list.
from functools import reduce
from operator import xor

n = int(input())
a = list(map(int, input().split()))
print("Yes" if reduce(xor, a[::2], 0) else "No")
