# Mistake: counts vertices modulo 3, as in a complete graph.
n, m = map(int, input().split())
print(n % 3)
