# The working directory has the files of the program, with those included.
import os
import sys

with open(sys.argv[1]) as file:
    asked = file.read().strip()
with open(sys.argv[2]) as file:
    answer = file.read()
said = sys.stdin.read()
if said == answer:
    # The judge's own answer, which is no program's.
    sys.exit(42)
names = sorted(os.listdir())
if asked == "files":
    right = "".join(f"{name}\n" for name in names)
else:
    with open(next(name for name in names if name.endswith(".py"))) as file:
        right = file.read()
if said == right:
    sys.exit(42)
with open(sys.argv[3] + "judgemessage.txt", "w") as file:
    file.write(f"{said!r} is not {right!r}")
sys.exit(43)
