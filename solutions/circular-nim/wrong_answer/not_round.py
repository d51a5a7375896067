# Mistake: does not join the run at the end with the run at the start.
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
if "." not in s:
    print("Yes" if n <= k or k == 1 and n % 2 == 1 else "No")
    raise SystemExit
x = 0
for run in s.split("."):
    x ^= g[len(run)]
print("Yes" if x else "No")
