# Too slow: searches all orders of placing, without storing the positions already solved.
t, s = map(int, input().split())
h = list(map(int, input().split()))


def wins(left):
    if left == 0:
        x = 0
        for v in h:
            x ^= v
        return x != 0
    found = False
    for i in range(s):
        h[i] += 1
        lost = not wins(left - 1)
        h[i] -= 1
        found = found or lost
    return found


print("Yes" if wins(t) else "No")
