# Closed form: the value of a heap of a is the a-th odious number, that is, the a-th one with an odd number of
# binary ones: 1, 2, 4, 7, 8, 11, ... One of 2a - 2 and 2a - 1 is odious.
input()
x = 0
for a in map(int, input().split()):
    high = a - 1
    x ^= 2 * high + (1 if bin(high).count("1") % 2 == 0 else 0)
print("Yes" if x else "No")
