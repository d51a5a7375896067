# Mistake: the second player wins if the number of cells is even.
input()
k = list(map(int, input().split()))
print("No" if any(v % 2 == 0 for v in k) else "Yes")
