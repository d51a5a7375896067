# The reference solution: the best sum that ends at each position.
n = int(input())
a = list(map(int, input().split()))
best = a[0]
ending_here = 0
for x in a:
    ending_here = x + max(ending_here, 0)
    best = max(best, ending_here)
print(best)
