# Mistake: inverts the rule if all heaps are at most 1, not if all residues are.
n, r = map(int, input().split())
heaps = list(map(int, input().split()))
m = r + 1
x = 0
for a in heaps:
    x ^= a % m
big = sum(a > 1 for a in heaps)
answer = (0, 0)
for i in range(n):
    residue = heaps[i] % m
    target = x ^ residue
    if big - (heaps[i] > 1) == 0:
        target ^= 1
    taken = (residue - target) % m
    if target <= r and 1 <= taken <= heaps[i]:
        answer = (i + 1, taken)
        break
print(*answer)
