# One branch for each case.
from collections import Counter

input()
heaps = Counter(a for a in map(int, input().split()) if a > 0)
sizes = sorted(heaps, reverse=True)
if not sizes:
    print("Yes 0")
elif sizes[0] == 1:
    ones = heaps[1]
    print("No 0" if ones % 2 else f"Yes {ones}")
else:
    top, count = sizes[0], heaps[sizes[0]]
    if count % 2 == 0:
        print("No 0")
    elif count > 1:
        print(f"Yes {count * top}")
    elif len(sizes) == 1 or sizes[1] == 1:
        # Only ones are left, and their number must be odd: in one way.
        print("Yes 1")
    else:
        second = sizes[1]
        print("Yes 1" if heaps[second] % 2 else f"Yes {second}")
