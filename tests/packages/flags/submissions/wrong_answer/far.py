print("Yes" if input() == "word" else "0.34")
