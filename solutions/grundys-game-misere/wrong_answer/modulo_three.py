# Mistake: calls single heaps lost if they are multiples of 3, which ends at 45, and adds heaps by parity.
input()
lost = 0
for a in map(int, input().split()):
    lost ^= a % 3 == 0
print("No" if lost else "Yes")
