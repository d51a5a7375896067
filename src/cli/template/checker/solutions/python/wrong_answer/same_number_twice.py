# Wrong answer: takes the same number twice.
def solve():
    n, t = map(int, input().split())
    a = list(map(int, input().split()))
    places = {x: i for i, x in enumerate(a, 1)}
    for j, x in enumerate(a, 1):
        if t - x in places:
            return j, places[t - x]
    return 0, 0


print(*solve())
