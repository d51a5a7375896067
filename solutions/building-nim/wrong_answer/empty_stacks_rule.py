# Mistake: the rule for empty stacks, without looking at their heights.
t, s = map(int, input().split())
h = list(map(int, input().split()))
if t % 2 or s % 2 == 0:
    won = False
elif s == 3:
    won = (t + 2) & (t + 1) != 0
else:
    won = s == 1 or t > s + 3
print("Yes" if won else "No")
