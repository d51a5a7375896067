total = sum(map(int, input().split()))
print(total if total < 20 else 0)
