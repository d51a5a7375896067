//! Repeated tests of judges that are killed at any time, and of values close to limits on a busy machine.
//!
//! Each test does one round or a few; environment variables set a larger number:
//! `NIMATRON_KILLS=200 NIMATRON_EDGES=1000 cargo test --test it endurance:: -- --include-ignored --nocapture`.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a test fails by panicking and prints its figures")]

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use nimatron::model::{Breach, ByteSize, Digest, Execution, Level, TimeSpan};
use nimatron::sandbox::{CellSpec, Mount, Sandbox};

use crate::project::{Project, holds_within};
use crate::sandbox::{sandboxes, shell};

fn asked(variable: &str, else_rounds: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(else_rounds)
}

/// A program that uses the requested resources: `cpu MICROS` or `memory BYTES`.
const USER: &str = r#"
#include <stdlib.h>
#include <string.h>
#include <time.h>
int main(int argc, char **argv) {
    (void)argc;
    long amount = atol(argv[2]);
    if (argv[1][0] == 'c') {
        struct timespec now;
        do clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
        while (now.tv_sec * 1000000 + now.tv_nsec / 1000 < amount);
        return 0;
    }
    volatile char *memory = malloc(amount);
    for (long at = 0; at < amount; at += 4096) memory[at] = 1;
    return 0;
}
"#;

/// One tested limit: the resource, its amount and the expected result.
const EDGES: [(&str, u64, Option<Breach>); 4] = [
    ("cpu", 90_000, None),
    ("cpu", 110_000, Some(Breach::Cpu)),
    ("memory", (64 << 20) / 100 * 95, None),
    ("memory", (64 << 20) / 100 * 105, Some(Breach::Memory)),
];

fn edges(sandbox: &dyn Sandbox, program: &Path, rounds: u64) {
    let mounts = vec![Mount::read(program.parent().unwrap())];
    let mut cell = sandbox.open(&CellSpec { slot: 0, mounts, scratch: ByteSize::mib(1) }).unwrap();
    let mut run = |kind: &str, amount: u64| -> Execution {
        let mut task = shell("");
        task.argv = vec![program.into(), kind.into(), amount.to_string().into()];
        // Allocating memory also takes time, and takes longer on a busy machine.
        task.limits.cpu = if kind == "cpu" { TimeSpan::millis(100) } else { TimeSpan::seconds(2) };
        task.limits.memory = ByteSize::mib(64);
        cell.run(task).unwrap().execution
    };
    let mut most = (TimeSpan::ZERO, TimeSpan::ZERO);
    for round in 0..rounds {
        for (kind, amount, breach) in EDGES {
            let done = run(kind, amount);
            assert_eq!(done.breach, breach, "round {round}, {kind} {amount}, {}: {done:?}", sandbox.isolation().name());
            match (kind, breach) {
                ("cpu", None) => most.0 = most.0.max(done.usage.cpu),
                ("cpu", Some(_)) => most.1 = most.1.max(done.usage.cpu),
                _ => {}
            }
        }
    }
    println!(
        "level {}: {rounds} times each of {} edges right; at 0.9 of the CPU limit at most {}, stopped above it at most at {}",
        sandbox.isolation().name(),
        EDGES.len(),
        most.0,
        most.1
    );
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn limits_are_broken_or_they_are_not_however_busy_the_machine() {
    let dir = tempfile::tempdir().unwrap();
    let source = dir.path().join("user.c");
    fs_err::write(&source, USER).unwrap();
    let program = dir.path().join("user");
    let built = std::process::Command::new("gcc").arg("-O1").arg("-o").arg(&program).arg(&source).status();
    if !built.is_ok_and(|status| status.success()) {
        return println!("skipped: no gcc here");
    }
    let rounds = asked("NIMATRON_EDGES", 1);
    let strongest = std::env::var_os("NIMATRON_EDGES").is_some();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..asked("NIMATRON_BUSY_THREADS", 2) {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let all = sandboxes();
        // Many rounds are run only at the default level.
        let skipped = if strongest { all.len() - 1 } else { 0 };
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            all[skipped..].iter().for_each(|sandbox| edges(&**sandbox, &program, rounds));
        }));
        done.store(true, Ordering::Relaxed);
        result.unwrap();
    });
}

/// A running `nimatron` and the folder for its temporary files.
struct Bench {
    project: Project,
    temporary: tempfile::TempDir,
    marker: String,
}

/// Returns a program that leaves a child process behind and takes some time.
fn lingering(marker: &str) -> String {
    format!(
        "#include <stdio.h>\n#include <unistd.h>\nint main(void) {{ int n, a, s = 0; scanf(\"%d\", &n); \
         while (n-- && scanf(\"%d\", &a) == 1) s += a; if (!fork()) {{ char *v[] = {{\"/bin/sleep\", \"{marker}\", 0}}; \
         execv(v[0], v); }} usleep(2000); printf(\"%d\\n\", s); return 0; }}\n"
    )
}

impl Bench {
    fn new() -> Bench {
        // Tests of one process run in parallel, and each test looks for its own child processes.
        static BENCHES: AtomicU32 = AtomicU32::new(0);
        let number = BENCHES.fetch_add(1, Ordering::Relaxed);
        let marker = format!("{}", 9_000_000 + std::process::id() * 10 + number);
        let project = Project::with_sum().own_cache().file("a.c", lingering(&marker));
        Bench { project, temporary: tempfile::tempdir().unwrap(), marker }
    }

    fn environment(&self) -> [(&str, &str); 1] {
        [("TMPDIR", self.temporary.path().to_str().unwrap())]
    }

    /// Starts a judge, kills it after this time, and returns its process id.
    fn kill_after(&self, delay: Duration) -> u32 {
        let mut judge = self.project.start_with(&["run", "sum", "a.c", "--json"], &self.environment());
        std::thread::sleep(delay);
        judge.kill().unwrap();
        judge.wait().unwrap();
        judge.id()
    }

    /// Asserts that nothing is left of a killed judge with this process id after another judge has started and ended.
    fn check(&self, killed: u32) {
        assert!(holds_within(Duration::from_secs(10), || !self.runs()), "a program outlived its judge");
        let next = self.project.run_with(&["run", "sum", "a.c", "--json"], &self.environment());
        assert_eq!(next.last_json()["verdict"], "AC", "{next:#?}");
        let left: Vec<_> = fs_err::read_dir(self.temporary.path()).unwrap().flatten().map(|e| e.path()).collect();
        assert!(left.is_empty(), "{left:?}");
        assert_eq!(groups_of(killed), Vec::<PathBuf>::new());
        let mounts = fs_err::read_to_string("/proc/self/mounts").unwrap();
        assert!(!mounts.contains(self.temporary.path().to_str().unwrap()), "{mounts}");
        self.check_cache();
    }

    fn runs(&self) -> bool {
        crate::sandbox::is_running(&self.marker)
    }

    /// Checks that the content of every blob matches its name, and that there are no partial files.
    fn check_cache(&self) {
        let blobs = self.project.path("cache/blobs");
        for entry in walkdir::WalkDir::new(&blobs).into_iter().flatten().filter(|entry| entry.file_type().is_file()) {
            let name: String = entry.path().strip_prefix(&blobs).unwrap().to_str().unwrap().replace('/', "");
            let content = fs_err::read(entry.path()).unwrap();
            assert_eq!(name, Digest::of(&content).to_string(), "{}", entry.path().display());
        }
        let cache = walkdir::WalkDir::new(self.project.path("cache")).into_iter().flatten();
        let unfinished = cache
            .filter(|entry| [".new-", ".work-"].iter().any(|p| entry.file_name().to_string_lossy().starts_with(p)));
        assert_eq!(unfinished.map(|entry| entry.into_path()).collect::<Vec<_>>(), Vec::<PathBuf>::new());
    }
}

/// Returns the control groups named after this judge, at any depth.
fn groups_of(pid: u32) -> Vec<PathBuf> {
    // `nimatron-`, then the identity of the process, which begins with the space of its process id.
    let of_judge = |name: &str| name.starts_with("nimatron-") && name.split('-').nth(2) == Some(&pid.to_string());
    let all = walkdir::WalkDir::new("/sys/fs/cgroup").into_iter().flatten();
    all.filter(|entry| of_judge(&entry.file_name().to_string_lossy())).map(|entry| entry.into_path()).collect()
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_judge_that_was_killed_leaves_nothing_after_the_next_start() {
    let bench = Bench::new();
    let rounds = asked("NIMATRON_KILLS", 6);
    let started = Instant::now();
    bench.check(0);
    let whole = started.elapsed();
    let mut random = u64::from(std::process::id()) | 1;
    for round in 0..rounds {
        // Every third round starts with an empty cache, so that the judge is killed while it compiles and generates
        // data.
        let cold = round % 3 == 0;
        if cold {
            fs_err::remove_dir_all(bench.project.path("cache")).unwrap();
        }
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let longest = if cold { whole } else { whole / 3 };
        let delay = Duration::from_micros(random % (longest.as_micros() as u64 + 1));
        let killed = bench.kill_after(delay);
        bench.check(killed);
        if round % 20 == 19 {
            println!("{} judges killed, nothing left", round + 1);
        }
    }
    println!("{rounds} judges killed within {whole:?} of their start, nothing left");
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_judge_that_is_asked_to_end_leaves_nothing() {
    use rustix::process::{Pid, Signal, kill_process};
    let bench = Bench::new();
    bench.check(0);
    for signal in [Signal::TERM, Signal::INT, Signal::HUP] {
        for delay in [3, 20, 60, 150] {
            let mut judge = bench.project.start_with(&["run", "sum", "a.c", "--json"], &bench.environment());
            std::thread::sleep(Duration::from_millis(delay));
            let pid = Pid::from_child(&judge);
            _ = kill_process(pid, signal);
            let asked = Instant::now();
            judge.wait().unwrap();
            assert!(asked.elapsed() < Duration::from_secs(30), "{signal:?} was ignored");
            // The judge cleans up before it exits, not at the next start.
            assert_eq!(groups_of(judge.id()), Vec::<PathBuf>::new(), "{signal:?}");
            let left = fs_err::read_dir(bench.temporary.path()).unwrap().count();
            assert_eq!(left, 0, "{signal:?} after {delay} ms");
            assert!(!bench.runs(), "{signal:?} after {delay} ms");
        }
    }
    bench.check(0);
}

#[test]
fn a_panic_of_the_judge_leaves_nothing() {
    for sandbox in sandboxes().into_iter().filter(|sandbox| sandbox.isolation().level <= Level::B) {
        let marker = format!("{}", 5_000_000 + std::process::id());
        let room = CellSpec { slot: 0, mounts: Vec::new(), scratch: ByteSize::mib(1) };
        let cell = sandbox.open(&room).unwrap();
        let died = std::thread::scope(|scope| {
            let marker = &marker;
            let judge = scope.spawn(move || {
                let mut cell = cell;
                cell.run(shell(&format!("sleep {marker} & sleep 0.05"))).unwrap();
                // Simulates a worker that ends because of a bug.
                let none: Option<u8> = std::hint::black_box(None);
                none.unwrap()
            });
            judge.join().is_err()
        });
        assert!(died && !crate::sandbox::is_running(&marker));
    }
}
