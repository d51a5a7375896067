# Mistake: counts modulo k.
l, k, x = map(int, input().split())
print((l - 1 - x) % k)
