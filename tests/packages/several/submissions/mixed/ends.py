# Wrong, then ends badly.
n = int(input())
if n == 9:
    raise SystemExit(3)
print(n)
