# Mistake: forgets that a residue may also be raised, by taking more than it and going round.
n, r = map(int, input().split())
heaps = list(map(int, input().split()))
x = 0
for a in heaps:
    x ^= a % (r + 1)
print(sum(1 for a in heaps if (a % (r + 1)) ^ x < a % (r + 1)))
