# Mistake: right, but prints the place of A instead of the letter of the winner.
import sys

heaps = list(map(int, sys.stdin.buffer.read().split()))[1:]
ones = twos = 0
for a in heaps:
    ones = (ones ^ a) & ~twos
    twos = (twos ^ a) & ~ones
if ones == twos == 0:
    print(3)
elif twos < ones and any(a & (ones | twos) == ones for a in heaps):
    print(1)
else:
    print(2)
