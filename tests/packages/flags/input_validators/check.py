import sys
sys.exit(42 if sys.stdin.read() in ("1\n", "word\n") else 43)
