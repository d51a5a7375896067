# The same rule; prints the winning move in the last possible heap.
n, r = map(int, input().split())
heaps = list(map(int, input().split()))
m = r + 1
x = 0
big = 0
for a in heaps:
    x ^= a % m
    big += a % m > 1
answer = (0, 0)
for i in range(n - 1, -1, -1):
    residue = heaps[i] % m
    target = x ^ residue
    if big - (residue > 1) == 0:
        target ^= 1
    taken = (residue - target) % m
    if target <= r and 1 <= taken <= heaps[i]:
        answer = (i + 1, taken)
        break
print(*answer)
