import os
import sys

here = os.path.dirname(os.path.abspath(__file__))
if input() == "files":
    names = [name for name in os.listdir(here) if not name.startswith("__")]
    print("\n".join(sorted(names)))
else:
    with open(__file__) as file:
        sys.stdout.write(file.read())
