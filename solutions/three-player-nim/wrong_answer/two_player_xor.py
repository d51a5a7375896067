# Mistake: the rule for two players. Nim-sum zero is given to C, everything else to A.
input()
x = 0
for a in map(int, input().split()):
    x ^= a
print("A" if x else "C")
