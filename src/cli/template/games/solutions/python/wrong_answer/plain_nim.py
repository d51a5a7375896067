# Wrong answer: ignores that a move takes at most k stones.
n, k = map(int, input().split())
heaps = list(map(int, input().split()))
nim_sum = 0
for a in heaps:
    nim_sum ^= a
print('First' if nim_sum else 'Second')
