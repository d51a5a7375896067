n = int(input())
print(2 * n if n < 500 else 0)
