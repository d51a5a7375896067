# Mistake: counts all pieces together, as if gaps closed.
k = int(input())
print("Yes" if input().count("#") % (k + 1) else "No")
