# Is refused, and waits for what never comes.
print("fifty", flush=True)
input()
