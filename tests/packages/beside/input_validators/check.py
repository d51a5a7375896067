import sys

# The group's arguments with the constant filled in, then the case's; the case's files are here.
good = sys.argv[1:] == ["3", "4", "a b"] and "{{factor}}" == "3"
good = good and open("more.txt").read() == "3\n" and open("deep/er.txt").read() == "7\n"
sys.exit(42 if good else 43)
