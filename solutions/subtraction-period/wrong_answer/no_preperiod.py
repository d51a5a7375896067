# Mistake: believes that the values repeat from the first one on, and searches for its window only.
input()
moves = list(map(int, input().split()))
h = int(input())
longest = max(moves)
values = bytearray()
for size in range(20000):
    reached = {values[size - s] for s in moves if s <= size}
    v = 0
    while v in reached:
        v += 1
    values.append(v)
p = next((p for p in range(1, 20000 - longest) if values[p:p + longest] == values[:longest]), 1)
print(0, p, values[h % p])
