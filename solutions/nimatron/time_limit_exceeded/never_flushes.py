# Waits for ever: its moves stay in the buffer of its output.
import sys

n = int(input())
heaps = list(map(int, input().split()))
while True:
    x = 0
    for a in heaps:
        x ^= a
    i = next(i for i in range(n) if heaps[i] ^ x < heaps[i])
    sys.stdout.write(f"{i + 1} {heaps[i] - (heaps[i] ^ x)}\n")
    heaps[i] ^= x
    if not any(heaps):
        break
    j, amount = map(int, sys.stdin.readline().split())
    heaps[j - 1] -= amount
