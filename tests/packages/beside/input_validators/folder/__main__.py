import sys

# Its own files are in the working directory, with those of the case.
sys.exit(42 if open("known.txt").read() == open("more.txt").read() else 43)
