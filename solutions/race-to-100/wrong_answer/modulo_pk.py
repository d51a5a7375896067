# Mistake: counts modulo (p - 1) k.
t, k, p, x = map(int, input().split())
rest = (t - x) % ((p - 1) * k)
print(p if rest == 0 else (rest - 1) // k + 1)
