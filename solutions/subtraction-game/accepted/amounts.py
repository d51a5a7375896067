# For each heap the only amount that can win.
n, r = map(int, input().split())
heaps = list(map(int, input().split()))
x = 0
for a in heaps:
    x ^= a % (r + 1)
count = 0
for a in heaps:
    residue = a % (r + 1)
    target = residue ^ x
    if target <= r:
        amount = (residue - target) % (r + 1)
        if 1 <= amount <= a:
            count += 1
print(count)
