import sys

# Refuses programs with one of these words, and gives half of the points for those that say they are half.
language, entry, feedback = sys.argv[1:4]
with open(entry) as file:
    text = file.read()
if language != "python3" or not entry.endswith(".py"):
    sys.exit(1)
if any(word in text for word in sys.argv[4:] if word != "points"):
    with open(feedback + "judgemessage.txt", "w") as file:
        file.write(f"{entry} has a forbidden word")
    sys.exit(43)
if "points" in sys.argv and "half" in text:
    with open(feedback + "score_multiplier.txt", "w") as file:
        file.write("0.5")
sys.exit(42)
