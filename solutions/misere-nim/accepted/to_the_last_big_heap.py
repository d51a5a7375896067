# Counts heaps of two or more. None: the parity of single stones decides. One: always won, by leaving an odd number
# of single stones. More: as in Nim, because some big heap is left until the winner can choose.
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
