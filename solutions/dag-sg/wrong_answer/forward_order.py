# Mistake: goes through the vertices in topological order from the sources, so that a vertex gets its value
# before its successors. The order must be reversed.
import sys
from collections import deque

data = list(map(int, sys.stdin.read().split()))
n, m, k = data[:3]
to = [[] for _ in range(n + 1)]
incoming = [0] * (n + 1)
for i in range(m):
    x, y = data[3 + 2 * i], data[4 + 2 * i]
    to[x].append(y)
    incoming[y] += 1

value = [0] * (n + 1)
queue = deque(v for v in range(1, n + 1) if incoming[v] == 0)
while queue:
    v = queue.popleft()
    seen = {value[w] for w in to[v]}
    while value[v] in seen:
        value[v] += 1
    for w in to[v]:
        incoming[w] -= 1
        if incoming[w] == 0:
            queue.append(w)

x = 0
for v in data[3 + 2 * m:]:
    x ^= value[v]
print("win" if x else "lose")
