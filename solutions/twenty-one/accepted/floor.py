l, k, x = map(int, input().split())
left = l - 1 - x
print(left - left // (k + 1) * (k + 1))
