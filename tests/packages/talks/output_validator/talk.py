import os
import sys

time, number = map(int, open(sys.argv[1]).read().split())
print(time, number, flush=True)
if sys.stdin.buffer.readline().split() != [str(time * number).encode()]:
    sys.exit(43)
if time == 1:
    with open(os.path.join(sys.argv[3], "nextpass.in"), "w") as file:
        file.write(f"2 {number + 1}\n")
sys.exit(42)
