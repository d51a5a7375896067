import re
import sys

line = sys.stdin.readline()
most = next((int(arg.split("=")[1]) for arg in sys.argv[1:] if arg.startswith("most=")), 100)
if not re.fullmatch(r"(0|[1-9][0-9]*) (0|[1-9][0-9]*)\n", line) or sys.stdin.read():
    sys.exit(43)
sys.exit(42 if max(map(int, line.split())) <= most else 43)
