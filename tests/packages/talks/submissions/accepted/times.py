time, number = map(int, input().split())
print(time * number)
