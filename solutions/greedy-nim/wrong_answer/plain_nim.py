# Mistake: the rule of Nim, as if any heap could be chosen.
input()
x = 0
for a in map(int, input().split()):
    x ^= a
print("Yes" if x else "No")
