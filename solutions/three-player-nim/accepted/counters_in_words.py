# All digits at once: `ones` holds the digits whose count is 1 modulo three, `twos` those whose count is 2.
# A heap that A may reduce must have every digit of `ones`, to lose it, and none of `twos`, to gain it;
# it gets smaller exactly if twos < ones.
import sys


def main():
    data = sys.stdin.buffer.read().split()
    heaps = list(map(int, data[1:]))
    ones = twos = 0
    for a in heaps:
        ones, twos = (ones ^ a) & ~twos, (twos ^ a) & ~((ones ^ a) & ~twos)
    if ones == twos == 0:
        return "C"
    mask = ones | twos
    if twos < ones and any(a & mask == ones for a in heaps):
        return "A"
    return "B"


print(main())
