# Mistake: parity of all coins, as if every game lasted as long as it can.
input()
heaps = list(map(int, input().split()))
if sum(heaps) % 2 == 0:
    print(0, 0)
else:
    print(*next(((i + 1, 1) for i, size in enumerate(heaps) if size > 2), (0, 0)))
