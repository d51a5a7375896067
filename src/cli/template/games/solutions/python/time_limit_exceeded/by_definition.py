# Too slow: computes the Grundy value of every heap size by the definition.
n, k = map(int, input().split())
heaps = list(map(int, input().split()))
grundy = []
for size in range(max(heaps) + 1):
    reached = set(grundy[max(size - k, 0):])
    value = 0
    while value in reached:
        value += 1
    grundy.append(value)
nim_sum = 0
for a in heaps:
    nim_sum ^= grundy[a]
print('First' if nim_sum else 'Second')
