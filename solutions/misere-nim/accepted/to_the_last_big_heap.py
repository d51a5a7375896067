# Counts heaps of two or more. None: the parity of single stones decides. One: always won, by leaving an odd number
# of single stones. More: as in Nim, for some big heap is left whatever the loser does, until the winner has the choice.
for _ in range(int(input())):
    input()
    heaps = list(map(int, input().split()))
    big = sum(a > 1 for a in heaps)
    if big == 0:
        won = heaps.count(1) % 2 == 0
    elif big == 1:
        won = True
    else:
        x = 0
        for a in heaps:
            x ^= a
        won = x != 0
    print("John" if won else "Brother")
