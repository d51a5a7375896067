# Mistake: a place too good where what is left is a multiple of k.
t, k, p, x = map(int, input().split())
rest = (t - x) % ((p - 1) * k + 1)
print(p if rest == 0 else min(rest // k + 1, p))
