#!/usr/bin/env python3
"""Lets system calls of `nimatron run`, `generate` and `grade` fail, lets their writes be short, and kills the process at its
system calls.

Requirements: strace, gcc; for short writes x86-64.

    cargo build --release
    tests/proofs/faults.py                    # some calls of each kind
    tests/proofs/faults.py --calls 1000       # up to 1,000 calls of each kind, and kills at as many

Each run has one failure: strace makes the n-th call of one kind fail in the process and in all that it starts, or kills the
process at it. `short_write.c` makes the kernel write only a half or one byte of what the n-th call, or every call, asks for; such a
run must end as one without a failure. Afterwards:

* no verdict is wrong: a run ends with the verdict of the run without failures, or reports an error (exit code 2 or 3);
* no mark is wrong: a gradebook has the expected verdicts, or none;
* a folder of test data is complete, or does not exist;
* nothing panics, and nothing takes longer than a minute;
* the same command without a failure then ends as expected, with the stores that the failed run left behind.

The script prints a table with a row for each command and failure, and exits with 1 if one of these does not hold.
"""

import argparse
import collections
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tools import ROOT, ended, table

SPEC = """\
name: Next
input: [{ a: 1..=20 }]
answer: [{ b: 2..=21 }]
tests: { tiny: { cases: [{ input: "1\\n" }, { input: "9\\n" }, { input: "20\\n" }] } }
"""
REFERENCE = """\
fn main() {
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).unwrap();
    println!("{}", line.trim().parse::<i32>().unwrap() + 1);
}
"""
# The program repeats calls that fail, so that a failure in one of its own calls is not its fault.
PROGRAM = """\
#include <unistd.h>
static int next(char *c) { for (;;) { long n = read(0, c, 1); if (n >= 0) return (int)n; } }
int main(void) {
    int a = 0, at = 16;
    char c, out[16];
    while (next(&c) == 1 && c >= '0' && c <= '9') a = a * 10 + (c - '0');
    a += %d;
    out[--at] = '\\n';
    do { out[--at] = (char)('0' + a %% 10); a /= 10; } while (a);
    while (at < 16) { long n = write(1, out + at, (unsigned long)(16 - at)); if (n > 0) at += (int)n; }
    return 0;
}
"""
# A package of DMOJ whose programs read and write files.
FILED = "file_io: {input: numbers.in, output: numbers.out}\ntest_cases: [{in: 1.in, out: 1.in, points: 1}]\n"
COPY = """\
#include <fcntl.h>
#include <unistd.h>
int main(void) {
    int from, to, count = 0;
    char c;
    while ((from = open("numbers.in", O_RDONLY)) < 0 && count++ < 9) {}
    while ((to = open("numbers.out", O_WRONLY | O_CREAT, 0644)) < 0 && count++ < 9) {}
    for (;;) {
        long n = read(from, &c, 1);
        if (n == 0) return 0;
        while (n > 0 && write(to, &c, 1) < 0) {}
    }
}
"""
SECONDS = 60
# Each run begins with a new copy of the cache, some 800 files, which a file system in memory makes ten times as fast.
MEMORY = Path("/dev/shm")
# The space in bytes that the folder may need.
SPACE = 256 << 20

# The errors that a call may return on a machine that is out of something or whose disk fails.
ERRORS = {
    "openat": ["EMFILE", "EIO", "ENOSPC"],
    "read": ["EIO", "EINTR"],
    "pread64": ["EIO", "EINTR"],
    "write": ["ENOSPC", "EIO", "EINTR"],
    "pwrite64": ["ENOSPC", "EIO", "EINTR"],
    "statx": ["EIO"],
    "getdents64": ["EIO"],
    "mkdir": ["ENOSPC", "EIO"],
    "rename": ["ENOSPC", "EIO"],
    "unlink": ["EIO"],
    "fsync": ["EIO"],
    "fdatasync": ["EIO"],
    "ftruncate": ["ENOSPC", "EIO"],
    "clone": ["EAGAIN", "ENOMEM"],
    "clone3": ["EAGAIN", "ENOMEM"],
    "pipe2": ["EMFILE", "ENFILE"],
    "socketpair": ["EMFILE"],
    "eventfd2": ["EMFILE"],
    "memfd_create": ["EMFILE", "ENOMEM"],
    "mmap": ["ENOMEM"],
    "sendmsg": ["ENOBUFS", "EINTR"],
    "recvmsg": ["ENOMEM", "EINTR"],
    "ppoll": ["EINTR", "ENOMEM"],
    "futex": ["EINTR"],
    "wait4": ["EINTR"],
    "open_tree": ["EMFILE", "ENOMEM"],
    "move_mount": ["ENOMEM"],
    "mount": ["ENOMEM"],
    "flock": ["EINTR", "ENOLCK"],
    "fcntl": ["ENOLCK"],
}  # fmt: skip
KILL = "kill"
# The calls that can write fewer bytes than asked, and the share that they write.
SHORT_CALLS = ["write", "pwrite64", "writev", "copy_file_range", "sendfile"]
SHORT = {"short, half": "half", "short, 1 byte": "byte"}
# A FUTEX_WAKE that strace lets fail, on one line of its log or on two, of which only the first names the operation. No
# kernel lets it fail, and the thread that it should wake then sleeps for ever.
FAILED_WAKE = re.compile(r"^(\d+) .*FUTEX_WAKE\w*, (.*INJECTED|.*unfinished.*\n(?:(?!\1 ).*\n)*\1 .*INJECTED)", re.M)
# What ends a run without a word of Nimatron: failures before its first instruction, in the runtime library at the start of a
# thread, and of strace itself, since the filter of the sandbox takes a call that strace lets fail for a forbidden one.
NOT_OURS = [
    "error while loading shared libraries", "failed to allocate an alternative stack", "forbidden system call",
    "Bad system call",
]  # fmt: skip


@dataclass
class Case:
    """A command, the exit code without a failure, and what must hold for its output folder."""

    name: str
    args: list[str]
    code: int
    wrong: int | None
    """The exit code that would be a wrong verdict."""
    book: bool = False


CASES = [
    Case("run, accepted", ["run", "next", "right.c"], 0, 1),
    Case("run, wrong", ["run", "next", "wrong.c"], 1, 0),
    Case("run, files", ["run", "filed", "copy.c"], 0, 1),
    Case("generate", ["generate", "next", "--out", "made"], 0, None),
    Case("grade", ["grade", "next", "class", "--out", "grades", "-q"], 0, None, book=True),
]
EXPECTED = {"ann": "AC", "bob": "WA", "eve": "AC"}


class Folder:
    """The folder of the problem, the programs, and a cache that is warm at the start of each run."""

    def __init__(self, root: Path, nimatron: Path):
        self.root, self.nimatron, self.log = root, nimatron, root / "log"
        self.write("problems/next/problem.yaml", SPEC)
        self.write("solutions/next/accepted/reference.rs", REFERENCE)
        self.write("right.c", PROGRAM % 1)
        self.write("wrong.c", PROGRAM % 2)
        self.write("filed/init.yml", FILED)
        self.write("filed/1.in", "1 2 3\n")
        self.write("copy.c", COPY)
        for student, program in (("ann", "right.c"), ("bob", "wrong.c"), ("eve", "right.c")):
            self.write(f"class/{student}/next.c", (root / program).read_text() + f"/* {student} */\n")
        for case in CASES:
            ran = self.run(case)
            if ran.returncode != case.code:
                sys.exit(f"{case.name} without a failure: exit code {ran.returncode}\n{ran.stdout}{ran.stderr}")
        self.complete = self.made()
        shutil.copytree(root / "state", root / "warm", symlinks=True)

    def write(self, name: str, text: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def reset(self, cold: bool = False) -> None:
        """Removes what a run wrote, and restores the warm cache, or an empty one."""
        self.log.unlink(missing_ok=True)
        for name in ("state", "made", "grades"):
            shutil.rmtree(self.root / name, ignore_errors=True)
        if not cold:
            shutil.copytree(self.root / "warm", self.root / "state", symlinks=True)

    def run(self, case: Case, before: list[str] = []) -> subprocess.CompletedProcess:
        state = self.root / "state"
        env = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(state), "NIMATRON_CACHE": str(state / "cache")}
        for kind in ("CACHE", "CONFIG", "DATA", "STATE"):
            env[f"XDG_{kind}_HOME"] = str(state / kind.lower())
        cargo = Path.home() / ".cargo"
        env |= {"CARGO_HOME": str(cargo), "RUSTUP_HOME": str(Path.home() / ".rustup"), "PATH": f"{cargo}/bin:{env['PATH']}"}
        command = [*before, str(self.nimatron), *case.args]
        process = subprocess.Popen(
            command, cwd=self.root, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, errors="replace", start_new_session=True,
        )  # fmt: skip
        try:
            stdout, stderr = process.communicate(timeout=SECONDS)
        except (subprocess.TimeoutExpired, KeyboardInterrupt):
            # strace does not end the process that it traces when it is ended itself.
            ended(process)
            raise
        return subprocess.CompletedProcess(command, process.returncode, stdout, stderr)

    def calls(self, case: Case) -> dict[str, int]:
        """Returns how often each call is made by the task that makes it most often: strace counts for each task."""
        self.reset()
        self.run(case, ["strace", "-f", "-qq", "-o", str(self.log)])
        counts: collections.Counter = collections.Counter()
        for line in self.log.read_text(errors="replace").splitlines():
            if found := re.match(r"(\d+)\s+(\w+)\(", line):
                counts[found[1], found[2]] += 1
        most: dict[str, int] = {}
        for (_, call), count in counts.items():
            most[call] = max(most.get(call, 0), count)
        return most

    def short(self, call: str, share: str, number: int) -> list[str]:
        """Returns the start of a command line with which the call with this number is short, or all are if it is 0."""
        tool = self.root / "short_write"
        if not tool.exists():
            source = Path(__file__).with_name("short_write.c")
            subprocess.run(["gcc", "-O2", "-Wall", "-Werror", "-o", str(tool), str(source)], check=True)
        return [str(tool), call, share, str(number)]

    def short_calls(self, case: Case) -> dict[str, int]:
        """Returns how many calls of each kind can be short, of all tasks together."""
        counts = {}
        for call in SHORT_CALLS:
            self.reset()
            ran = self.run(case, self.short(call, "half", sys.maxsize))
            counts[call] = int(ran.stderr.split()[-1])
        return counts

    def made(self) -> set[str]:
        """Returns the files of the folder that `generate` writes."""
        root = self.root / "made"
        return {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()}

    def marks(self) -> dict[str, str]:
        """Returns the verdicts in the gradebook, by student, without those that are open."""
        path = self.root / "grades/gradebook.json"
        if not path.exists():
            return {}
        rows = json.loads(path.read_text())["students"]
        return {row["student"]: mark["verdict"] for row in rows for mark in row["marks"] if mark["verdict"]}


def complaint(
    folder: Folder, case: Case, before: list[str], harmless: bool = False, cold: bool = False
) -> str | None:
    """Runs the command with a failure and then without, and returns what does not hold. A run with a harmless failure must end
    as without it. A cold run begins with an empty cache."""
    folder.reset(cold)
    try:
        ran = folder.run(case, before)
    except subprocess.TimeoutExpired:
        if folder.log.exists() and FAILED_WAKE.search(folder.log.read_text(errors="replace")):
            return None
        return f"still running after {SECONDS} s"
    if any(text in ran.stdout + ran.stderr for text in NOT_OURS):
        return None
    if "panicked" in ran.stderr:
        return f"panic: {ran.stderr.strip()[-300:]}"
    if ran.returncode == case.wrong:
        return f"wrong verdict: {ran.stdout.strip()[-300:]}{ran.stderr.strip()[-300:]}"
    if harmless and ran.returncode != case.code:
        return f"exit code {ran.returncode}: {ran.stdout.strip()[-200:]}{ran.stderr.strip()[-300:]}"
    killed = ran.returncode < 0 or ran.returncode == 137
    if not killed and ran.returncode not in (case.code, 2, 3):
        return f"exit code {ran.returncode}: {ran.stdout.strip()[-200:]}{ran.stderr.strip()[-300:]}"
    if not killed and ran.returncode != case.code and not (ran.stderr + ran.stdout).strip():
        return f"exit code {ran.returncode} without a message"
    if case.book and any(EXPECTED[student] != verdict for student, verdict in folder.marks().items()):
        return f"wrong marks: {folder.marks()}"
    if folder.made() not in (set(), folder.complete):
        return f"incomplete folder: {sorted(folder.made())}"
    # `generate` refuses to write into a folder that has files.
    shutil.rmtree(folder.root / "made", ignore_errors=True)
    try:
        again = folder.run(case)
    except subprocess.TimeoutExpired:
        return "the next run does not end"
    if again.returncode != case.code:
        return f"then exit code {again.returncode}: {again.stdout.strip()[-200:]}{again.stderr.strip()[-400:]}"
    if case.book and folder.marks() != EXPECTED:
        return f"then the marks {folder.marks()}"
    return None


def place() -> Path | None:
    """Returns a folder in memory in which programs may be executed, if there is one."""
    if not MEMORY.is_dir():
        return None
    found = os.statvfs(MEMORY)
    return None if found.f_flag & os.ST_NOEXEC or found.f_bavail * found.f_frsize < SPACE else MEMORY


def numbers(count: int, most: int) -> list[int]:
    """Returns at most `most` numbers from 1 to `count`, evenly spaced."""
    step = max(1, -(-count // most))
    return list(range(1, count + 1, step))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nimatron", type=Path, default=ROOT / "target/release/nimatron")
    parser.add_argument("--calls", type=int, default=6, help="calls of each kind that fail (default: 6)")
    parser.add_argument("--only", help="only failures whose name contains this text, such as `ENOSPC` or `kill`")
    args = parser.parse_args()
    rows, failed = [], []
    with tempfile.TemporaryDirectory(dir=place()) as root:
        folder = Folder(Path(root), args.nimatron.resolve())
        for case in CASES:
            calls = folder.calls(case)
            kinds = [(call, error) for call, errors in ERRORS.items() for error in errors if call in calls]
            kinds += [(call, KILL) for call in calls]
            kinds = [(call, error) for call, error in kinds if not args.only or args.only in f"{call} {error}"]
            print(f"{case.name}: {len(kinds)} kinds of failures", file=sys.stderr, flush=True)
            for call, error in kinds:
                done, wrong = 0, 0
                for number in numbers(calls[call], args.calls):
                    if error == KILL:
                        # Only the process itself is traced, so only it is killed.
                        before = ["strace", "-qq", "-o", "/dev/null", "-e", f"inject={call}:signal=KILL:when={number}"]
                    else:
                        inject = f"inject={call}:error={error}:when={number}"
                        before = ["strace", "-f", "-qq", "-o", str(folder.log), "-e", f"trace={call}", "-e", inject]
                    done += 1
                    if what := complaint(folder, case, before):
                        wrong += 1
                        failed.append(f"{case.name}: {call} {error}, call {number}: {what}")
                        print(failed[-1], file=sys.stderr, flush=True)
                rows.append([case.name, call, error, str(done), str(wrong)])
            short = {} if args.only and args.only not in "short" else folder.short_calls(case)
            for call, count in short.items():
                for failure, share in SHORT.items() if count else ():
                    # The number 0 stands for all calls.
                    chosen = [0, *numbers(count, args.calls)]
                    said = [complaint(folder, case, folder.short(call, share, number), harmless=True) for number in chosen]
                    wrong = [(number, what) for number, what in zip(chosen, said) if what]
                    for number, what in wrong:
                        failed.append(f"{case.name}: {call} {failure}, call {number or 'each'}: {what}")
                        print(failed[-1], file=sys.stderr, flush=True)
                    rows.append([case.name, call, failure, str(len(chosen)), str(len(wrong))])
                # With an empty cache, what compilers write is also short.
                if count:
                    what = complaint(folder, case, folder.short(call, "half", 0), harmless=True, cold=True)
                    failed += [f"{case.name}: each {call} short, cold: {what}"] if what else []
                    rows.append([case.name, call, "short, half, cold", "1", str(int(what is not None))])
    print(table([["command", "call", "failure", "runs", "wrong"], *rows]))
    runs = sum(int(row[3]) for row in rows)
    print(f"{runs} runs with a failure, {len(failed)} of them wrong")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
