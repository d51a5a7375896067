# Wrong answer: allows an empty part, whose sum is 0.
n = int(input())
a = list(map(int, input().split()))
best = 0
ending_here = 0
for x in a:
    ending_here = x + max(ending_here, 0)
    best = max(best, ending_here)
print(best)
