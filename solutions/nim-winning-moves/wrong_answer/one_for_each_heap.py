# Mistake: counts one winning move for every heap that is not empty, whenever the nim-sum is not zero.
input()
heaps = list(map(int, input().split()))
x = 0
for a in heaps:
    x ^= a
print(sum(1 for a in heaps if a) if x else 0)
