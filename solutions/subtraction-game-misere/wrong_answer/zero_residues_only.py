# Mistake: handles only one exception, heaps that are all divisible by r + 1, and plays all others as in normal play.
n, r = map(int, input().split())
heaps = list(map(int, input().split()))
m = r + 1
x = 0
for a in heaps:
    x ^= a % m
answer = (0, 0)
if all(a % m == 0 for a in heaps):
    for i in range(n):
        if heaps[i] > 0:
            answer = (i + 1, r)
            break
elif x:
    for i in range(n):
        residue = heaps[i] % m
        if residue ^ x < residue:
            answer = (i + 1, residue - (residue ^ x))
            break
print(*answer)
