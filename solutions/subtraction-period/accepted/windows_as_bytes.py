# Windows as bytes in a dictionary.
input()
moves = list(map(int, input().split()))
h = int(input())
longest = max(moves)
values = bytearray()
seen = {}
while True:
    size = len(values)
    reached = {values[size - s] for s in moves if s <= size}
    v = 0
    while v in reached:
        v += 1
    values.append(v)
    start = len(values) - longest
    if start >= 0:
        window = bytes(values[start:])
        if window in seen:
            break
        seen[window] = start
q = seen[window]
p = start - q
print(q, p, values[h if h < q else q + (h - q) % p])
