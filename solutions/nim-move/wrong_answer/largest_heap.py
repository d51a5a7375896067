# Mistake: always takes from the largest heap; the amount may come out negative.
input()
a = list(map(int, input().split()))
x = 0
for v in a:
    x ^= v
if x == 0:
    print(0, 0)
else:
    i = a.index(max(a))
    print(i + 1, a[i] - (a[i] ^ x))
