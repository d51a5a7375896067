def twice(n):
    return 2 * n


print(twice(int(input())) + 1)
