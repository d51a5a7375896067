# Mistake: assumes that the first player always wins, with one stone of the first heap that has any.
n, r = map(int, input().split())
heaps = list(map(int, input().split()))
full = [i for i in range(n) if heaps[i] > 0]
print(full[0] + 1, 1) if full else print(0, 0)
