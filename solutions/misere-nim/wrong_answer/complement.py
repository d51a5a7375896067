# Mistake: assumes that the winner of normal play loses misère play.
for _ in range(int(input())):
    input()
    x = 0
    for a in map(int, input().split()):
        x ^= a
    print("Brother" if x else "John")
