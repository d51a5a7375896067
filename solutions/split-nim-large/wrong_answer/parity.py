# Mistake: only the number of heaps matters.
n = int(input())
a = list(map(int, input().split()))
print("Yes" if sum(v > 0 for v in a) % 2 else "No")
