print(open("less.txt").read())
