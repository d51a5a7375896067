# Mistake: counts empty heaps, too.
n = int(input())
a = list(map(int, input().split()))
x = 0
for v in a:
    if v:
        x ^= v - 1
print("No" if x == 0 and n % 2 == 0 else "Yes")
