# Mistake: Nim on two heaps; the second kind of move is forgotten.
a, b = map(int, input().split())
print(0 if a == b else 1)
