# Mistake: thinks that a heap can be used if it holds at least as many stones as the nim-sum says.
input()
heaps = list(map(int, input().split()))
x = 0
for a in heaps:
    x ^= a
print(sum(1 for a in heaps if x and a >= x))
