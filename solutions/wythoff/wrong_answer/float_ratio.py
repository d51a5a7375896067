# Mistake: three decimals of the golden ratio.
a, b = sorted(map(int, input().split()))
print(0 if a == (b - a) * 1618 // 1000 else 1)
