t, k, p, x = map(int, input().split())
left = (t - x) % ((p - 1) * k + 1)
print(p if left == 0 else -(-left // k))
