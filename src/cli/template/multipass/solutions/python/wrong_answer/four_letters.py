# Wrong answer: four letters are too few for a million numbers.
task = input()
if task == 'encode':
    x = int(input())
    print(''.join(chr(ord('a') + x // 26**i % 26) for i in range(4)))
else:
    word = input()
    print(sum(26**i * (ord(letter) - ord('a')) for i, letter in enumerate(word)))
