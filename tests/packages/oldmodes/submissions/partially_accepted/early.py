number = int(input())
print(number if number < 10 else -1)
