"""Judges the submissions in the test files of a DMOJ problem, as DMOJ's own test suite does.

A problem of the suite has folders `tests/NAME` with `test.yml`, `test.posix.yml` and `test.linux.yml`. They state the language,
the limits, the source files, and the expected codes: for all cases (`expect`) or for each case (`cases`).
"""

import json
import re
from pathlib import Path

from tools import ROOT, run

# Nimatron's names of DMOJ's languages. Programs in other languages are left out.
LANGUAGES = {
    "C": "c", "CPP11": "cpp", "GO": "go", "JAVA": "java", "JAVA8": "java", "MONOCS": "csharp", "PAS": "pascal",
    "PY3": "python", "PYPY3": "python", "RUST": "rust",
}  # fmt: skip
# DMOJ's codes of Nimatron's verdicts, without those that are equal.
CODES = {"PT": "AC", "PE": "WA", "ILE": "TLE", "SEC": "RTE", "JE": "IE"}
# DMOJ's code IR is a failure with an exit code.
EQUAL = {"IR": "RTE"}


def settings(folder: Path) -> dict[str, str | list[str]]:
    """Reads the test files: one `key: value` a line, where a value may be a list in brackets. Other lines are left out."""
    found: dict[str, str | list[str]] = {}
    for name in ("test.yml", "test.posix.yml", "test.linux.yml"):
        text = (folder / name).read_text() if (folder / name).is_file() else ""
        for key, value in re.findall(r"^(\w+): +([^#\n]+)", text, re.M):
            value = value.strip()
            found[key] = re.findall(r"[^\s,\[\]]+", value) if value.startswith("[") else value
    return found


def tests(package: Path) -> list[Path]:
    """Returns the folders of the tests."""
    return sorted({file.parent for file in package.glob("tests/*/test*.yml")})


def codes(value: str | list[str]) -> set[str]:
    return {EQUAL.get(code, code) for code in ([value] if isinstance(value, str) else value)}


def judge(nimatron: Path, package: Path, folder: Path, seconds: float) -> list[dict]:
    """Returns a line as `nimatron verify --json` prints it for each source file of the test."""
    test = settings(folder)
    language = LANGUAGES.get(str(test.get("language")))
    if language is None or ("arch" in test and "amd64" not in test["arch"]):
        return []
    cases = test.get("cases", [])
    expected = codes(test.get("expect", "AC"))
    options = ["--json", "--language", language, "--time", f"{test['time']}s", "--memory", f"{test['memory']}KiB"]
    # Without this option, the cases that cannot change the result are not run, as in DMOJ.
    options += [] if "SC" in cases else ["--all-cases"]
    lines = []
    for source in [test["source"]] if isinstance(test["source"], str) else test["source"]:
        ran = run([nimatron, "run", package, folder / source, *options], ROOT, None, seconds)
        events = [json.loads(line) for line in ran.text.splitlines() if line.startswith("{")]
        found = [CODES.get(event["verdict"], event["verdict"]) for event in events if event["event"] == "case_finished"]
        end = next((event["verdict"] for event in events if event["event"] == "run_finished"), "JE")
        found = found or [CODES.get(end, end)]
        # A case with the code SC is not run.
        wanted = [codes(code) for code in cases if code != "SC"] if cases else [expected] * len(found)
        kept = len(found) == len(wanted) and all(code in want for code, want in zip(found, wanted))
        lines.append({
            "check": f"{folder.name}/{source}", "verdict": " ".join(dict.fromkeys(found)), "score": 0,
            "expected": " ".join(cases) or "/".join(sorted(expected)), "status": "pass" if kept else "fail",
            "detail": ran.text.strip().splitlines()[-1][:300] if not events else "",
        })  # fmt: skip
    return lines
