import sys

print(open(sys.argv[1]).read().strip(), flush=True)
sys.exit(42 if sys.stdin.read().split() == ["12"] else 43)
