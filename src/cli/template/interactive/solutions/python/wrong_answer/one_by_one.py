# Wrong answer: tries the numbers one by one, which takes more than ten guesses.
low, high = 1, 1000
while low <= high:
    guess = low
    print(guess, flush=True)  # without flush the interactor waits for a line that is still in a buffer
    reply = input()
    if reply == 'less':
        high = guess - 1
    elif reply == 'more':
        low = guess + 1
    else:
        break
