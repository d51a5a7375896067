number = int(input())
if number % 2:
    raise SystemExit(3)
print(number)
