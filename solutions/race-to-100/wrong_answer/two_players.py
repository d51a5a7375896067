# Mistake: the rule for two players; places beyond them are never given.
t, k, p, x = map(int, input().split())
print(1 if (t - x) % (k + 1) else p)
