//! What the sandbox costs: the same program by a bare `vfork` + `exec` + `wait4` and in a cell, by turns, in one run.
//!
//! `cargo bench --bench overhead [-- RUNS]`. Ratios are of medians of the same run, so a slow machine slows both.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a bench tells its figures")]

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use nimatron::model::{Bytes, Level, Limits, Span};
use nimatron::sandbox::{Cancel, Cell, Contained, Input, Output, Plain, Room, Sandbox, Task};

const PROGRAM: &str = "int main(void) { return 0; }\n";

fn main() {
    let runs = std::env::args().filter_map(|argument| argument.parse().ok()).next().unwrap_or(1_000_usize);
    let dir = match tempfile::tempdir() {
        Ok(dir) => dir,
        Err(error) => return eprintln!("no place for the program: {error}"),
    };
    for (name, flags) in [("C, static", vec!["-O2", "-static"]), ("C, dynamic", vec!["-O2"])] {
        let program = dir.path().join(name.replace(", ", "-"));
        let source = dir.path().join("a.c");
        let built = fs_err::write(&source, PROGRAM)
            .and_then(|()| Command::new("gcc").args(flags).arg("-o").arg(&program).arg(&source).status());
        if !built.is_ok_and(|status| status.success()) {
            println!("{name}: skipped, gcc does not build it");
            continue;
        }
        println!("{name}, {runs} runs each, medians (p99) in microseconds");
        for pause in [Duration::ZERO, Duration::from_millis(50)] {
            let runs = if pause.is_zero() { runs } else { (runs / 10).max(20) };
            measure(&program, dir.path(), runs, pause);
        }
    }
}

/// Measures every level against the bare run and prints a line for each.
fn measure(program: &std::path::Path, dir: &std::path::Path, runs: usize, pause: Duration) {
    let exe = PathBuf::from(env!("CARGO_BIN_EXE_nimatron"));
    for level in [Level::A, Level::B, Level::C, Level::D] {
        let sandbox: Result<Box<dyn Sandbox>, _> = Cancel::new().and_then(|cancel| match level {
            Level::D => Plain::new(exe.clone(), cancel).map(|sandbox| Box::new(sandbox) as Box<dyn Sandbox>),
            _ => Contained::at(level, exe.clone(), cancel).map(|sandbox| Box::new(sandbox) as Box<dyn Sandbox>),
        });
        let room = Room { slot: 0, mounts: vec![nimatron::sandbox::Mount::read(dir)], scratch: Bytes::mib(16) };
        // Everything on one processor, the bare runs too, as the judge's workers do it.
        let sandbox = sandbox.and_then(|sandbox| nimatron::sandbox::stay_with_slot(0).map(|()| sandbox));
        let cell = sandbox.and_then(|sandbox| sandbox.open(&room).map(|cell| (sandbox, cell)));
        let (_sandbox, mut cell) = match cell {
            Ok(cell) => cell,
            Err(fault) => {
                println!("  {level}: skipped, {fault}");
                continue;
            }
        };
        let (mut bare, mut boxed) = (Vec::new(), Vec::new());
        for _ in 0..runs {
            std::thread::sleep(pause);
            bare.push(bare_run(program));
            std::thread::sleep(pause);
            match cell_run(&mut *cell, program) {
                Some(time) => boxed.push(time),
                None => return println!("  {level}: a run failed"),
            }
        }
        let (bare, boxed) = (Figures::of(bare), Figures::of(boxed));
        println!(
            "  {level}{}: bare {bare}, cell {boxed}: {:.2} times, +{:.0} us",
            if pause.is_zero() { " back to back" } else { " 50 ms apart " },
            boxed.median / bare.median,
            boxed.median - bare.median
        );
    }
}

/// The standard library starts a program without working directory or hooks by `vfork` and waits by `wait4`.
fn bare_run(program: &std::path::Path) -> f64 {
    let started = Instant::now();
    let mut command = Command::new(program);
    command.env_clear().stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let ended = command.spawn().and_then(|mut child| child.wait());
    assert!(ended.is_ok(), "the bare program does not run");
    started.elapsed().as_secs_f64() * 1e6
}

fn cell_run(cell: &mut dyn Cell, program: &std::path::Path) -> Option<f64> {
    let task = Task {
        argv: vec![OsString::from(program)],
        env: Vec::new(),
        dir: None,
        files: Vec::new(),
        take_files: false,
        stdin: Input::Empty,
        stdout: Output::Collect,
        limits: Limits {
            cpu: Span::seconds(1),
            wall: Span::seconds(3),
            memory: Bytes::mib(256),
            output: Bytes::mib(16),
            processes: 16,
        },
        bound_address_space: true,
        keep_stderr: 1_000,
    };
    let started = Instant::now();
    let run = cell.run(task).ok()?;
    let time = started.elapsed().as_secs_f64() * 1e6;
    run.execution.exit.success().then_some(time)
}

struct Figures {
    median: f64,
    p99: f64,
}

impl Figures {
    fn of(mut times: Vec<f64>) -> Figures {
        times.sort_by(f64::total_cmp);
        let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
        Figures { median: at(0.5), p99: at(0.99) }
    }
}

impl std::fmt::Display for Figures {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.0} ({:.0})", self.median, self.p99)
    }
}
