# The reference solution.
n = int(input())
print(sum(map(int, input().split())))
