print("another text" if input() == "text" else "itself.py\nknown.txt")
