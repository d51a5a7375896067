# Mistake: takes the pattern of the first few lost heaps for the rule.
import sys

for n in map(int, sys.stdin.read().split()[1:]):
    print("second" if n == 2 or n % 3 == 1 and n < 60 else "first")
