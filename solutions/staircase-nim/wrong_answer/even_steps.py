# Mistake: counts from zero, so it takes the steps 2, 4, 6, ... instead of 1, 3, 5, ...
n = int(input())
a = list(map(int, input().split()))
x = 0
for i in range(n):
    if i % 2 == 1:
        x ^= a[i]
print("Yes" if x else "No")
