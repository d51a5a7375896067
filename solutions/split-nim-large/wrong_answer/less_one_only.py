# Mistake: forgets that an odd number of heaps is won.
n = int(input())
a = list(map(int, input().split()))
x = 0
for v in a:
    if v:
        x ^= v - 1
print("Yes" if x else "No")
