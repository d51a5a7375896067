//! Measures the overhead of `nimatron run`: a trivial C++ program on 200 tiny cases with warm caches.
//!
//! The baseline starts the same program on the same files by vfork, exec and wait, and discards its output. Both are
//! whole processes, measured alternately; the medians and their ratio are printed.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark panics on errors and prints its results")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const CASES: usize = 200;
const ROUNDS: usize = 15;

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
    let write = |name: &str, text: &str| {
        let path = dir.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs_err::write(path, text).unwrap();
    };
    write("problems/next/problem.yaml", SPEC);
    write("solutions/next/accepted/reference.rs", REFERENCE);
    write("next.cpp", PROGRAM);
    let nimatron = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_nimatron"));
        command.args(args).current_dir(dir.path()).env("NIMATRON_CACHE", dir.path().join("cache"));
        assert!(command.stdout(Stdio::null()).status().unwrap().success(), "{args:?}");
    };
    nimatron(&["generate", "next", "--out", "files", "--names", "{n}.in {n}.out"]);
    nimatron(&["run", "next", "next.cpp"]);
    let program = built(&dir.path().join("cache/builds"));
    let inputs: Vec<PathBuf> = (1..=CASES).map(|n| dir.path().join(format!("files/{n}.in"))).collect();
    for jobs in [1, 2] {
        let (mut ours, mut bare) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            bare.push(timed(|| floor(&program, &inputs, jobs)));
            ours.push(timed(|| nimatron(&["run", "next", "next.cpp", "--jobs", &jobs.to_string()])));
        }
        let (ours, bare) = (median(ours), median(bare));
        let ratio = ours.as_secs_f64() / bare.as_secs_f64();
        println!("{CASES} cases, {jobs} at a time: run {ours:.1?}, bare {bare:.1?}, ratio {ratio:.2}");
    }
}

/// Returns the built program: the newer of the two builds, since the reference solution is built first.
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

fn timed(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}
