# Mistake: counts empty heaps as largest when all are empty.
input()
heaps = list(map(int, input().split()))
print("Yes" if heaps.count(max(heaps)) % 2 else "No")
