import sys
sys.exit(42 if sys.argv[1:] == ["4", "a b"] else 43)
