# Mistake: the rule of Nim, whatever k is.
input()
x = 0
for a in map(int, input().split()):
    x ^= a
print("Yes" if x else "No")
