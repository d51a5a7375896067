# Mistake: writes the sizes in base k + 1 and adds the digits without carries. The sizes must be written in base two.
n, k = map(int, input().split())
sums = [0] * 64
for a in map(int, input().split()):
    at = 0
    while a:
        sums[at] += a % (k + 1)
        a //= k + 1
        at += 1
print("No" if all(s % (k + 1) == 0 for s in sums) else "Yes")
