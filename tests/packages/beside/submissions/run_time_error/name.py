print(FACTOR)
