# Values of rows; the nim-sum over the runs decides.
k = int(input())
s = input()
n = len(s)
g = [0]
for m in range(1, n + 1):
    seen = {g[a] ^ g[m - t - a] for t in range(1, min(k, m) + 1) for a in range((m - t) // 2 + 1)}
    v = 0
    while v in seen:
        v += 1
    g.append(v)
if "." in s:
    gap = s.index(".")
    x = 0
    for run in (s[gap:] + s[:gap]).split("."):
        x ^= g[len(run)]
    won = x != 0
else:
    # For a full circle the theorem: two equal arcs, unless all pieces can be taken at once or k is 1.
    won = n <= k or k == 1 and n % 2 == 1
print("Yes" if won else "No")
