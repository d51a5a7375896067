# The reference solution: looks up the other number of each pair.
def solve():
    n, t = map(int, input().split())
    a = list(map(int, input().split()))
    places = {}
    for j, x in enumerate(a, 1):
        if t - x in places:
            return places[t - x], j
        places[x] = j
    return 0, 0


print(*solve())
