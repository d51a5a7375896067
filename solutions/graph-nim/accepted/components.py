# The value of a graph is the nim-sum of the values of its connected components; every set of vertices is evaluated once.
from functools import lru_cache
import sys

sys.setrecursionlimit(10000)
n, m = map(int, input().split())
near = [0] * n
for _ in range(m):
    u, v = map(int, input().split())
    near[u - 1] |= 1 << v - 1
    near[v - 1] |= 1 << u - 1


def part_of_lowest(left):
    part, rim = 0, left & -left
    while rim:
        v = (rim & -rim).bit_length() - 1
        part |= 1 << v
        rim = (rim | near[v]) & left & ~part
    return part


@lru_cache(maxsize=None)
def value(left):
    if not left:
        return 0
    part = part_of_lowest(left)
    if part != left:
        return value(part) ^ value(left & ~part)
    seen = set()
    vertices = part
    while vertices:
        vertex = vertices & -vertices
        vertices ^= vertex
        without = part ^ vertex
        seen.add(value(without))
        # the ends above it alone, so that every edge is removed once
        ends = near[vertex.bit_length() - 1] & vertices
        while ends:
            end = ends & -ends
            ends ^= end
            seen.add(value(without ^ end))
    g = 0
    while g in seen:
        g += 1
    return g


print(value((1 << n) - 1))
