import sys

_, output, answer = (open(path).read().split() for path in sys.argv[1:4])
sys.exit(output != answer)
