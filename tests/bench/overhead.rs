//! Measures the overhead of the sandbox: runs the same program with `vfork` + `exec` + `wait4` and in a cell,
//! alternately.
//!
//! Run it with `cargo bench --bench overhead [-- RUNS]`. Each ratio is that of two medians from the same run, so the
//! speed of the machine affects both of them.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a benchmark prints its figures")]

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use nimatron::model::{ByteSize, Level, Limits, TimeSpan};
use nimatron::sandbox::{
    Cancel, Cell, CellCommand, CellSpec, ForkServer, Input, Namespaced, Output, RlimitOnly, Sandbox,
};

const PROGRAM: &str = "int main(void) { return 0; }\n";

/// A way to run the program.
enum Way {
    /// A sandbox of Nimatron.
    Ours(String, Box<dyn Sandbox>),
    /// Another sandbox: its name and the arguments that precede the program.
    Others(&'static str, Vec<String>),
}

fn main() {
    let runs = std::env::args().filter_map(|argument| argument.parse().ok()).next().unwrap_or(1_000_usize);
    let dir = match tempfile::tempdir() {
        Ok(dir) => dir,
        Err(error) => return eprintln!("cannot create a folder for the program: {error}"),
    };
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    for (name, flags) in [("C, static", vec!["-O2", "-static"]), ("C, dynamic", vec!["-O2"])] {
        let program = dir.path().join(name.replace(", ", "-"));
        let source = dir.path().join("a.c");
        let built = fs_err::write(&source, PROGRAM)
            .and_then(|()| Command::new("gcc").args(flags).arg("-o").arg(&program).arg(&source).status());
        if !built.is_ok_and(|status| status.success()) {
            println!("{name}: skipped, gcc cannot build it");
            continue;
        }
        println!("{name}, {runs} runs each, medians (p99) in microseconds");
        for (jobs, pause) in [(1, Duration::ZERO), (jobs, Duration::ZERO), (1, APART)] {
            let runs = if pause.is_zero() { runs } else { (runs / 5).max(20) };
            let when = if pause.is_zero() { "back to back" } else { "50 ms apart" };
            println!(" {jobs} at a time, {when}");
            for way in ways() {
                // Other sandboxes take so long that fewer runs are made with them.
                let runs = if matches!(way, Way::Others(..)) { runs / 5 } else { runs };
                way.measure(&program, dir.path(), Plan { runs, jobs, pause });
            }
        }
    }
}

const APART: Duration = Duration::from_millis(50);

#[derive(Clone, Copy)]
struct Plan {
    runs: usize,
    jobs: usize,
    pause: Duration,
}

/// Returns every way that is available on this machine.
fn ways() -> Vec<Way> {
    let server = ForkServer::from(env!("CARGO_BIN_EXE_nimatron"));
    let mut ways = Vec::new();
    let ours = [(Level::A, false), (Level::B, false), (Level::C, false), (Level::D, false), (Level::A, true)];
    for (level, strict) in ours {
        let name = format!("{level}{}", if strict { " strict" } else { "" });
        let sandbox: Result<Box<dyn Sandbox>, _> = Cancel::new().and_then(|cancel| match (level, strict) {
            (Level::D, _) => {
                RlimitOnly::new(server.clone(), cancel).map(|sandbox| Box::new(sandbox) as Box<dyn Sandbox>)
            }
            (_, true) => {
                Namespaced::strict(level, server.clone(), cancel).map(|made| Box::new(made) as Box<dyn Sandbox>)
            }
            _ => Namespaced::at(level, server.clone(), cancel).map(|made| Box::new(made) as Box<dyn Sandbox>),
        });
        match sandbox {
            Ok(sandbox) => ways.push(Way::Ours(name, sandbox)),
            Err(fault) => println!("  {name}: skipped, {fault}"),
        }
    }
    let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let others = [
        (
            "bubblewrap",
            words("bwrap --unshare-all --die-with-parent --ro-bind / / --dev /dev --proc /proc --tmpfs /var"),
        ),
        ("isolate", words("isolate --silent --dir=/tmp --run --")),
    ];
    for (name, command) in others {
        let works = Command::new(&command[0]).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        match works {
            Ok(status) if status.success() => ways.push(Way::Others(name, command)),
            _ => println!("  {name}: not installed"),
        }
    }
    ways
}

impl Way {
    fn name(&self) -> &str {
        match self {
            Way::Ours(name, _) => name,
            Way::Others(name, _) => name,
        }
    }

    /// Measures this way alternately with the bare run, and prints a line.
    fn measure(&self, program: &Path, dir: &Path, plan: Plan) {
        let measured: Vec<_> = std::thread::scope(|scope| {
            let worker = |slot: usize| scope.spawn(move || self.work(slot, program, dir, plan));
            let workers: Vec<_> = (0..plan.jobs).map(worker).collect();
            workers.into_iter().map(|worker| worker.join().unwrap_or(None)).collect()
        });
        let Some(measured) = measured.into_iter().collect::<Option<Vec<_>>>() else {
            return println!("  {:10} does not run the program", self.name());
        };
        let (bare, boxed): (Vec<_>, Vec<_>) = measured.into_iter().unzip();
        let (bare, boxed) = (Figures::of(bare.concat()), Figures::of(boxed.concat()));
        println!(
            "  {:10} bare {bare}, in it {boxed}: {:.2} times, +{:.0} us, p99 +{:.0} us",
            self.name(),
            boxed.median / bare.median,
            boxed.median - bare.median,
            boxed.p99 - bare.p99,
        );
    }

    /// Returns the times of one worker for bare and for sandboxed runs.
    fn work(&self, slot: usize, program: &Path, dir: &Path, plan: Plan) -> Option<(Vec<f64>, Vec<f64>)> {
        // The thread is pinned to one CPU, as the judge's workers are, for bare runs too.
        nimatron::sandbox::pin_to_slot(slot).ok()?;
        let mut cell = match self {
            Way::Ours(_, sandbox) => {
                let mounts = vec![nimatron::sandbox::Mount::read(dir)];
                Some(sandbox.open(&CellSpec { slot, mounts, scratch: ByteSize::mib(16) }).ok()?)
            }
            Way::Others(..) => None,
        };
        let (mut bare, mut boxed) = (Vec::new(), Vec::new());
        for _ in 0..plan.runs {
            std::thread::sleep(plan.pause);
            let mut command = Command::new(program);
            command.env_clear();
            bare.push(bare_run(command)?);
            std::thread::sleep(plan.pause);
            boxed.push(match (self, &mut cell) {
                (Way::Others(_, words), _) => {
                    let mut command = Command::new(&words[0]);
                    command.args(&words[1..]).arg(program);
                    bare_run(command)?
                }
                (Way::Ours(..), Some(cell)) => cell_run(&mut **cell, program)?,
                (Way::Ours(..), None) => return None,
            });
        }
        Some((bare, boxed))
    }
}

/// Runs the program with the standard library, which starts a program without working directory or hooks by `vfork` and
/// waits by `wait4`.
fn bare_run(mut command: Command) -> Option<f64> {
    let started = Instant::now();
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let ended = command.spawn().and_then(|mut child| child.wait()).ok()?;
    let time = started.elapsed().as_secs_f64() * 1e6;
    ended.success().then_some(time)
}

fn cell_run(cell: &mut dyn Cell, program: &Path) -> Option<f64> {
    let task = CellCommand {
        argv: vec![OsString::from(program)],
        env: Vec::new(),
        dir: None,
        files: Vec::new(),
        read_only: Vec::new(),
        take_files: false,
        stdin: Input::Empty,
        stdout: Output::Collect,
        more_pipes: Vec::new(),
        prestart: false,
        limits: Limits {
            cpu: TimeSpan::seconds(1),
            wall: TimeSpan::seconds(3),
            memory: ByteSize::mib(256),
            output: ByteSize::mib(16),
            processes: 16,
        },
        early_stop: None,
        address_space: Some(ByteSize::mib(2048)),
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
