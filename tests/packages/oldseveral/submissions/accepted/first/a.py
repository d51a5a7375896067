from b import twice

print(twice(int(input())))
