# Mistake: believes that who would win if the last stone won must lose if it loses.
for _ in range(int(input())):
    input()
    x = 0
    for a in map(int, input().split()):
        x ^= a
    print("Brother" if x else "John")
