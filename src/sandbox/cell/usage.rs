//! Measures the resource usage of running processes and of cells.

use std::collections::BTreeSet;
use std::io::{Error, ErrorKind, Result};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use crate::cgroup::reread;
use crate::host::HostStat;
use crate::message::{MemoryCounts, PeakCounter};
use crate::sys::{self, CountedProcesses, CounterEvent, open_counter};

/// The set of processes that belong to a run.
#[derive(Debug)]
pub(super) enum ProcessTree {
    /// All processes of the PID namespace except its init process, which supervises the run.
    Namespace {
        /// The path of a procfs mount that shows the processes of the namespace.
        proc: PathBuf,
    },
    /// The descendants of the cell, which is their subreaper.
    Descendants,
}

/// The current resource usage of a process tree.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct UsageSample {
    /// Total CPU time of the live processes and of the children that they waited for, in microseconds.
    pub(super) cpu_micros: u64,
    /// Sum of the resident sets, in bytes. A shared page counts once for each process.
    pub(super) resident: u64,
    /// The number of processes, including zombies.
    pub(super) processes: u64,
}

impl ProcessTree {
    /// Returns the ids of all processes of the tree, including zombies.
    pub(super) fn members(&self) -> Vec<i32> {
        match self {
            ProcessTree::Namespace { proc } => {
                let Ok(entries) = fs_err::read_dir(proc) else { return Vec::new() };
                let pids = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
                pids.filter(|pid| *pid != 1).collect()
            }
            ProcessTree::Descendants => descendants(),
        }
    }

    fn proc(&self) -> &Path {
        match self {
            ProcessTree::Namespace { proc } => proc,
            ProcessTree::Descendants => Path::new("/proc"),
        }
    }

    /// Measures all processes of the tree.
    pub(super) fn sample(&self) -> UsageSample {
        let mut sum = UsageSample::default();
        for pid in self.members() {
            let dir = self.proc().join(pid.to_string());
            let text = |name: &str| fs_err::read_to_string(dir.join(name)).unwrap_or_default();
            sum.processes += 1;
            sum.cpu_micros += sys::process_cpu(pid).unwrap_or(0) + waited_children_micros(&text("stat"));
            sum.resident += resident_bytes(&text("statm"));
        }
        sum
    }

    /// Returns the maximum over all live threads of the time spent runnable but without a CPU, in microseconds. A wait
    /// that has not ended is not included; see [`ProcessTree::runnable_threads`]. The process `except` is not measured.
    pub(super) fn run_delay_micros(&self, except: Option<i32>) -> u64 {
        let delays = self.threads(except).into_iter().filter_map(|thread| schedstat_field(&thread, 1));
        delays.max().unwrap_or(0) / 1_000
    }

    /// Returns the /proc directory of each thread in state `R` (on a CPU or runnable), and the number of times that the
    /// thread was scheduled on a CPU. If two calls return the same number for a thread, it was not scheduled between
    /// the calls: it kept its CPU or still waits for one. Threads of the process `except` are omitted.
    pub(super) fn runnable_threads(&self, except: Option<i32>) -> BTreeSet<(PathBuf, u64)> {
        let ready =
            |thread: &PathBuf| fs_err::read_to_string(thread.join("stat")).is_ok_and(|stat| state(&stat) == Some('R'));
        let threads = self.threads(except).into_iter().filter(ready);
        threads.filter_map(|thread| schedstat_field(&thread, 2).map(|turns| (thread, turns))).collect()
    }

    /// Returns the /proc directories of all threads of the tree, except those of the process `except`.
    fn threads(&self, except: Option<i32>) -> Vec<PathBuf> {
        let tasks =
            |pid: i32| fs_err::read_dir(self.proc().join(format!("{pid}/task"))).into_iter().flatten().flatten();
        self.members()
            .into_iter()
            .filter(|pid| Some(*pid) != except)
            .flat_map(tasks)
            .map(|thread| thread.path())
            .collect()
    }
}

/// Returns the field with index `place` of a thread's `schedstat` file: the time on a CPU (0, in ns), the time runnable
/// without a CPU (1, in ns), or the number of times that the thread was scheduled on a CPU (2). Returns `None` if the
/// thread has ended or the kernel does not provide the field.
fn schedstat_field(thread: &Path, place: usize) -> Option<u64> {
    let text = fs_err::read_to_string(thread.join("schedstat")).ok()?;
    text.split_ascii_whitespace().nth(place)?.parse().ok()
}

/// Returns the state letter of the process in the contents of /proc/PID/stat, or `None` if the contents are malformed.
fn state(stat: &str) -> Option<char> {
    stat.rsplit_once(')')?.1.trim_start().chars().next()
}

/// Returns the sum of `cutime` and `cstime` in the contents of /proc/PID/stat, in microseconds. The file contains them
/// in units of 10 ms. A missing or malformed field counts as 0.
fn waited_children_micros(stat: &str) -> u64 {
    let after_name = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    after_name.split_ascii_whitespace().skip(13).take(2).filter_map(|word| word.parse::<u64>().ok()).sum::<u64>()
        * 10_000
}

/// Returns the largest resident set that this process has had, in bytes; 0 if it cannot be read. `getrusage` is not used,
/// because its value includes the memory of the process before it executed its program.
pub(super) fn own_resident_peak() -> u64 {
    peak_bytes(&fs_err::read_to_string("/proc/self/status").unwrap_or_default())
}

/// Returns the largest resident set in the contents of /proc/PID/status, in bytes.
fn peak_bytes(status: &str) -> u64 {
    let kib: Option<u64> = status_field(status, "VmHWM:").and_then(|kib| kib.parse().ok());
    kib.unwrap_or(0) * 1024
}

/// Returns the first word of the field `name`, which includes the colon, in the contents of /proc/PID/status.
pub(super) fn status_field<'a>(status: &'a str, name: &str) -> Option<&'a str> {
    status.lines().find_map(|line| line.strip_prefix(name))?.split_ascii_whitespace().next()
}

fn resident_bytes(statm: &str) -> u64 {
    let pages: u64 = statm.split(' ').nth(1).and_then(|word| word.parse().ok()).unwrap_or(0);
    pages * rustix::param::page_size() as u64
}

/// Returns the ids of all descendants of this process, parents before children.
fn descendants() -> Vec<i32> {
    let mut found = children_of(std::process::id() as i32);
    let mut at = 0;
    while at < found.len() {
        let next = children_of(found[at]);
        found.extend(next);
        at += 1;
    }
    found
}

/// Returns the ids of the children of all threads of a process.
fn children_of(pid: i32) -> Vec<i32> {
    let Ok(threads) = fs_err::read_dir(format!("/proc/{pid}/task")) else { return Vec::new() };
    let lists = threads.flatten().filter_map(|thread| fs_err::read_to_string(thread.path().join("children")).ok());
    lists.flat_map(|list| list.split(' ').filter_map(|word| word.parse().ok()).collect::<Vec<i32>>()).collect()
}

/// The kernel's counters for a cell.
#[derive(Debug, Default)]
pub(super) struct CellCounters {
    /// The CPU time counter; `None` without a control group. The control group also limits memory.
    pub(super) cpu: Option<CpuCounter>,
    /// The memory counters; `None` without a control group.
    pub(super) memory: Option<MemoryCounter>,
    /// The instruction counter; `None` unless it was requested.
    pub(super) instructions: Option<InstructionCounter>,
    /// The CPU time counters of the machine; `None` if they cannot be read.
    pub(super) host: Option<HostStat>,
}

impl CellCounters {
    /// Returns the number of instructions executed so far, or `None` if they are not counted.
    pub(super) fn instructions_so_far(&self) -> Result<Option<u64>> {
        self.instructions.as_ref().map(InstructionCounter::count).transpose()
    }

    /// Returns the memory use before a run, or `None` without a control group. Resets the counter of the peak if
    /// possible.
    pub(super) fn begin_memory(&self) -> Result<Option<MemoryCounts>> {
        self.memory.as_ref().map(MemoryCounter::begin).transpose()
    }

    /// Returns the memory use in a run. `before` is the result of [`CellCounters::begin_memory`].
    pub(super) fn end_memory(&self, before: Option<MemoryCounts>) -> Result<Option<MemoryCounts>> {
        let Some((counter, before)) = self.memory.as_ref().zip(before) else { return Ok(None) };
        Ok(Some(MemoryCounts { peak: counter.peak()?, ..before }))
    }

    /// Duplicates the counters in a forked process. Must be called before the system call filter is installed.
    pub(super) fn reopen(&self) -> Result<CellCounters> {
        Ok(CellCounters {
            cpu: self.cpu.as_ref().map(|counter| counter.0.try_clone().map(CpuCounter)).transpose()?,
            memory: self.memory.as_ref().map(MemoryCounter::try_clone).transpose()?,
            instructions: self.instructions.as_ref().map(InstructionCounter::reopen).transpose()?,
            host: self.host.as_ref().map(HostStat::try_clone).transpose()?,
        })
    }
}

/// A counter of an event, usually executed instructions, in all programs that the cell starts.
#[derive(Debug)]
pub(super) struct InstructionCounter {
    total: OwnedFd,
    /// A counter that stays disabled and is not inherited. If two processes have identical sets of counters, the kernel
    /// swaps the sets instead of stopping one and starting the other, so a new program could start the cell's counter.
    /// This additional counter makes the sets different.
    _own: OwnedFd,
    event: CounterEvent,
}

impl InstructionCounter {
    /// Opens the counter. Must be called before the system call filter is installed, which denies
    /// `perf_event_open`.
    pub(super) fn begin(event: CounterEvent) -> Result<InstructionCounter> {
        let (total, own) =
            (open_counter(event, CountedProcesses::Programs)?, open_counter(event, CountedProcesses::None)?);
        Ok(InstructionCounter { total, _own: own, event })
    }

    fn reopen(&self) -> Result<InstructionCounter> {
        let own = open_counter(self.event, CountedProcesses::None)?;
        Ok(InstructionCounter { total: self.total.try_clone()?, _own: own, event: self.event })
    }

    /// Returns the number of events since the counter was opened.
    pub(super) fn count(&self) -> Result<u64> {
        let mut number = [0; 8];
        rustix::io::read(&self.total, &mut number)?;
        Ok(u64::from_ne_bytes(number))
    }
}

/// The CPU time counter of the control group that contains the cell and its programs.
#[derive(Debug)]
pub(super) struct CpuCounter(pub(super) OwnedFd);

impl CpuCounter {
    /// Returns the CPU time of all processes that ever ran in the group, except the calling process (the cell or an
    /// init), in microseconds.
    pub(super) fn micros(&self) -> Result<u64> {
        let text = reread(&self.0)?;
        let total = parse_counter(&text).ok_or_else(|| {
            let message = format!("expected the CPU time counter of a control group, found {text:?}");
            Error::new(ErrorKind::InvalidData, message)
        })?;
        Ok(total.saturating_sub(sys::own_cpu()?))
    }
}

/// Parses the contents of `cpuacct.usage` (a number of nanoseconds) or of `cpu.stat` (first line `usage_usec N`).
/// Returns microseconds, or `None` if the contents are malformed.
fn parse_counter(text: &str) -> Option<u64> {
    match text.strip_prefix("usage_usec ") {
        Some(rest) => rest.lines().next()?.parse().ok(),
        None => text.trim().parse::<u64>().ok().map(|nanos| nanos / 1_000),
    }
}

/// The memory counters of the cell's control group.
#[derive(Debug)]
pub(super) struct MemoryCounter {
    used: OwnedFd,
    /// The counter of the peak; `None` if the kernel has none.
    peak: Option<(OwnedFd, PeakCounter)>,
}

impl MemoryCounter {
    /// Takes the counters from the descriptors of a setup frame. `peak` is [`CellSetup::peak`].
    pub(super) fn take(descriptors: &mut impl Iterator<Item = OwnedFd>, peak: Option<PeakCounter>) -> Option<Self> {
        let used = descriptors.next()?;
        Some(MemoryCounter { used, peak: peak.and_then(|peak| Some((descriptors.next()?, peak))) })
    }

    /// Resets the peak, if possible, and returns the counts before a run.
    fn begin(&self) -> Result<MemoryCounts> {
        let peak_before = match &self.peak {
            Some((file, PeakCounter::Resettable)) => rustix::io::pwrite(file, b"0", 0).map(|_| 0)?,
            // The counter may have risen since the last run, when the cell emptied the writable directories.
            Some((file, PeakCounter::Permanent)) => counter_value(file)?,
            None => 0,
        };
        Ok(MemoryCounts { before: counter_value(&self.used)?, peak_before, peak: 0 })
    }

    /// Returns the counter of the peak in bytes, or 0 if there is none.
    fn peak(&self) -> Result<u64> {
        self.peak.as_ref().map_or(Ok(0), |(file, _)| counter_value(file))
    }

    fn try_clone(&self) -> Result<MemoryCounter> {
        let peak = self.peak.as_ref().map(|(file, peak)| Ok::<_, Error>((file.try_clone()?, *peak))).transpose()?;
        Ok(MemoryCounter { used: self.used.try_clone()?, peak })
    }
}

/// Reads the number of which an open control file consists.
fn counter_value(file: &OwnedFd) -> Result<u64> {
    let text = reread(file)?;
    text.trim().parse().map_err(|_| {
        Error::new(ErrorKind::InvalidData, format!("expected a memory counter of a control group, found {text:?}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_and_their_children_are_counted() {
        // The task clock is counted like instructions, and is also available in virtual machines.
        let counter = match InstructionCounter::begin(CounterEvent::Clock) {
            Ok(counter) => counter,
            Err(error) => return eprintln!("skipped: {error}"),
        };
        let busy = |shell: &str| {
            let before = counter.count().unwrap();
            assert!(std::process::Command::new("sh").args(["-c", shell]).status().unwrap().success());
            counter.count().unwrap() - before
        };
        let loops = |times: u32| format!("i=0; while [ $i -lt {times} ]; do i=$((i+1)); done");
        let (little, much) = (busy(":"), busy(&loops(100_000)));
        assert!(little > 0, "a program uses some time");
        assert!(much > 10 * little, "{much} after {little}");
        assert!(busy(&format!("sh -c '{}'; :", loops(100_000))) > 10 * little, "children are counted");
        let before = counter.count().unwrap();
        (0..1_000_000_u64).for_each(|number| _ = std::hint::black_box(number));
        assert_eq!(counter.count().unwrap(), before, "the cell itself is not counted");
    }

    #[test]
    fn counters_of_both_versions_are_parsed() {
        assert_eq!(parse_counter("123456789\n"), Some(123_456));
        assert_eq!(parse_counter("usage_usec 5000\nuser_usec 4000\n"), Some(5_000));
        assert_eq!(parse_counter("nothing\n"), None);
    }

    #[test]
    fn busy_processes_are_runnable_and_sleeping_ones_are_not() {
        let begun = |program: &str, arguments: &[&str]| {
            let mut command = std::process::Command::new(program);
            command.args(arguments).stdout(std::process::Stdio::null()).spawn().unwrap()
        };
        let is_in_line = |pid: u32| {
            let stat = fs_err::read_to_string(format!("/proc/{pid}/stat")).unwrap();
            state(&stat) == Some('R')
        };
        let (mut busy, mut idle) = (begun("sh", &["-c", "while :; do :; done"]), begun("sleep", &["1000"]));
        // On a busy machine the processes may start late.
        let deadline = std::time::Instant::now() + std::time::Duration::from_secs(60);
        // Both conditions must hold in the same iteration, since a busy process may wait for a page in the next
        // iteration.
        let seen = loop {
            if is_in_line(busy.id()) && !is_in_line(idle.id()) {
                break true;
            }
            if std::time::Instant::now() > deadline {
                break false;
            }
            std::thread::sleep(std::time::Duration::from_millis(1));
        };
        for child in [&mut busy, &mut idle] {
            child.kill().unwrap();
            child.wait().unwrap();
        }
        assert!(seen);
    }

    #[test]
    fn stat_is_parsed_after_any_process_name() {
        let line = "42 (a) b (c)) S 1 42 42 0 -1 4194304 100 0 0 0 7 8 30 4 20 0 1 0 100 0 0";
        assert_eq!(waited_children_micros(line), 340_000);
        assert_eq!(waited_children_micros(""), 0);
        assert_eq!(state(line), Some('S'));
        assert_eq!(state(""), None);
        assert_eq!(resident_bytes("100 3 2 1 0 0 0"), 3 * rustix::param::page_size() as u64);
        assert_eq!(peak_bytes("Name:\tx\nVmPeak:\t  9 kB\nVmHWM:\t    3484 kB\nVmRSS:\t  1 kB\n"), 3484 * 1024);
        assert_eq!(peak_bytes(""), 0);
        assert!(own_resident_peak() > 1 << 20);
    }
}
