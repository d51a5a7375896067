import os
import sys

answer = int(open(sys.argv[2]).read())
off = abs(int(sys.stdin.read()) - answer)
if "exactly" in sys.argv[4:]:
    sys.exit(43 if off else 42)
if off >= 10:
    sys.exit(43)
if off:
    with open(os.path.join(sys.argv[3], "score_multiplier.txt"), "w") as file:
        file.write(f"{(10 - off) / 10}\n")
sys.exit(42)
