#!/usr/bin/env python3
"""Compares Nimatron's verdicts with the promises of packages and with the verdicts of other tools, in one table.

It judges every submission of every package below a folder. A package promises a verdict by the folder of the submission
(`accepted`, `wrong_answer`, …) or by its files, and a problem of DMOJ's test suite by its test files. The other tools are used if they are installed: problemtools and BAPCtools
for ICPC and Kattis packages, DMOJ's judge for packages of DMOJ.

    cargo build --release
    python3 -m venv /tmp/tools && /tmp/tools/bin/pip install problemtools bapctools dmoj
    tests/proofs/agree.py FOLDER                                     # promises only
    tests/proofs/agree.py FOLDER --tools /tmp/tools/bin              # with the tools in this folder
    tests/proofs/agree.py FOLDER --tools … --explained reasons.txt   # with the reasons for known differences

A line of the file of reasons is `PACKAGE SUBMISSION: REASON`; `*` stands for any text. The script prints a row for each
package, then every difference with its reason or `open`, and exits with 1 if one is open. The other tools run programs
without Nimatron's sandbox, so use them only with trusted packages.
"""

import argparse
import json
import shutil
import sys
import tempfile
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path

import dmoj_tests
from dmoj import Judge
from tools import ROOT, Tools, bt_verdicts, run, table, verifyproblem_verdicts

# The files by which a package is recognized. A sinol package has a file `config.yml` and a folder `prog`.
MARKS = ["problem.yaml", "problem.xml", "init.yml"]
# Verdicts of Nimatron that the ICPC format does not distinguish.
FINER = {"PT": "AC", "PE": "WA", "ILE": "TLE", "SEC": "RTE"}
# Verdicts of other tools that are the same as one of Nimatron's.
ALIKE = {("MLE", "RTE"), ("OLE", "RTE"), ("OLE", "TLE"), ("RTE", "IR"), ("MLE", "IR")}


@dataclass
class Package:
    """A package, Nimatron's results, and the results of a tool, by submission."""

    name: str
    ours: dict[str, dict] = field(default_factory=dict)
    tool: str = ""
    theirs: dict[str, tuple[str, str]] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="a package, or a folder of packages")
    parser.add_argument("--tools", type=Path, help="the folder with verifyproblem, bt and dmoj-cli")
    parser.add_argument("--explained", type=Path, help="a file with the reasons for known differences")
    parser.add_argument("--nimatron", type=Path, default=ROOT / "target/release/nimatron")
    parser.add_argument("--seconds", type=float, default=600, help="timeout for one package and one tool")
    return parser.parse_args()


def packages(folder: Path) -> list[Path]:
    """Returns the outermost folders that are packages."""
    if any((folder / mark).is_file() for mark in MARKS) or (folder / "config.yml").is_file() and (folder / "prog").is_dir():
        return [folder]
    inner = sorted(path for path in folder.iterdir() if path.is_dir() and not path.name.startswith("."))
    return [package for path in inner for package in packages(path)]


def judge(args: argparse.Namespace, path: Path, package: Package) -> None:
    """Judges the submissions with Nimatron. The errors contain the other checks of the package that fail."""
    if tests := dmoj_tests.tests(path):
        lines = [line for test in tests for line in dmoj_tests.judge(args.nimatron.resolve(), path, test, args.seconds)]
        package.ours = {line["check"]: line for line in lines}
        return
    ran = run([args.nimatron.resolve(), "verify", "--json", path.resolve()], ROOT, None, args.seconds)
    lines = [json.loads(line) for line in ran.text.splitlines() if line.startswith("{")]
    package.ours = {line["check"]: line for line in lines if "verdict" in line}
    package.errors = [
        f"{line['check']}: {line.get('detail', '')}"
        for line in lines
        if line.get("status") == "fail" and "verdict" not in line
    ]
    if not lines:
        package.errors.append("too slow" if ran.code is None else ran.text.strip().splitlines()[0])


def compare(args: argparse.Namespace, path: Path, package: Package, folder: Path) -> None:
    """Runs the tool for the format of the package, if it is installed."""
    if args.tools is None:
        return
    has = lambda name: (args.tools / name).exists()  # noqa: E731
    copy = folder / "packages" / path.name
    shutil.copytree(path, copy, dirs_exist_ok=True, ignore_dangling_symlinks=True)
    if (path / "init.yml").is_file():
        if has("dmoj-cli"):
            package.tool, package.theirs = "DMOJ", dmoj(args, copy, package, folder)
    elif (path / "problem.yaml").is_file() and has("verifyproblem") and has("bt"):
        tools = Tools(args.tools.resolve(), args.nimatron.resolve(), args.seconds)
        if "problem_format_version: 20" in (path / "problem.yaml").read_text(errors="replace"):
            package.tool, package.theirs = "BAPCtools", bt_verdicts(tools.bt(copy, "run", "-G", "-a"))
        else:
            ran = tools.verifyproblem(copy, ["validators", "graders", "data", "submissions"])
            package.tool, package.theirs = "problemtools", verifyproblem_verdicts(ran)


def dmoj(args: argparse.Namespace, path: Path, package: Package, folder: Path) -> dict[str, tuple[str, str]]:
    """Judges the submissions with DMOJ's judge, with the default limits of Nimatron for packages of DMOJ."""
    scratch = Path(tempfile.mkdtemp(dir=folder))
    tool = Judge(args.tools.resolve(), scratch, args.seconds)
    shutil.copytree(path, scratch / "problems" / path.name)
    # Root runs DMOJ's judge as another user.
    for one in [folder, scratch, *scratch.rglob("*")]:
        one.chmod(0o755 if one.is_dir() else 0o644)
    tool.home.chmod(0o777)
    found = {}
    for name in package.ours:
        for source in [path / "solutions" / name, path / "submissions" / name, path / name]:
            if source.is_file() and (verdict := tool.verdict(path.name, source, "2", "262144")):
                found[name] = (verdict, "")
    return found


def same(mine: dict, other: tuple[str, str]) -> bool:
    """Returns whether the results are equal. A tool rounds points, or prints none."""
    verdict = FINER.get(mine["verdict"], mine["verdict"])
    if (mine["verdict"], other[0]) in ALIKE or (mine["verdict"] == "PT" and other[0] == "WA"):
        return True
    return verdict == other[0] and (verdict != "AC" or not other[1] or round(float(mine["score"])) == int(other[1]))


def reasons(file: Path | None) -> list[tuple[str, str, str]]:
    """Reads the reasons for known differences: package, submission, reason."""
    found = []
    for line in file.read_text().splitlines() if file else []:
        if line.strip() and not line.startswith("#"):
            names, _, reason = line.partition(": ")
            package, _, submission = names.partition(" ")
            found.append((package, submission, reason.strip()))
    return found


def main() -> int:
    args = arguments()
    if not args.folder.is_dir():
        sys.exit(f"{args.folder} is not a folder")
    if not args.nimatron.exists():
        sys.exit(f"{args.nimatron} does not exist; build it with `cargo build --release`")
    known, told, is_open = reasons(args.explained), [], 0
    rows = [["package", "submissions", "as promised", "tool", "same as tool", "explained", "open"]]
    found = packages(args.folder.resolve())
    if not found:
        sys.exit(f"{args.folder} contains no package: no {', '.join(MARKS)}, config.yml")
    with tempfile.TemporaryDirectory(prefix="nimatron-agree-") as scratch:
        for path in found:
            package = Package(str(path.relative_to(args.folder.resolve())) if path != args.folder.resolve() else path.name)
            judge(args, path, package)
            compare(args, path, package, Path(scratch))
            apart = [("*", line) for line in package.errors]
            promised = {name: line for name, line in package.ours.items() if line.get("expected")}
            kept = [name for name, line in promised.items() if line["status"] == "pass"]
            apart += [
                (name, f"promised {line['expected']}, Nimatron {line['verdict']}: {line['detail']}")
                for name, line in promised.items()
                if name not in kept
            ]
            equal = [name for name, other in package.theirs.items() if name in package.ours and same(package.ours[name], other)]
            # A tool does not judge the programs in folders that it does not know.
            compared_with = sorted(set(package.ours) & set(package.theirs))
            for name in compared_with:
                if name in equal:
                    continue
                other = " ".join(package.theirs[name]).strip()
                apart.append((name, f"Nimatron {package.ours[name]['verdict']}, {package.tool} {other}"))
            counts = [0, 0]
            for name, line in apart:
                why = next((why for a, b, why in known if fnmatchcase(package.name, a) and fnmatchcase(name, b)), None)
                counts[why is None] += 1
                told.append(f"{package.name} {name}: {line}: {why or 'open'}")
            is_open += counts[1]
            compared = [package.tool or "-", f"{len(equal)} of {len(compared_with)}" if package.theirs else "-"]
            as_promised = f"{len(kept)} of {len(promised)}"
            rows.append([package.name, str(len(package.ours)), as_promised, *compared, *map(str, counts)])
            print("  ".join(rows[-1]), file=sys.stderr, flush=True)
    print(table(rows), *told, sep="\n")
    return int(is_open > 0)


if __name__ == "__main__":
    sys.exit(main())
