"""Runs the tools of the public formats for the scripts in this folder: `verifyproblem` (problemtools) and `bt` (BAPCtools).

The tools run programs without a sandbox, so use them only with trusted programs.
"""

import argparse
import json
import os
import re
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# These are commands for languages for which the tools' own tables name rarely installed compilers or options. The
# JavaScript engine reserves far more address space than it uses, and both tools limit the address space: with less than
# 1 GiB every JavaScript program fails. Therefore the soft limit of problemtools is removed, and the hard limit of
# BAPCtools is raised. Go reserves more than half a GiB. Lua is in the table of the specification but supported by
# neither tool.
LUA = {"name": "Lua", "priority": 7, "files": "*.lua", "run": 'lua5.4 "{mainfile}"'}
LANGUAGES = {
    "problemtools": {
        "go": {"compile": "go build -o {binary} {files}", "run": "prlimit --as=unlimited {binary}"},
        "java": {"compile": "javac -encoding UTF-8 -sourcepath {path} -d {path} {files}"},
        "javascript": {"compile": "node -c {files}", "run": 'prlimit --as=unlimited node "{mainfile}"'},
        "kotlin": {"compile": "kotlinc -d {path}/ -- {files}"},
        "lua": LUA,
        "rust": {"compile": "rustc -O --crate-type bin --edition 2024 {mainfile} -o {mainfile}.out"},
    },
    "bapctools": {
        "go": {"compile": "go build -o {binary} {files}"},
        "javascript": {"compile": "node -c {files}", "run": 'node "{mainfile}"'},
        "lua": LUA,
        "rust": {"compile": "rustc -o{binary} -O --crate-type bin --edition=2024 {files}"},
    },
}

COLOUR = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\r")
RED, YELLOW = "\x1b[31m", "\x1b[33m"
VERDICT = r"(AC|WA|RTE|TLE|MLE|OLE|PE|JE|CE|VE)"


@dataclass
class Ran:
    """A finished command: its exit code (None after a timeout), its output with colours, and its duration in seconds."""

    code: int | None
    coloured: str
    seconds: float

    @property
    def text(self) -> str:
        """The output without colours."""
        return COLOUR.sub("", self.coloured)

    def painted(self, colour: str) -> list[str]:
        """The lines that contain text in this colour."""
        return [COLOUR.sub("", line).strip() for line in self.coloured.splitlines() if colour in line]

    def complaints(self, words: str) -> list[str]:
        """The lines that start with one of these words."""
        return [line.strip() for line in self.text.splitlines() if re.match(rf"\s*({words})\b", line)]


def parser(doc: str, what: str, tools: str, seconds: float) -> argparse.ArgumentParser:
    """Creates a parser of the common arguments: ids of problems or packages, the folder of the tools, and the timeout."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(what, nargs="*", help="their names (default: all)")
    parser.add_argument("--tools", type=Path, required=True, help=f"the folder with {tools}")
    parser.add_argument("--nimatron", type=Path, default=ROOT / "target/release/nimatron")
    parser.add_argument("--seconds", type=float, default=seconds, help="timeout of one run of a tool")
    return parser


def all_problems() -> list[str]:
    """Returns the ids of the built-in problems."""
    return sorted(path.parent.name for path in (ROOT / "problems").glob("*/problem.yaml"))


def run(command: list, folder: Path, env: dict[str, str] | None, seconds: float) -> Ran:
    """Runs a command in a folder with a timeout, and kills all processes that it started."""
    start = time.monotonic()
    process = subprocess.Popen(
        [str(part) for part in command], cwd=folder, env=env, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
    )  # fmt: skip
    try:
        output, _ = process.communicate(timeout=seconds)
        code = process.returncode
    except subprocess.TimeoutExpired:
        output, code = ended(process), None
    except KeyboardInterrupt:
        ended(process)
        raise
    return Ran(code, output.decode(errors="replace"), time.monotonic() - start)


class Tools:
    """The folder of the tools, and a folder for their configuration and temporary files."""

    def __init__(self, programs: Path, nimatron: Path, seconds: float):
        self.programs, self.nimatron, self.seconds = programs, nimatron, seconds
        for program in (programs / "verifyproblem", programs / "bt", nimatron):
            if not program.exists():
                raise SystemExit(f"{program} is not there: see the head of the script for what it needs")
        self.scratch = tempfile.TemporaryDirectory(prefix="nimatron-proofs-")
        self.folder = Path(self.scratch.name)
        for tool, table in LANGUAGES.items():
            place = self.folder / "config" / tool
            place.mkdir(parents=True)
            # A JSON file is also a YAML file.
            (place / "languages.yaml").write_text(json.dumps(table))
        (self.folder / "tmp").mkdir()

    def run(self, command: list, folder: Path) -> Ran:
        """Runs a command in a folder with the timeout of a tool."""
        env = dict(os.environ, XDG_CONFIG_HOME=str(self.folder / "config"), TMPDIR=str(self.folder / "tmp"))
        env["PATH"] = f"{self.programs}:{env['PATH']}"
        # BAPCtools distinguishes errors and warnings only by colour, so the colours of its output are kept.
        env["CI"] = "true"
        return run(command, folder, env, self.seconds)

    def verifyproblem(self, package: Path, parts: list[str], *more: str) -> Ran:
        """Runs problemtools on a package in the old version."""
        return self.run(["verifyproblem", "-l", "info", *more, package.name, "-p", *parts], package.parent)

    def bt(self, package: Path, command: str, *more: str) -> Ran:
        """Runs BAPCtools on a package of 2025-09, in place."""
        return self.run(["bt", command, "-B", "-j", "1", "-m", "2048", *more], package)

    def ours(self, *args: str) -> Ran:
        """Runs Nimatron."""
        return self.run([self.nimatron, *args], ROOT)


def ended(process: subprocess.Popen) -> bytes:
    """Terminates a command, which may clean up first, and returns its output."""
    for signal in (15, 9):
        # The process group contains only this command.
        os.killpg(process.pid, signal)
        try:
            return process.communicate(timeout=10)[0]
        except subprocess.TimeoutExpired:
            pass
    return b""


def verifyproblem_verdicts(ran: Ran) -> dict[str, tuple[str, str]]:
    """Returns the verdict and the points of every submission in the output of problemtools."""
    found = {}
    pattern = re.compile(rf"(\S+/\S+) \(.*\) (?:OK|OK with extra time|got|was fully accepted):? {VERDICT}(?: \((-?\d+)\))?")
    for line in ran.text.splitlines():
        if match := pattern.search(line):
            found.setdefault(match[1], (match[2], match[3] or ""))
        elif match := re.search(r"Compile error for (\S+)", line):
            found[match[1]] = ("CE", "")
    return found


def bt_verdicts(ran: Ran) -> dict[str, tuple[str, str]]:
    """Returns the verdict of every submission in the output of BAPCtools, which has no points."""
    found = {}
    for line in ran.text.splitlines():
        if match := re.match(rf"(\S+/\S+):\s+{VERDICT}\b.*@", line.strip()):
            found[match[1]] = (match[2], "")
    return found


def table(rows: list[list[str]]) -> str:
    """Formats rows as text in columns."""
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows)
