# Mistake: plain Nim on all the steps.
n = int(input())
x = 0
for v in map(int, input().split()):
    x ^= v
print("Yes" if x else "No")
