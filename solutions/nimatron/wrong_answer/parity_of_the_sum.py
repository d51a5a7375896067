# Mistake: leaves an even number of stones, as if that were enough.
n = int(input())
heaps = list(map(int, input().split()))
while True:
    i = heaps.index(max(heaps))
    amount = 2 if heaps[i] > 1 and sum(heaps) % 2 == 0 else 1
    print(i + 1, amount, flush=True)
    heaps[i] -= amount
    if not any(heaps):
        break
    j, taken = map(int, input().split())
    heaps[j - 1] -= taken
    if not any(heaps):
        break
