# Mistake: believes that the period is the sum of the largest and the smallest move, and that there is no preperiod.
input()
moves = list(map(int, input().split()))
h = int(input())
p = max(moves) + min(moves)
values = []
for size in range(p):
    reached = {values[size - s] for s in moves if s <= size}
    values.append(next(v for v in range(99) if v not in reached))
print(0, p, values[h % p])
