# Mistake: answers for the first turn only.
l, k, x = map(int, input().split())
print((l - 1) % (k + 1))
