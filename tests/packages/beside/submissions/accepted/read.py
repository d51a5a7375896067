import sys
from given import FACTOR

assert sys.argv[2] == "a b"
print(FACTOR * (int(sys.argv[1]) + int(open("more.txt").read())))
