way, number = input().split()
print(2 * int(number))
