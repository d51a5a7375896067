//! Measures `nimatron run` against a baseline and against other judges: a static C++ program on 200 tiny cases, as
//! whole processes with warm caches.
//!
//! The baseline starts the same program on the same files by vfork, exec and wait, and discards its output. Nimatron,
//! the baseline and the other judges are measured in turn, and the medians and their ratios are printed. Run it with
//! `cargo bench --bench peers`. The other judges (`oj`, problemtools and BAPCtools) are installed from PyPI into a
//! separate folder below `target`; a judge that can't be installed is reported and skipped.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark panics on errors and prints its results")]

mod support;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use support::{Folder, median, timed};

const CASES: usize = 200;
/// Number of rounds for Nimatron, and for other judges, which take seconds per round.
const ROUNDS: usize = 15;
const PEER_ROUNDS: usize = 7;

const SPEC: &str = "\
name: Next
input: [{ a: 1..=200 }]
answer: [{ b: 2..=201 }]
tests: { tiny: { every: {} } }
";
const REFERENCE: &str = "\
fn main() {
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).unwrap();
    println!(\"{}\", line.trim().parse::<i32>().unwrap() + 1);
}
";
const PROGRAM: &str = "\
#include <iostream>
int main() { int a; std::cin >> a; std::cout << a + 1 << std::endl; }
";

fn main() {
    let dir = tempfile::tempdir().unwrap();
    let folder = Folder { root: dir.path().to_owned() };
    folder.write("problems/next/problem.yaml", SPEC);
    folder.write("solutions/next/accepted/reference.rs", REFERENCE);
    folder.write("next.cpp", PROGRAM);
    folder.nimatron(&["generate", "next", "--out", "files", "--names", "{n}.in {n}.out"]);
    folder.nimatron(&["run", "next", "next.cpp"]);
    let program = built(&folder.root.join("cache/builds"));
    let inputs: Vec<PathBuf> = (1..=CASES).map(|n| folder.root.join(format!("files/{n}.in"))).collect();
    against_bare(&folder, &program, &inputs);
    one_case(&folder, &program, &inputs);
    for peer in peers(&folder, &program) {
        against_peer(&folder, &peer);
    }
}

impl Folder {
    /// Writes an ICPC package with the cases and the program.
    fn package(&self, name: &str, spec: &str) {
        self.write(&format!("{name}/problem.yaml"), spec);
        self.write(&format!("{name}/submissions/accepted/next.cpp"), PROGRAM);
        self.write(&format!("{name}/statement/problem.en.tex"), "\\problemname{Next}\n");
        self.cases(&format!("{name}/data/secret"), "ans");
    }

    fn cases(&self, folder: &str, answer: &str) {
        for n in 1..=CASES {
            self.write(&format!("{folder}/{n:03}.in"), &format!("{n}\n"));
            self.write(&format!("{folder}/{n:03}.{answer}"), &format!("{}\n", n + 1));
        }
    }
}

fn against_bare(folder: &Folder, program: &Path, inputs: &[PathBuf]) {
    for jobs in [1, 2] {
        let (mut ours, mut bare) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            bare.push(timed(|| floor(program, inputs, jobs)));
            ours.push(timed(|| folder.nimatron(&["run", "next", "next.cpp", "--jobs", &jobs.to_string()])));
        }
        let (ours, bare) = (median(ours), median(bare));
        let ratio = ours.as_secs_f64() / bare.as_secs_f64();
        println!("{CASES} cases, {jobs} at a time: run {ours:.1?}, bare {bare:.1?}, ratio {ratio:.2}");
    }
}

/// Measures the overhead of the tool: `run` on one case compared with the bare program, and `list`.
fn one_case(folder: &Folder, program: &Path, inputs: &[PathBuf]) {
    let (mut bare, mut list, mut run) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        bare.push(timed(|| floor(program, &inputs[..1], 1)));
        list.push(timed(|| folder.nimatron(&["list"])));
        run.push(timed(|| folder.nimatron(&["run", "next", "next.cpp", "--case", "tiny/001"])));
    }
    let (bare, list, run) = (median(bare), median(list), median(run));
    println!(
        "one case: the program {bare:.1?}, run {run:.1?}, more by {:.1?}; list {list:.1?}",
        run.saturating_sub(bare)
    );
}

/// Another judge: its name, its command, and the command of Nimatron that does the same work.
struct Peer {
    name: &'static str,
    command: Vec<String>,
    dir: PathBuf,
    ours: Vec<&'static str>,
}

impl Peer {
    /// Judges once. Returns `None` if the other judge does not work on this machine.
    fn judge(&self, folder: &Folder) -> Option<()> {
        let mut command = Command::new(&self.command[0]);
        // The temporary files of the judge are removed with the folder.
        let temporary = folder.root.join("temporary");
        std::fs::create_dir_all(&temporary).unwrap();
        command.args(&self.command[1..]).current_dir(&self.dir).env("TMPDIR", &temporary).env("HOME", &temporary);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success()).then_some(())
    }
}

/// Installs the other judges, and returns those that work.
fn peers(folder: &Folder, program: &Path) -> Vec<Peer> {
    let venv = Path::new(env!("CARGO_TARGET_TMPDIR")).join("peers");
    let bin = |name: &str| venv.join("bin").join(name).display().to_string();
    let quiet = |command: &mut Command| {
        command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|end| end.success())
    };
    if !venv.join("bin/pip").exists() && !quiet(Command::new("python3").args(["-m", "venv"]).arg(&venv)) {
        println!("other judges: skipped, `python3 -m venv` does not work");
        return Vec::new();
    }
    folder.package("legacy", "problem_format_version: legacy\nname: Next\n");
    let uuid = "uuid: 00000000-0000-4000-8000-000000000000";
    let limits = "limits: { time_limit: 1.0 }";
    folder
        .package("draft", &format!("problem_format_version: 2025-09\nname: Next\ntype: pass-fail\n{uuid}\n{limits}\n"));
    let words = |command: String, args: &str| {
        std::iter::once(command).chain(args.split(' ').map(str::to_owned)).collect::<Vec<_>>()
    };
    folder.cases("samples", "out");
    let oj_args = format!("test -S -d samples -c {}", program.display());
    let all = [
        ("online-judge-tools", "oj", words(bin("oj"), &oj_args), ".", vec!["run", "next", "next.cpp"]),
        (
            "problemtools",
            "verifyproblem",
            words(bin("verifyproblem"), "-p submissions -s next.cpp ."),
            "legacy",
            vec!["run", "legacy", "next.cpp"],
        ),
        (
            "bapctools",
            "bt run",
            words(bin("bt"), "run -G -S -B submissions/accepted/next.cpp"),
            "draft",
            vec!["run", "draft", "next.cpp"],
        ),
    ];
    let mut peers = Vec::new();
    for (package, name, command, dir, ours) in all {
        if !Path::new(&command[0]).exists() && !quiet(Command::new(bin("pip")).args(["install", package])) {
            println!("{name}: skipped, `pip install {package}` does not work");
            continue;
        }
        let peer = Peer { name, command, dir: folder.root.join(dir), ours };
        // The first run fills the caches of the judge.
        match peer.judge(folder) {
            Some(()) => peers.push(peer),
            None => println!("{name}: skipped, it does not judge the program: {}", peer.command.join(" ")),
        }
    }
    peers
}

fn against_peer(folder: &Folder, peer: &Peer) {
    folder.nimatron(&peer.ours);
    let (mut theirs, mut ours) = (Vec::new(), Vec::new());
    for _ in 0..PEER_ROUNDS {
        theirs.push(timed(|| peer.judge(folder).unwrap()));
        ours.push(timed(|| folder.nimatron(&peer.ours)));
    }
    let (theirs, ours) = (median(theirs), median(ours));
    let ratio = theirs.as_secs_f64() / ours.as_secs_f64();
    println!("{CASES} cases, {}: {theirs:.2?}, nimatron {ours:.1?}, {ratio:.1} times as fast", peer.name);
}

/// Returns the built program, which is the newer of the two builds, since the reference solution is built first.
fn built(builds: &Path) -> PathBuf {
    let is_program = |path: &PathBuf| {
        use std::os::unix::fs::PermissionsExt;
        std::fs::metadata(path).is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
    };
    let files = walkdir::WalkDir::new(builds).into_iter().map(|entry| entry.unwrap().into_path()).filter(is_program);
    files.max_by_key(|path| std::fs::metadata(path).unwrap().modified().unwrap()).unwrap()
}

fn floor(program: &Path, inputs: &[PathBuf], jobs: usize) {
    let next = std::sync::atomic::AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                while let Some(input) = inputs.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed)) {
                    let input = std::fs::File::open(input).unwrap();
                    let mut command = Command::new(program);
                    assert!(command.stdin(input).stdout(Stdio::null()).status().unwrap().success());
                }
            });
        }
    });
}
