# Mistake: forgets the bound.
n, k, r = map(int, input().split())
a = list(map(int, input().split()))
print("Yes" if any(sum(v >> b & 1 for v in a) % (k + 1) for b in range(4)) else "No")
