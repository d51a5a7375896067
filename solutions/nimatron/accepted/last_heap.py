# Prints the winning move in the last possible heap.
n = int(input())
heaps = list(map(int, input().split()))
while True:
    x = 0
    for a in heaps:
        x ^= a
    i = max(i for i in range(n) if heaps[i] ^ x < heaps[i])
    print(i + 1, heaps[i] - (heaps[i] ^ x), flush=True)
    heaps[i] ^= x
    if not any(heaps):
        break
    j, amount = map(int, input().split())
    heaps[j - 1] -= amount
