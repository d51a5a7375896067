#!/usr/bin/env python3
"""Verifies exports to DMOJ: DMOJ's own judge runs the solutions of every problem that can be exported to it.

Requirements: the judge in a virtual environment (its sandbox is built during the installation and needs Debian's
libseccomp-dev), PyPy for Python programs, and the compilers of the other languages:

    python3 -m venv /tmp/dmoj && /tmp/dmoj/bin/pip install dmoj
    cargo build --release
    tests/proofs/dmoj.py --tools /tmp/dmoj/bin                 # every problem
    tests/proofs/dmoj.py --tools /tmp/dmoj/bin classic-nim     # some

The judge refuses to run as root, so root runs it as `nobody` with util-linux's setpriv. It uses its own sandbox and only
runs trusted programs. The script prints a row for each problem, then every solution with an unexpected verdict, and exits
with 1 if there is one. Languages that the judge does not find are skipped and counted.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tools import ROOT, all_problems, parser, run, table

# These are the judge's names of languages, by file extension. Haskell is missing because programs of a current GHC make
# a system call (pselect6) that the judge's sandbox forbids.
LANGUAGES = {
    ".c": "C11", ".cpp": "CPP17", ".py": "PYPY3", ".go": "GO", ".lua": "LUA", ".pas": "PAS", ".cs": "MONOCS",
}  # fmt: skip
# These are the expected verdicts, by the folder of a solution.
PROMISED = {
    "accepted": {"AC"},
    "wrong_answer": {"WA"},
    "time_limit_exceeded": {"TLE"},
    "memory_limit_exceeded": {"MLE", "RTE", "IR"},
    "output_limit_exceeded": {"OLE"},
    "run_time_error": {"RTE", "IR", "MLE"},
}
# A program that keeps reading after the interactor has judged it and ended gets one of these verdicts.
TALKED_ON = {"IR", "RTE"}
NOBODY = 65534


def arguments() -> argparse.Namespace:
    return parser(__doc__, "problems", "dmoj-cli and dmoj-autoconf", 300).parse_args()


class Judge:
    """The judge, with the languages that it found on this machine."""

    def __init__(self, tools: Path, folder: Path, seconds: float):
        self.cli, self.seconds, self.folder = tools / "dmoj-cli", seconds, folder
        self.home = folder / "home"
        self.home.mkdir(mode=0o777)
        self.home.chmod(0o777)
        (folder / "problems").mkdir()
        found = subprocess.run([tools / "dmoj-autoconf"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.config = folder / "judge.yml"
        self.config.write_text(f"id: here\nkey: none\nproblem_storage_globs:\n  - {folder}/problems/*\n{found.stdout}")
        folder.chmod(0o755)

    def verdict(self, problem: str, source: Path, time: str, memory: str) -> str | None:
        """Returns the first verdict that is not AC; None if the judge does not support the language."""
        language = LANGUAGES.get(source.suffix)
        if language is None:
            return None
        submit = ["submit", "-tl", time, "-ml", memory, problem, language, source]
        # Checkers and interactors are written in C++.
        options = ["-c", self.config, "--skip-self-test", "--no-ansi", "-e", f"{language},CPP17"]
        # The judge runs under setpriv, so that it can still open a Python in the home directory of root.
        who = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"] if os.geteuid() == 0 else []
        env = dict(os.environ, HOME=str(self.home), TMPDIR=str(self.home))
        ran = run([*who, self.cli, *options, "--", *submit], ROOT, env, self.seconds)
        if ran.code is None:
            return "too long"
        text = ran.text
        if "invalid file name" in text or "unknown language" in text:
            return None
        said = re.findall(r"Test case +\d+ ([A-Z]+) ", text)
        if not said:
            return "CE" if "Failed compiling" in text else text.strip().splitlines()[-1]
        return next((verdict for verdict in said if verdict != "AC"), "AC")


def main() -> int:
    args = arguments()
    problems = args.problems or all_problems()
    rows, apart = [["problem", "solutions", "as promised", "left out"]], []
    with tempfile.TemporaryDirectory(prefix="nimatron-proofs-") as scratch:
        judge = Judge(args.tools.resolve(), Path(scratch), args.seconds)
        for problem in problems:
            package = judge.folder / "problems" / problem
            export = [args.nimatron.resolve(), "export", problem, "--to", "dmoj", "--out", package]
            made = run(export, ROOT, dict(os.environ), 600)
            limits = re.search(r"time limit to ([\d.]+) s and the memory limit to (\d+) KiB", made.text)
            if made.code != 0 or not limits:
                rows.append([problem, "-", "-", "it can't go there: " + made.text.strip().splitlines()[0]])
                print("  ".join(rows[-1]), file=sys.stderr, flush=True)
                continue
            for path in [package, *package.rglob("*")]:
                path.chmod(0o755 if path.is_dir() else 0o644)
            good = left = 0
            talks = "interactive" in (package / "init.yml").read_text()
            solutions = sorted(path for path in (package / "solutions").glob("*/*") if path.is_file())
            for source in solutions:
                verdict = judge.verdict(problem, source, *limits.groups())
                if verdict is None:
                    left += 1
                elif verdict in PROMISED.get(source.parent.name, {verdict}):
                    good += 1
                elif talks and source.parent.name == "wrong_answer" and verdict in TALKED_ON:
                    good += 1
                else:
                    apart.append(f"{problem}: {source.parent.name}/{source.name} got {verdict}")
                    print(apart[-1], file=sys.stderr, flush=True)
            rows.append([problem, str(len(solutions)), str(good), str(left)])
            print("  ".join(rows[-1]), file=sys.stderr, flush=True)
            shutil.rmtree(package)
    print(table(rows), *apart, sep="\n")
    return int(bool(apart))


if __name__ == "__main__":
    sys.exit(main())
