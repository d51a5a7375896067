# Mistake: takes the size for the Grundy value, as in Nim. From three stones on it is not.
input()
x = 0
for a in map(int, input().split()):
    x ^= a
print("Yes" if x else "No")
