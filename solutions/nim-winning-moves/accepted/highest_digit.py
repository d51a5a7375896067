# The heaps that have the highest digit of the nim-sum are the ones from which one can win.
input()
heaps = list(map(int, input().split()))
x = 0
for a in heaps:
    x ^= a
if x == 0:
    print(0)
else:
    top = 1 << (x.bit_length() - 1)
    print(sum(1 for a in heaps if a & top))
