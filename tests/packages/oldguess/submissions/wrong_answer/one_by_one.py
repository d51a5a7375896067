for number in range(1, 101):
    print(number, flush=True)
    if input() == "right":
        break
