print(sum(map(int, input().split())) or 1)
