input()
a = list(map(int, input().split()))
x = 0
for v in a:
    x ^= v
if x == 0:
    print(0, 0)
else:
    top = 1 << x.bit_length() - 1
    i = next(i for i, v in enumerate(a) if v & top)
    print(i + 1, a[i] - (a[i] ^ x))
