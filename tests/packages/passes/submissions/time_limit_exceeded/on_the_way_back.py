way, number = input().split()
while way == "back":
    pass
print(number)
