# Mistake: prints the opposite of the winner of normal play.
g = [0]
for n in range(1, 51):
    seen = {g[p] ^ g[n - p] for p in range(1, (n + 1) // 2)}
    g.append(next(v for v in range(99) if v not in seen))
input()
values = [g[a] for a in map(int, input().split())]
x = 0
for v in values:
    x ^= v
print("No" if x else "Yes")
