n = int(input())
a = list(map(int, input().split()))
x = 0
for v in a:
    x ^= v if v > 1 else 0
print('Yes' if x else f"No {n:>3}")
