# Mistake: the second player wins only if all sides are even.
input()
k = list(map(int, input().split()))
print("No" if all(v % 2 == 0 for v in k) else "Yes")
