import sys
sys.exit(42 if 1 <= int(sys.stdin.read()) <= 100 else 43)
