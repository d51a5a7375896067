number = int(input())
if number in (8, 13):
    raise SystemExit(3)
print(-1 if number in (2, 14) else number)
