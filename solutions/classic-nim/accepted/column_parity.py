# Bouton's own wording: write the sizes in binary, one under another. The first player loses
# exactly when every column holds an even number of ones.
import sys

data = sys.stdin.read().split()
n = int(data[0])
heaps = list(map(int, data[1:n + 1]))

ones = [sum(map((1 << bit).__and__, heaps)) >> bit for bit in range(max(heaps).bit_length())]

print("No" if all(count % 2 == 0 for count in ones) else "Yes")
