# The reference solution: halves the range with each guess.
low, high = 1, 1000
while low <= high:
    guess = (low + high) // 2
    print(guess, flush=True)  # always flush: only `input()` would do it by itself
    reply = input()
    if reply == 'less':
        high = guess - 1
    elif reply == 'more':
        low = guess + 1
    else:
        break
