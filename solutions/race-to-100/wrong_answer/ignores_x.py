# Mistake: answers for the first turn only.
t, k, p, x = map(int, input().split())
rest = t % ((p - 1) * k + 1)
print(p if rest == 0 else (rest - 1) // k + 1)
