# Mistake: assumes that both players take as many sticks as possible.
n, k = map(int, input().split())
p = set(map(int, input().split()))
won = [False]
largest = 0
for i in range(1, n + 1):
    if i in p:
        largest = i
    won.append(not won[i - largest])
print("".join("W" if w else "L" for w in won[1:]))
