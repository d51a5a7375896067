"""Runs the program in the same folder with unbuffered standard output, as `python -u` does."""

import io
import os
import runpy
import sys


def program():
    """Returns the file to run: main.py if it exists, or otherwise the first other file by name."""
    here, own = os.path.split(os.path.abspath(__file__))
    names = sorted(name for name in os.listdir(here) if name.endswith((".py", ".py3")) and name != own)
    if not names:
        sys.exit("a program named %s can't be run with unbuffered output; rename it" % own)
    mains = [name for name in names if name.split(".")[0].lower() == "main"]
    return os.path.join(here, (mains or names)[0])


stdout = open(1, "wb", 0, closefd=False)
sys.stdout = io.TextIOWrapper(stdout, sys.stdout.encoding, sys.stdout.errors, write_through=True)
sys.argv[0] = program()
runpy.run_path(sys.argv[0], run_name="__main__")
