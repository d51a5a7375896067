import sys

answer = int(open(sys.argv[2]).read())
feedback, flags = sys.argv[3], sys.argv[4:]
assert flags[0] == "off=1" and feedback.endswith("/")
try:
    given = int(sys.stdin.read())
except ValueError:
    open(feedback + "judgemessage.txt", "w").write("this is no number\n")
    sys.exit(43)
points = max(0, 50 - abs(given - answer)) * (2 if "twice" in flags else 1)
open(feedback + "score.txt", "w").write(f"{points}\n")
sys.exit(42)
