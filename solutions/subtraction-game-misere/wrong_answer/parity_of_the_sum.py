# Mistake: parity of all stones, as if every move took one.
n, r = map(int, input().split())
heaps = list(map(int, input().split()))
if sum(heaps) % 2 == 1 or sum(heaps) == 0:
    print(0, 0)
else:
    print(next(i for i in range(n) if heaps[i] > 0) + 1, 1)
