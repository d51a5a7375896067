import re
import sys
sys.exit(42 if re.fullmatch(r"[0-9]+\n", sys.stdin.read()) else 43)
