import sys

# `last` counts the last part alone, `each=K` gives K points for an accepted part, `most=M` cuts the sum.
results = [line.split() for line in sys.stdin]
if "last" in sys.argv:
    results = results[-1:]
values = dict(arg.split("=") for arg in sys.argv[1:] if "=" in arg)
points = sum(float(values["each"]) if "each" in values and verdict == "AC" else float(score) for verdict, score in results)
points = min(points, float(values.get("most", points)))
failed = [verdict for verdict, _ in results if verdict != "AC"]
print("AC" if points > 0 or not failed else failed[0], "%f" % points)
