# Mistake: takes the whole of a largest heap.
n = int(input())
heaps = list(map(int, input().split()))
while True:
    i = heaps.index(max(heaps))
    amount = heaps[i]
    print(i + 1, amount, flush=True)
    heaps[i] -= amount
    if not any(heaps):
        break
    j, taken = map(int, input().split())
    heaps[j - 1] -= taken
    if not any(heaps):
        break
