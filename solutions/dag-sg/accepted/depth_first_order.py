# Depth-first search with a stack of its own; a vertex gets its value after all its successors.
import sys

data = list(map(int, sys.stdin.read().split()))
n, m, k = data[:3]
to = [[] for _ in range(n + 1)]
for i in range(m):
    to[data[3 + 2 * i]].append(data[4 + 2 * i])

value = [None] * (n + 1)
for start in range(1, n + 1):
    stack = [start]
    while stack:
        v = stack[-1]
        if value[v] is not None:
            stack.pop()
            continue
        waiting = [w for w in to[v] if value[w] is None]
        if waiting:
            stack.extend(waiting)
            continue
        seen = {value[w] for w in to[v]}
        g = 0
        while g in seen:
            g += 1
        value[v] = g
        stack.pop()

x = 0
for v in data[3 + 2 * m:3 + 2 * m + k]:
    x ^= value[v]
print("win" if x else "lose")
