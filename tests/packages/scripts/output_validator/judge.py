import sys

with open(sys.argv[1]) as file:
    number = int(file.read())
answer = sys.stdin.read().split()
if answer != [str(2 * number)]:
    with open(sys.argv[3] + "judgemessage.txt", "w") as file:
        file.write(f"{answer} is not twice {number}")
    sys.exit(43)
sys.exit(42)
