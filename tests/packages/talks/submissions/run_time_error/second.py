time, number = map(int, input().split())
if time == 2:
    raise SystemExit(3)
print(number)
