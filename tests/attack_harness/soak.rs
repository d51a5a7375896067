//! A soak test: thousands of runs of harmless and hostile programs, two at a time, must leave no traces and must not
//! increase the use of resources.

use std::ffi::OsString;
use std::path::Path;
use std::sync::Barrier;

use nimatron::model::{Breach, ByteSize, Execution, Level, Limits, TimeSpan};
use nimatron::sandbox::{Cell, CellSpec, Mount};

use crate::attack::{Attack, build, happened, task};
use crate::canaries::{Canaries, OuterBound, survivors};
use crate::{ONE_AT_A_TIME, strongest_sandbox};

/// Number of runs if `NIMATRON_SOAK` is not set.
const RUNS: usize = 600;
/// Number of measurements during the test.
const PARTS: usize = 10;
const WORKERS: usize = 2;
/// Tight limits, so that endless programs take little time.
const LIMITS: Limits = Limits {
    cpu: TimeSpan::millis(60),
    wall: TimeSpan::millis(150),
    memory: ByteSize::mib(32),
    output: ByteSize::kib(256),
    processes: 16,
};
/// Limits of the harmless program: it takes a millisecond, and on a busy machine sometimes a hundred.
const AMPLE: Limits = Limits { cpu: TimeSpan::seconds(5), wall: TimeSpan::seconds(10), ..LIMITS };

/// A program of the soak test.
struct Member {
    name: String,
    argv: Vec<OsString>,
    /// The permitted results; `None` for the harmless program, which must print its answer.
    expected: Option<Vec<String>>,
}

/// Output of the harmless program.
const ANSWER: &[u8] = b"500500\n";

fn members(folder: &Path, arguments: &[OsString]) -> Vec<Member> {
    let good = build(&Attack::none(), folder).unwrap();
    let mut members = Vec::new();
    for attack in Attack::all() {
        let Some(expected) = attack.expected_at(Level::A) else { continue };
        // Compilers and interpreters take longer than all other programs together.
        if attack.is_for_compilers() || attack.source.extension().is_some_and(|extension| extension == "py") {
            continue;
        }
        let Some(mut argv) = build(&attack, folder) else { continue };
        argv.extend(arguments.iter().cloned());
        members.push(Member { name: attack.name.clone(), argv, expected: Some(expected.to_vec()) });
        members.push(Member { name: "good".into(), argv: good.clone(), expected: None });
    }
    members
}

/// Returns whether the result is permitted: an expected one, a time limit, since the limits are tight and the machine
/// is busy, or the memory limit. The kernel frees the stack and the task structure of an ended process after an RCU
/// grace period. They count until then, so a program that starts 4,000 processes within its time limit uses 6 to 12 MB,
/// and more on a machine that is so busy that grace periods end late.
fn fits(member: &Member, execution: &Execution, stdout: &[u8]) -> bool {
    match &member.expected {
        None => execution.breach.is_none() && execution.exit.success() && stdout == ANSWER,
        Some(expected) => {
            let breaches = [Breach::Cpu, Breach::Wall, Breach::Starved, Breach::Idle, Breach::Memory];
            execution.breach.is_some_and(|breach| breaches.contains(&breach))
                || expected.iter().any(|outcome| happened(execution, outcome))
        }
    }
}

/// Resources whose use must not grow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Figures {
    resident_kib: u64,
    descriptors: usize,
    processes: usize,
    groups: usize,
    mounts: usize,
    files: usize,
}

impl Figures {
    fn take(temporary: &Path) -> Figures {
        let status = fs_err::read_to_string("/proc/self/status").unwrap();
        let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        let groups = walkdir::WalkDir::new("/sys/fs/cgroup").into_iter().flatten();
        // The names of the groups of cells contain the space of the process id, the process id and the start time.
        let own = format!("-{}-", std::process::id());
        let is_own = |name: &str| name.starts_with("nimatron-") && name.contains(&own);
        Figures {
            resident_kib: resident.trim().trim_end_matches(" kB").parse().unwrap(),
            descriptors: fs_err::read_dir("/proc/self/fd").unwrap().count(),
            processes: descendants(std::process::id()),
            groups: groups.filter(|entry| is_own(&entry.file_name().to_string_lossy())).count(),
            mounts: fs_err::read_to_string("/proc/self/mounts").unwrap().lines().count(),
            files: walkdir::WalkDir::new(temporary).into_iter().count(),
        }
    }
}

/// Returns the number of descendants of this process.
fn descendants(pid: u32) -> usize {
    let threads =
        fs_err::read_dir(format!("/proc/{pid}/task")).map(|tasks| tasks.flatten().collect()).unwrap_or(vec![]);
    let lists = threads.iter().filter_map(|thread| fs_err::read_to_string(thread.path().join("children")).ok());
    let children: Vec<u32> =
        lists.flat_map(|list| list.split_whitespace().map(|pid| pid.parse().unwrap()).collect::<Vec<u32>>()).collect();
    children.iter().map(|child| 1 + descendants(*child)).sum()
}

fn worker(cell: &mut dyn Cell, members: &[Member], first: usize, count: usize) -> Vec<String> {
    let mut wrong = Vec::new();
    for number in 0..count {
        let member = &members[(first + number) % members.len()];
        let limits = if member.expected.is_some() { LIMITS } else { AMPLE };
        match cell.run(task(member.argv.clone(), limits)) {
            Ok(run) => {
                let said = format!("{}{}", String::from_utf8_lossy(&run.stdout), run.execution.stderr.text);
                if !fits(member, &run.execution, &run.stdout) || said.contains("ESCAPED") {
                    wrong.push(format!("{}: {:?}, {said:.300}", member.name, run.execution));
                }
            }
            Err(fault) => wrong.push(format!("{}: {fault}", member.name)),
        }
    }
    wrong
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn a_soak_of_good_and_hostile_programs_leaves_nothing_and_does_not_grow() {
    let runs = std::env::var("NIMATRON_SOAK").ok().and_then(|text| text.parse().ok()).unwrap_or(RUNS);
    let _turn = ONE_AT_A_TIME.lock();
    let _bound = OuterBound::enter();
    let strict = std::env::var_os("NIMATRON_SOAK_STRICT").is_some();
    let Some(sandbox) = strongest_sandbox(strict) else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut canaries = Canaries::new();
    let members = members(folder.path(), &canaries.arguments());
    let open = |slot| {
        let mounts = vec![Mount::read(folder.path())];
        sandbox.open(&CellSpec { slot, mounts, scratch: ByteSize::mib(16) }).unwrap()
    };
    let mut cells: Vec<Box<dyn Cell>> = (0..WORKERS).map(open).collect();
    let barrier = Barrier::new(WORKERS);
    let (mut wrong, mut figures) = (Vec::new(), Vec::new());
    for part in 0..=PARTS {
        std::thread::scope(|scope| {
            let workers = cells.iter_mut().enumerate().map(|(slot, cell)| {
                let (members, barrier) = (&members, &barrier);
                scope.spawn(move || {
                    barrier.wait();
                    // The workers start at positions far apart in the list, so that harmless programs run next to
                    // hostile ones.
                    let share = runs / PARTS / WORKERS;
                    let first = part * share + slot * (members.len() / WORKERS + 1);
                    worker(&mut **cell, members, first, if part == 0 { members.len() } else { share })
                })
            });
            for worker in workers.collect::<Vec<_>>() {
                wrong.extend(worker.join().unwrap());
            }
        });
        let now = Figures::take(folder.path());
        println!("after {} runs: {now:?}", if part == 0 { 0 } else { part * (runs / PARTS) });
        figures.push(now);
        wrong.extend(survivors(folder.path()).into_iter().map(|left| format!("still running: {left}")));
    }
    let done = cells[0].run(task(members[1].argv.clone(), LIMITS)).unwrap();
    wrong.extend(canaries.alarms(&done));
    assert!(wrong.is_empty(), "{} of {runs}:\n{}", wrong.len(), wrong.join("\n"));
    let (first, last) = (figures[0], figures[PARTS]);
    const NOISE_KIB: u64 = 2_048;
    assert!(last.resident_kib <= first.resident_kib + NOISE_KIB, "the judge grew: {figures:?}");
    assert_eq!(Figures { resident_kib: 0, ..last }, Figures { resident_kib: 0, ..first });
    drop(cells);
    drop(sandbox);
    assert_eq!(Figures::take(folder.path()).groups, 0);
    assert_eq!(descendants(std::process::id()), 1, "only the canary is left");
}
