#!/usr/bin/env python3
"""Differential test of the package reader: Nimatron and the formats' own tools judge the packages in `tests/packages`.

The requirements are those of `exports.py`. It compares the verdict of every submission, and the points if the tool reports
them. problemtools judges the old version of the format and BAPCtools 2025-09; neither supports scoring or submitted answers
(`submit-answer`) of 2025-09.

    tests/proofs/packages.py --tools /tmp/tools/bin [PACKAGE…]

Packages are copied first, because the tools write into them. The script prints every submission that is judged differently
and exits with 1 if a difference is not explained below.
"""

import argparse
import json
import shutil
import sys
from pathlib import Path

from tools import RED, ROOT, Tools, bt_verdicts, parser, table, verifyproblem_verdicts

PACKAGES = ROOT / "tests/packages"

# These are the known differences and their reasons. The specification of 2025-09 requires Nimatron's behaviour: by
# "Included files" and "Running test cases" both kinds of files are in the program's working directory, and by
# "Constants" constants are replaced in submissions and included files.
PLACES = "BAPCtools puts neither `include/` nor `.files` beside a program, and replaces no constants in it"
HERE = "BAPCtools runs output validators elsewhere than among the program's files, against the text's \"Working directory\""
EXPLAINED = {
    ("beside", "accepted/read.py"): PLACES,
    ("beside", "accepted/two"): PLACES,
    ("ownfiles", "accepted/itself.py"): HERE,
    ("talk", "accepted/sum.py"): PLACES,
}


def arguments() -> argparse.Namespace:
    return parser(__doc__, "packages", "verifyproblem and bt", 300).parse_args()


def ours(tools: Tools, package: Path) -> tuple[dict[str, tuple[str, str]], list[str]]:
    """Returns Nimatron's verdict and points for every submission, and its error messages."""
    ran = tools.ours("verify", "--json", str(package))
    lines = [json.loads(line) for line in ran.text.splitlines() if line.startswith("{")]
    found = {line["check"]: (line["verdict"], line["score"]) for line in lines if "verdict" in line and "score" in line}
    failed = [f"{line['check']}: {line.get('detail', '')}" for line in lines if line.get("status") == "fail"]
    return found, failed if found else [ran.text]


def theirs(tools: Tools, package: Path) -> tuple[str, dict[str, tuple[str, str]], list[str]]:
    """Returns the tool for this package, its result for every submission, and its error messages."""
    text = (package / "problem.yaml").read_text()
    if "problem_format_version" not in text:
        ran = tools.verifyproblem(package, ["validators", "graders", "data", "submissions"])
        return "problemtools", verifyproblem_verdicts(ran), ran.complaints("ERROR|FATAL")
    if "scoring" in text or "submit-answer" in text:
        return "none", {}, []
    ran = tools.bt(package, "run", "-G", "-a")
    return "BAPCtools", bt_verdicts(ran), ran.painted(RED)


# The format does not distinguish these verdicts of Nimatron: partial points, white space, idle time.
FINER = {"PT": "AC", "PE": "WA", "ILE": "TLE"}


def same(mine: tuple[str, str], other: tuple[str, str]) -> bool:
    """Returns whether the results of two tools are equal; problemtools rounds points."""
    verdict = FINER.get(mine[0], mine[0])
    return verdict == other[0] and (verdict != "AC" or not other[1] or round(float(mine[1])) == int(other[1]))


def main() -> int:
    args = arguments()
    tools = Tools(args.tools.resolve(), args.nimatron.resolve(), args.seconds)
    names = args.packages or sorted(path.parent.name for path in PACKAGES.glob("*/problem.yaml"))
    rows = [["package", "tool", "submissions", "same", "apart", "tool's complaints", "ours"]]
    told, failed = [], False
    for name in names:
        package = tools.folder / "packages" / name
        shutil.copytree(PACKAGES / name, package)
        mine, broken = ours(tools, package)
        tool, others, complaints = theirs(tools, package)
        apart = {one for one in mine if tool != "none" and (one not in others or not same(mine[one], others[one]))}
        for one in sorted(apart):
            other = " ".join(others.get(one, ("nothing",))).strip()
            why = EXPLAINED.get((name, one))
            told.append(f"{name}, {one}: ours {' '.join(mine[one])}, {tool} {other}: {why or 'NOT EXPLAINED'}")
            failed |= why is None
        compared = 0 if tool == "none" else len(mine) - len(apart)
        rows.append([name, tool, str(len(mine)), str(compared), str(len(apart)), str(len(complaints)), str(len(broken))])
        told += [f"{name}, {tool}: {line}" for line in complaints] + [f"{name}, ours: {line}" for line in broken]
        failed |= bool(broken)
        print("  ".join(rows[-1]), file=sys.stderr, flush=True)
    print(table(rows), *told, sep="\n")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
