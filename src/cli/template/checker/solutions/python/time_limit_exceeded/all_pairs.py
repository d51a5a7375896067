# Too slow: tries all pairs.
def solve():
    n, t = map(int, input().split())
    a = list(map(int, input().split()))
    for j in range(n):
        for i in range(j):
            if a[i] + a[j] == t:
                return i + 1, j + 1
    return 0, 0


print(*solve())
