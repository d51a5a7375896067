import sys
sys.exit(42 if sys.stdin.read().strip() in ("space", "relative", "small", "absolute", "both", "formatted") else 43)
