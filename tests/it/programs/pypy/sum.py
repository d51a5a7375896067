import sys

numbers = list(map(int, sys.stdin.buffer.read().split()))
print(sum(numbers[1:numbers[0] + 1]))
