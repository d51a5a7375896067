import sys
sys.exit(42 if sys.stdin.read().startswith("there ") else 43)
