import sys

assert sys.argv[2] == "a b"
print(int(sys.argv[1]) + int(open("more.txt").read()) + int(input()))
