import sys


def said():
    """The next number, or none if there is no more or it is none."""
    line = sys.stdin.buffer.readline().strip()
    return int(line) if line.isdigit() else None


secret = int(open(sys.argv[1]).read())
for _ in range(7):
    number = said()
    if number is None:
        sys.exit(43)
    print("right" if number == secret else "more" if number < secret else "less", flush=True)
    if number == secret:
        sys.exit(42)
sys.exit(43)
