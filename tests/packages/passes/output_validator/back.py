import os
import sys

way, number = open(sys.argv[1]).read().split()
secret = open(sys.argv[2]).read().split()
said = sys.stdin.read().split()
if len(said) != 1:
    sys.exit(43)
if way == "there":
    # Whatever is said is what it is told the next time.
    with open(os.path.join(sys.argv[3], "nextpass.in"), "w") as file:
        file.write(f"back {said[0]}\n")
    sys.exit(42)
sys.exit(42 if said == secret else 43)
