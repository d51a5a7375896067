# All lost heaps up to a million.
import sys

LOST = {1, 2, 4, 7, 10, 20, 23, 26, 50, 53, 270, 273, 276, 282, 285, 288, 316, 334, 337, 340, 346, 359, 362, 365, 386,
        389, 392, 566, 630, 633, 636, 639, 673, 676, 682, 685, 923, 926, 929, 932, 1222}
data = sys.stdin.read().split()
print("\n".join("second" if int(n) in LOST else "first" for n in data[1:]))
