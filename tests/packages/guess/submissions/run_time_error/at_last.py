# Has found it, and then ends badly.
low, high = 1, 101
while True:
    middle = (low + high) // 2
    print(middle, flush=True)
    answer = input()
    if answer == "right":
        raise SystemExit(3)
    low, high = (middle + 1, high) if answer == "more" else (low, middle)
