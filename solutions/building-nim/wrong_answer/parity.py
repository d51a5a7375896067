# Mistake: only the number of tokens matters.
t, s = map(int, input().split())
h = list(map(int, input().split()))
print("No" if t % 2 else "Yes")
