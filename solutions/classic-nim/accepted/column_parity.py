# Bouton's own wording: write the sizes in binary, one under another. The first player loses
# exactly when every column holds an even number of ones.
import sys
from collections import Counter

data = sys.stdin.read().split()
n = int(data[0])
heaps = data[1:n + 1]

ones = [0] * 32
for value, times in Counter(heaps).items():
    value = int(value)
    bit = 0
    while value:
        if value & 1:
            ones[bit] += times
        value >>= 1
        bit += 1

print("No" if all(count % 2 == 0 for count in ones) else "Yes")
