# Mistake: the parity of the number of even sides.
input()
k = list(map(int, input().split()))
even = sum(v % 2 == 0 for v in k)
print("No" if even and even % 2 == 0 else "Yes")
