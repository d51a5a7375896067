# Mistake: takes a full circle for a row.
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
    s = s[gap:] + s[:gap]
x = 0
for run in s.split("."):
    x ^= g[len(run)]
print("Yes" if x else "No")
