# Mistake: prints what is left of the heap, and not how much it takes.
n = int(input())
heaps = list(map(int, input().split()))
while True:
    x = 0
    for a in heaps:
        x ^= a
    i = next((i for i in range(n) if heaps[i] ^ x < heaps[i]), heaps.index(max(heaps)))
    amount = heaps[i] ^ x
    print(i + 1, amount, flush=True)
    heaps[i] -= amount
    if not any(heaps):
        break
    j, taken = map(int, input().split())
    heaps[j - 1] -= taken
    if not any(heaps):
        break
