# Mistake: believes that the period is one more than the largest move, as if all smaller moves were allowed.
input()
moves = list(map(int, input().split()))
h = int(input())
print(0, max(moves) + 1, min(h % (max(moves) + 1), len(moves)))
