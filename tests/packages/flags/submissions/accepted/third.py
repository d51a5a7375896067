print("Yes" if input() == "word" else "0.33330")
