# Mistake: the game in which the last stone wins.
from collections import Counter

input()
heaps = Counter(a for a in map(int, input().split()) if a > 0)
sizes = sorted(heaps, reverse=True)
if not sizes or heaps[sizes[0]] % 2 == 0:
    print("No 0")
elif heaps[sizes[0]] > 1:
    print("Yes", heaps[sizes[0]] * sizes[0])
elif len(sizes) == 1 or heaps[sizes[1]] % 2:
    print("Yes 1")
else:
    print("Yes", sizes[1])
