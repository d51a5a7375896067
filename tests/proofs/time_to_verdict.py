#!/usr/bin/env python3
"""Measures the time from the start of `nimatron run` to the verdict on hostile programs, and the verdicts on honest ones.

Requirements: g++, Python and Java.

    cargo build --release
    tests/proofs/time_to_verdict.py                # on a quiet machine
    tests/proofs/time_to_verdict.py --busy 4       # beside four processes that never sleep
    tests/proofs/time_to_verdict.py --busy 4 --honest 1000

A row is a program on a problem: the time to the verdict with the program already compiled, and the bound: twice the time
limit and one second on a quiet machine, three times the limit and five seconds on a busy one. The script exits with 1 if a
bound is exceeded, if a hostile program is accepted, or if an honest one is not.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from tools import ROOT, table

PROBLEMS = ["classic-nim", "dag-sg", "nimatron"]
JAVA = "import java.util.*; public class Main { public static void main(String[] a) throws Exception { %s } }"

# Each entry describes the behaviour of a program, by file extension.
HOSTILE = {
    "endless": {
        "cpp": "volatile unsigned long long n; int main() { for (;;) n++; }",
        "py": "while True: pass",
        "java": JAVA % ("long n = 0; while (n >= 0) { n = (n + 1) & 1023; }"),
    },
    "sleeping": {
        "cpp": "#include <unistd.h>\nint main() { for (;;) sleep(1000); }",
        "py": "import time\nwhile True: time.sleep(1000)",
        "java": JAVA % ("for (;;) Thread.sleep(1000000);"),
    },
    "forking": {
        "cpp": "#include <unistd.h>\nint main() { for (;;) fork(); }",
        "py": "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass",
        "java": JAVA % ("for (;;) try { new ProcessBuilder(\"/bin/sh\", \"-c\", \"while :; do :; done\").start(); } "
                            "catch (Exception e) { }"),
    },
    "memory": {
        "cpp": "#include <cstdlib>\n#include <cstring>\nint main() { for (;;) if (void *p = malloc(1 << 20)) memset(p, 1, 1 << 20); }",
        "py": "kept = []\nwhile True: kept.append(bytearray(1 << 20))",
        "java": JAVA % ("List<byte[]> kept = new ArrayList<>(); for (;;) kept.add(new byte[1 << 20]);"),
    },
    "flooding": {
        "cpp": "#include <cstdio>\nint main() { for (;;) puts(\"0123456789012345678901234567890123456789\"); }",
        "py": "while True: print(\"0123456789\" * 10)",
        "java": JAVA % ("for (;;) System.out.println(\"0123456789012345678901234567890123456789\");"),
    },
}  # fmt: skip


def arguments() -> argparse.Namespace:
    told = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    told.add_argument("programs", nargs="*", help="kinds of programs (default: all)")
    told.add_argument("--nimatron", type=Path, default=ROOT / "target/release/nimatron")
    told.add_argument("--problem", choices=PROBLEMS, action="append", help="only this problem")
    told.add_argument("--language", choices=["cpp", "py", "java"], action="append", help="only this language")
    told.add_argument("--busy", type=int, default=0, metavar="N", help="beside N processes that never sleep")
    told.add_argument("--honest", type=int, default=0, metavar="N", help="N runs of accepted solutions in place of these")
    return told.parse_args()


def limit(problem: str) -> float:
    """Returns the time limit of a problem in seconds."""
    return float(re.search(r"time: (\d+)s", (ROOT / "problems" / problem / "problem.yaml").read_text())[1])


def run(nimatron: Path, problem: str, program: Path) -> tuple[float, list[dict]]:
    """Runs a program. Returns the time from the start to the verdict without compilation in seconds, and all events."""
    ran = subprocess.run([nimatron, "run", problem, program, "--json"], cwd=ROOT, capture_output=True, text=True)
    events = [json.loads(line) for line in ran.stdout.splitlines() if line.startswith("{")]
    if not events or events[-1]["event"] != "run_finished":
        raise SystemExit(f"{program} on {problem}: {ran.stdout[-500:]}{ran.stderr}")
    compiled = next((event["wall_ms"] for event in events if event["event"] == "build_finished"), 0.0)
    return (events[-1]["at_ms"] - compiled) / 1_000, events


def hostile(told: argparse.Namespace, folder: Path) -> bool:
    """Runs the hostile programs and prints their table. Returns whether all bounds hold."""
    rows, good = [["program", "language", "problem", "verdict", "seconds", "bound"]], True
    for kind in told.programs or HOSTILE:
        for extension, text in HOSTILE[kind].items():
            if told.language and extension not in told.language:
                continue
            program = folder / kind / f"Main.{extension}"
            program.parent.mkdir(exist_ok=True)
            program.write_text(text)
            for problem in told.problem or PROBLEMS:
                seconds, events = run(told.nimatron, problem, program)
                bound = limit(problem) * (3 if told.busy else 2) + (5 if told.busy else 1)
                verdict = events[-1]["verdict"] or f"none: {events[-1]['faults'][0]['message']}"
                fine = seconds <= bound and verdict not in ("AC", "CE") and not verdict.startswith("none")
                good &= fine
                rows.append([kind, extension, problem, verdict, f"{seconds:.1f}", f"{bound:.0f}{'' if fine else ' !'}"])
                print("  ".join(rows[-1]), file=sys.stderr, flush=True)
    print(table(rows))
    return good


def honest(told: argparse.Namespace) -> bool:
    """Runs accepted solutions in turn. Returns whether all were accepted."""
    programs = [(problem, path) for problem in told.problem or PROBLEMS
                for path in sorted((ROOT / "solutions" / problem / "accepted").iterdir())
                if not told.language or path.suffix[1:] in told.language]  # fmt: skip
    verdicts: dict[str, int] = {}
    slowest = 0.0
    for number in range(told.honest):
        problem, program = programs[number % len(programs)]
        seconds, events = run(told.nimatron, problem, program)
        verdict = events[-1]["verdict"] or f"none: {events[-1]['faults'][0]['message']}"
        verdicts[verdict] = verdicts.get(verdict, 0) + 1
        slowest = max(slowest, seconds)
        if verdict != "AC":
            print(f"{program}: {verdict}", flush=True)
        if (number + 1) % 50 == 0:
            print(f"{number + 1} of {told.honest} runs, {slowest:.1f} s at most: {verdicts}", file=sys.stderr, flush=True)
    print(f"{told.honest} runs of {len(programs)} solutions, {slowest:.1f} s at most: {verdicts}")
    return set(verdicts) == {"AC"}


def main() -> int:
    told = arguments()
    told.nimatron = told.nimatron.resolve()
    spinning = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(told.busy)]
    try:
        with tempfile.TemporaryDirectory(prefix="nimatron-proofs-") as folder:
            return 0 if (honest(told) if told.honest else hostile(told, Path(folder))) else 1
    finally:
        for process in spinning:
            process.kill()
            process.wait()


if __name__ == "__main__":
    sys.exit(main())
