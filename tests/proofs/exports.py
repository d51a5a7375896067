#!/usr/bin/env python3
"""Verifies exports: checks every problem, as `icpc` and as `kattis-legacy`, with the formats' own tools.

Requirements: Python 3.10, both tools in a virtual environment, PyPy (problemtools runs all Python programs with it), and the
compilers of the solutions:

    python3 -m venv /tmp/tools && /tmp/tools/bin/pip install problemtools bapctools
    cargo build --release
    tests/proofs/exports.py --tools /tmp/tools/bin                 # every problem
    tests/proofs/exports.py --tools /tmp/tools/bin classic-nim     # some
    tests/proofs/exports.py --tools /tmp/tools/bin --no-submissions

Statements are compiled if `pdflatex` is installed. The script prints a row for each tool and problem, then all errors and
warnings, and exits with 1 if a tool found an error. BAPCtools does not support scoring in 2025-09 packages and is skipped
for such problems.
"""

import argparse
import re
import shutil
import sys
from pathlib import Path

from tools import RED, YELLOW, Ran, Tools, all_problems, parser, table

HEAD = ["problem", "format", "tool", "exit", "errors", "warnings", "seconds"]


def arguments() -> argparse.Namespace:
    told = parser(__doc__, "problems", "verifyproblem and bt", 600)
    told.add_argument("--no-submissions", action="store_true", help="check the packages without running submissions")
    told.add_argument("--only", choices=["icpc", "kattis-legacy"], help="check only this format")
    return told.parse_args()


def legacy(tools: Tools, package: Path, submissions: bool) -> list[tuple[str, Ran, list[str], list[str]]]:
    """Returns the result of problemtools for a package."""
    parts = ["config", "validators", "graders", "data"]
    if shutil.which("pdflatex"):
        parts.append("statement")
    if submissions:
        parts.append("submissions")
    # The old version of the format cannot set a limit; the tool then derives a limit from the slowest solution.
    limit = (package / ".timelimit").read_text().strip()
    ran = tools.verifyproblem(package, parts, "-t", limit)
    return [("verifyproblem", ran, ran.complaints("ERROR|FATAL"), ran.complaints("WARNING"))]


def icpc(tools: Tools, package: Path, submissions: bool) -> list[tuple[str, Ran, list[str], list[str]]]:
    """Returns the result of BAPCtools for a package, if it supports packages of this kind."""
    if "type: [scoring" in (package / "problem.yaml").read_text():
        return []
    told = []
    for command, more in [("validate", []), ("run", ["-G"])][: 1 + submissions]:
        ran = tools.bt(package, command, *more)
        told.append((f"bt {command}", ran, ran.painted(RED), ran.painted(YELLOW)))
    return told


def main() -> int:
    args = arguments()
    tools = Tools(args.tools.resolve(), args.nimatron.resolve(), args.seconds)
    problems = args.problems or all_problems()
    formats = {"icpc": icpc, "kattis-legacy": legacy}
    rows, complaints, failed = [HEAD], [], False
    for problem in problems:
        for name, prove in formats.items():
            if args.only not in (None, name):
                continue
            package = tools.folder / name / re.sub(r"[^a-z0-9]", "", problem)
            made = tools.ours("export", problem, "--to", name, "--out", str(package))
            told = [("export", made, [made.text], [])] if made.code else prove(tools, package, not args.no_submissions)
            for tool, ran, errors, warnings in told:
                code = "late" if ran.code is None else str(ran.code)
                row = [problem, name, tool, code, str(len(errors)), str(len(warnings)), f"{ran.seconds:.0f}"]
                rows.append(row)
                found = [f"{problem}, {tool}: {line}" for line in errors + warnings]
                complaints += found
                print("  ".join(row), *found, sep="\n", file=sys.stderr, flush=True)
                # BAPCtools also exits with code 1 if there are only warnings.
                failed |= bool(errors) or ran.code is None or (ran.code != 0 and not warnings)
            shutil.rmtree(package, ignore_errors=True)
    print(table(rows), *complaints, sep="\n")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
