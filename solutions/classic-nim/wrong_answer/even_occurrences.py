# Mistake: believes that the first player loses exactly when every size occurs an even number of times.
# 1 2 3 is lost too, though the three sizes differ.
from collections import Counter

n = int(input())
heaps = [a for a in map(int, input().split()) if a > 0]
print("No" if all(times % 2 == 0 for times in Counter(heaps).values()) else "Yes")
