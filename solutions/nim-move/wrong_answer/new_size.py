# Mistake: prints what is left of the heap.
input()
a = list(map(int, input().split()))
x = 0
for v in a:
    x ^= v
if x == 0:
    print(0, 0)
else:
    i = next(i for i, v in enumerate(a) if v ^ x < v)
    print(i + 1, a[i] ^ x)
