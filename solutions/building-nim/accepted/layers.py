# Layer by layer: all stacks that can be reached with each number of tokens, then backwards from the end.
t, s = map(int, input().split())
layers = [{tuple(sorted(map(int, input().split())))}]


def after(h):
    return {tuple(sorted(h[:i] + (h[i] + 1,) + h[i + 1:])) for i in range(s)}


for _ in range(t):
    layers.append(set().union(*map(after, layers[-1])))
won = {}
for h in layers.pop():
    x = 0
    for v in h:
        x ^= v
    won[h] = x != 0
for layer in reversed(layers):
    won = {h: not all(won[g] for g in after(h)) for h in layer}
print("Yes" if all(won.values()) else "No")
