# Mistake: leaves an odd number of ones in the end, as if the last stone lost.
n = int(input())
heaps = list(map(int, input().split()))
while True:
    x = 0
    for a in heaps:
        x ^= a
    i = next((i for i in range(n) if heaps[i] ^ x < heaps[i]), heaps.index(max(heaps)))
    amount = heaps[i] - (heaps[i] ^ x) if heaps[i] ^ x < heaps[i] else 1
    if heaps[i] > 1 and sum(a > 1 for a in heaps) == 1:
        amount = heaps[i] - (1 - heaps.count(1) % 2)
    print(i + 1, amount, flush=True)
    heaps[i] -= amount
    if not any(heaps):
        break
    j, taken = map(int, input().split())
    heaps[j - 1] -= taken
    if not any(heaps):
        break
