# Mistake: multiples of the largest move plus one are thought to be lost, which holds only if all smaller moves are allowed.
n, k = map(int, input().split())
m = max(map(int, input().split())) + 1
print("".join("L" if i % m == 0 else "W" for i in range(1, n + 1)))
