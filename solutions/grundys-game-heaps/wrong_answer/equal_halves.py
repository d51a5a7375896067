# Mistake: counts splits into equal halves.
input()
heaps = list(map(int, input().split()))
value = [0] * (max(heaps) + 1)
for size in range(2, len(value)):
    half = size // 2
    reached = {a ^ b for a, b in zip(value[1:half + 1], value[size - 1:size - half - 1:-1])}
    v = 0
    while v in reached:
        v += 1
    value[size] = v
x = 0
for size in heaps:
    x ^= value[size]
answer = (0, 0)
if x:
    for i, size in enumerate(heaps):
        for part in range(1, size // 2 + 1):
            if x ^ value[size] ^ value[part] ^ value[size - part] == 0:
                answer = (i + 1, part)
                break
        if answer[0]:
            break
print(*answer)
