# Wrong answer: tries the numbers one by one, which takes more than ten guesses.
low, high = 1, 1000
while low <= high:
    guess = low
    print(guess, flush=True)  # always flush: only `input()` would do it by itself
    reply = input()
    if reply == 'less':
        high = guess - 1
    elif reply == 'more':
        low = guess + 1
    else:
        break
