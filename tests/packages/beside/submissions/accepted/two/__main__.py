from other import answer

print(answer())
