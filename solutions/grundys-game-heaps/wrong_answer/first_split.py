# Mistake: assumes that the first player always wins, by splitting one coin off the first heap that can be split.
input()
heaps = list(map(int, input().split()))
print(*next(((i + 1, 1) for i, size in enumerate(heaps) if size > 2), (0, 0)))
