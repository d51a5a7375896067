import sys

sys.setrecursionlimit(1 << 30)


def fold(n):
    return 0 if n == 0 else (fold(n - 1) // 2 + n) % 1000003


print(fold(int(input())))
