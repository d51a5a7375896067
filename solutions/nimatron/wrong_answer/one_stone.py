# Mistake: takes one stone from the first heap that has any.
n = int(input())
heaps = list(map(int, input().split()))
while True:
    i = next(i for i in range(n) if heaps[i])
    amount = 1
    print(i + 1, amount, flush=True)
    heaps[i] -= amount
    if not any(heaps):
        break
    j, taken = map(int, input().split())
    heaps[j - 1] -= taken
    if not any(heaps):
        break
