import sys
sys.exit(42 if sys.stdin.read().startswith("1 ") else 43)
