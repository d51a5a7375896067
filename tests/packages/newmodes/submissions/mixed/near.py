# 3 * 8 + 32 + 0
print(int(input()) + 2)
