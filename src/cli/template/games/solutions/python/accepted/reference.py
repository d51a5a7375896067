# The reference solution: the nim-sum of the remainders modulo k + 1 decides.
n, k = map(int, input().split())
heaps = list(map(int, input().split()))
nim_sum = 0
for a in heaps:
    nim_sum ^= a % (k + 1)
print('First' if nim_sum else 'Second')
