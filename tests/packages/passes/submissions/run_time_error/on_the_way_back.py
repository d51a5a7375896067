way, number = input().split()
if way == "back":
    raise SystemExit(3)
print(number)
