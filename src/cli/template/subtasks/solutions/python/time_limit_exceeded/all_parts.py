# Too slow for the last subtask: tries all parts.
n = int(input())
a = list(map(int, input().split()))
best = a[0]
for first in range(n):
    total = 0
    for x in a[first:]:
        total += x
        if total > best:
            best = total
print(best)
