from aside import twice

print(twice(int(input())))
