# Wrong answer: the sum overflows 32 bits.
n = int(input())
total = sum(map(int, input().split()))
print((total + 2**31) % 2**32 - 2**31)
