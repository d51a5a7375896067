print("two", "words")
