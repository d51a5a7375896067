# Parity of the number of largest heaps.
input()
heaps = list(map(int, input().split()))
top = max(heaps)
print("Yes" if top > 0 and heaps.count(top) % 2 == 1 else "No")
