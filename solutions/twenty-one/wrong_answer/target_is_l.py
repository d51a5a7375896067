# Mistake: wants to say L itself.
l, k, x = map(int, input().split())
print((l - x) % (k + 1))
