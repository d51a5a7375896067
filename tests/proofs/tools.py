"""The public judges' own tools, as the proofs beside this file call them: `verifyproblem` (problemtools) and `bt` (BAPCtools).

They run what they are given without a sandbox, so give them only programs that you trust.
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

# How a language is called here, where the tools' own tables name compilers or options that few machines have. JavaScript's
# engine reserves far more address space than it uses, and both tools limit just that: with less than a GiB every program in
# it ends with an error. So problemtools' soft limit is lifted, and BAPCtools, which sets a hard one, gets another. Go reserves
# more than half a GiB. Lua is in the specification's table, and in neither tool's.
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
    """A command that ended: its code (none if it took too long), what it printed in colour, and its seconds."""

    code: int | None
    coloured: str
    seconds: float

    @property
    def text(self) -> str:
        """What it printed."""
        return COLOUR.sub("", self.coloured)

    def painted(self, colour: str) -> list[str]:
        """The lines that have something in a colour."""
        return [COLOUR.sub("", line).strip() for line in self.coloured.splitlines() if colour in line]

    def complaints(self, words: str) -> list[str]:
        """The lines that begin with one of these words."""
        return [line.strip() for line in self.text.splitlines() if re.match(rf"\s*({words})\b", line)]


def parser(doc: str, what: str, tools: str, seconds: float) -> argparse.ArgumentParser:
    """What every proof is told: the ids of problems or packages, where the tools are, how long one run may take."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(what, nargs="*", help="their names; all if left out")
    parser.add_argument("--tools", type=Path, required=True, help=f"the folder with {tools}")
    parser.add_argument("--nimatron", type=Path, default=ROOT / "target/release/nimatron")
    parser.add_argument("--seconds", type=float, default=seconds, help="how long one run of a tool may take")
    return parser


def all_problems() -> list[str]:
    """The ids of our own problems."""
    return sorted(path.parent.name for path in (ROOT / "problems").glob("*/problem.yaml"))


def run(command: list, folder: Path, env: dict[str, str], seconds: float) -> Ran:
    """Runs a command in a folder, for no longer than this, and ends all it started."""
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
    """Where the tools are, with a folder for their configuration and what they leave behind."""

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
            # JSON is YAML too.
            (place / "languages.yaml").write_text(json.dumps(table))
        (self.folder / "tmp").mkdir()

    def run(self, command: list, folder: Path) -> Ran:
        """Runs a command in a folder, for no longer than a tool may take."""
        env = dict(os.environ, XDG_CONFIG_HOME=str(self.folder / "config"), TMPDIR=str(self.folder / "tmp"))
        env["PATH"] = f"{self.programs}:{env['PATH']}"
        # BAPCtools tells by colour alone what is an error and what a warning; here it leaves its colours in.
        env["CI"] = "true"
        return run(command, folder, env, self.seconds)

    def verifyproblem(self, package: Path, parts: list[str], *more: str) -> Ran:
        """problemtools on a package in the old version."""
        return self.run(["verifyproblem", "-l", "info", *more, package.name, "-p", *parts], package.parent)

    def bt(self, package: Path, command: str, *more: str) -> Ran:
        """BAPCtools on a package of 2025-09, where it stands."""
        return self.run(["bt", command, "-B", "-j", "1", "-m", "2048", *more], package)

    def ours(self, *args: str) -> Ran:
        """Nimatron itself."""
        return self.run([self.nimatron, *args], ROOT)


def ended(process: subprocess.Popen) -> bytes:
    """Ends a command, which may put away its things first, and gives what it printed."""
    for signal in (15, 9):
        # The group is this command's own.
        os.killpg(process.pid, signal)
        try:
            return process.communicate(timeout=10)[0]
        except subprocess.TimeoutExpired:
            pass
    return b""


def verifyproblem_verdicts(ran: Ran) -> dict[str, tuple[str, str]]:
    """The verdict and the points of every submission, as problemtools tells them."""
    found = {}
    pattern = re.compile(rf"(\S+/\S+) \(.*\) (?:OK|OK with extra time|got|was fully accepted):? {VERDICT}(?: \((-?\d+)\))?")
    for line in ran.text.splitlines():
        if match := pattern.search(line):
            found.setdefault(match[1], (match[2], match[3] or ""))
        elif match := re.search(r"Compile error for (\S+)", line):
            found[match[1]] = ("CE", "")
    return found


def bt_verdicts(ran: Ran) -> dict[str, tuple[str, str]]:
    """The verdict of every submission, as BAPCtools tells it: it gives no points."""
    found = {}
    for line in ran.text.splitlines():
        if match := re.match(rf"(\S+/\S+):\s+{VERDICT}\b.*@", line.strip()):
            found[match[1]] = (match[2], "")
    return found


def table(rows: list[list[str]]) -> str:
    """Rows as text, in columns."""
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows)
