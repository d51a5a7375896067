import sys
sys.exit(42 if sys.stdin.read() in ("files\n", "text\n") else 43)
