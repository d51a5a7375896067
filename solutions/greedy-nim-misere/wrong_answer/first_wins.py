# Mistake: the first player is taken to win with every move he has.
input()
heaps = [a for a in map(int, input().split()) if a > 0]
top = max(heaps, default=0)
print("Yes", top * heaps.count(top))
