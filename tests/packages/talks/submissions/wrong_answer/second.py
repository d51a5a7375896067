time, number = map(int, input().split())
print(number)
