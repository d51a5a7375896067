# Mistake: takes the sides for heaps of Nim.
input()
k = list(map(int, input().split()))
x = 0
for v in k:
    x ^= v
print("Yes" if x else "No")
