# Mistake: leaves an odd number of ones at the end, as in misère play.
input()
a = list(map(int, input().split()))
x = 0
for v in a:
    x ^= v
if max(a) < 2:
    ones = a.count(1)
    print(*((a.index(1) + 1, 1) if ones and ones % 2 == 0 else (0, 0)))
elif x == 0:
    print(0, 0)
else:
    i = next(i for i, v in enumerate(a) if v ^ x < v)
    print(i + 1, a[i] - (a[i] ^ x))
