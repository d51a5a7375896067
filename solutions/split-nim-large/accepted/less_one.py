# The sum of odious numbers is zero if and only if the sum of the sizes less one is, and there is an even number of heaps.
n = int(input())
heaps = [a - 1 for a in map(int, input().split()) if a]
x = 0
for a in heaps:
    x ^= a
print("No" if x == 0 and len(heaps) % 2 == 0 else "Yes")
