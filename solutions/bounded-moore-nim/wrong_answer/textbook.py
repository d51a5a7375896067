# Mistake: the rule of the textbooks, Moore's on sizes modulo r + 1.
n, k, r = map(int, input().split())
a = [v % (r + 1) for v in map(int, input().split())]
print("Yes" if any(sum(v >> b & 1 for v in a) % (k + 1) for b in range(3)) else "No")
