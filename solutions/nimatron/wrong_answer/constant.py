# Mistake: always the same move, allowed or not.
n = int(input())
heaps = list(map(int, input().split()))
while True:
    i, amount = 0, 1
    print(i + 1, amount, flush=True)
    heaps[i] -= amount
    if not any(heaps):
        break
    j, taken = map(int, input().split())
    heaps[j - 1] -= taken
    if not any(heaps):
        break
