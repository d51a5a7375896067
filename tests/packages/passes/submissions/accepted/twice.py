way, number = input().split()
print(2 * int(number) if way == "there" else int(number) // 2)
