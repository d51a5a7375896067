# Mistake: parity of the number of stones.
input()
heaps = [a for a in map(int, input().split()) if a > 0]
top = max(heaps, default=0)
print("No 0" if sum(heaps) % 2 else f"Yes {top * heaps.count(top)}")
