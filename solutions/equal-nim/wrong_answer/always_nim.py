# Mistake: takes two heaps for Nim too.
input()
x = 0
for a in map(int, input().split()):
    x ^= a
print("Yes" if x else "No")
