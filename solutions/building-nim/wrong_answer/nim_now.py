# Mistake: evaluates Nim on the initial stacks.
t, s = map(int, input().split())
h = list(map(int, input().split()))
x = 0
for v in h:
    x ^= v
print("Yes" if x else "No")
