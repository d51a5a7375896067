# Mistake: the rule of Nim where the last stone wins.
for _ in range(int(input())):
    input()
    x = 0
    for a in map(int, input().split()):
        x ^= a
    print("John" if x else "Brother")
