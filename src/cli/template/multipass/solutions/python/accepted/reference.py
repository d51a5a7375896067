# The reference solution: writes the number in base 26 with the letters as digits.
task = input()
if task == 'encode':
    x = int(input())
    print(''.join(chr(ord('a') + x // 26**i % 26) for i in range(5)))
else:
    word = input()
    print(sum(26**i * (ord(letter) - ord('a')) for i, letter in enumerate(word)))
