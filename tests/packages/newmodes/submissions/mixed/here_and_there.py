# 0 + 10 + 10, 20, 30
number = int(input())
print(number + {200: 50, 600: 5}.get(number, 0))
