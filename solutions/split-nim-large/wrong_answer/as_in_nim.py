# Mistake: plays it as Nim.
n = int(input())
a = list(map(int, input().split()))
x = 0
for v in a:
    x ^= v
print("Yes" if x else "No")
