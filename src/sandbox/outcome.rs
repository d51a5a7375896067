//! Computes the [`Execution`] of a run from the cell's reply, the captured streams and the counters of the control
//! group.

use super::message::{RunReply, StopReason};
use crate::model::{Breach, ByteSize, Capture, Execution, Exit, Limits, TimeSpan, Usage};

/// The memory in bytes below which no program can start: `exec` needs pages for the stack and for page tables. If it gets none,
/// the kernel kills the process with SIGSEGV.
const START_MEMORY: u64 = 64 << 10;

/// Counters of a control group, in total or for one run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct CgroupCounts {
    /// The peak of the memory use, in bytes.
    pub(super) peak: u64,
    /// The number of kills by the kernel's OOM killer.
    pub(super) killed: u64,
    /// The number of process creations that the process limit prevented.
    pub(super) refused: u64,
}

/// The measurements of a run, and the limits with which they are compared.
#[derive(Debug, Clone)]
pub(super) struct RunFacts<'a> {
    pub(super) reply: &'a RunReply,
    pub(super) limits: &'a Limits,
    /// The number of bytes read from standard output and standard error.
    pub(super) streamed: u64,
    /// Whether standard output and standard error together exceeded the output limit.
    pub(super) over_limit: bool,
    pub(super) group: Option<CgroupCounts>,
}

/// Computes the execution of a run. `stderr` is the captured standard error of the program.
pub(super) fn execution(facts: &RunFacts<'_>, stderr: Capture) -> Execution {
    let reply = facts.reply;
    let usage = Usage {
        cpu: TimeSpan::micros(reply.cpu_micros),
        wall: TimeSpan::micros(reply.wall_micros),
        memory: ByteSize::new(facts.group.map_or(reply.resident, |group| peak(group.peak, reply.resident))),
        instructions: reply.instructions,
    };
    Execution { exit: exit(reply.status), breach: breach(facts), usage, stderr }
}

/// Returns the peak memory in bytes: the control group's peak `counted`, corrected by the largest resident set. The
/// kernel charges memory to a group in batches, so its counter may be too low by up to `COUNTER_ERROR`, and small
/// programs would appear to use no memory.
fn peak(counted: u64, resident: u64) -> u64 {
    counted.max(resident.min(counted.saturating_add(super::cgroup::COUNTER_ERROR)))
}

fn exit(status: i32) -> Exit {
    if libc::WIFSIGNALED(status) { Exit::Signal(libc::WTERMSIG(status)) } else { Exit::Code(libc::WEXITSTATUS(status)) }
}

/// Returns the limit that a run exceeded, if any. If the cell stopped the program at its CPU, memory or process limit,
/// this limit is returned. Otherwise, the result depends on the amount of output, the counters, the reason for the stop
/// and the exit status.
fn breach(facts: &RunFacts<'_>) -> Option<Breach> {
    let (reply, limits) = (facts.reply, facts.limits);
    let out_of_memory = facts.group.map_or(reply.resident > limits.memory.get(), |group| group.killed > 0);
    let cannot_start = limits.memory.get() < START_MEMORY && exit(reply.status) == Exit::Signal(libc::SIGSEGV);
    let over_output = facts.over_limit || facts.streamed.saturating_add(reply.files) > limits.output.get();
    match reply.stopped {
        StopReason::Cpu => return Some(Breach::Cpu),
        StopReason::Memory => return Some(Breach::Memory),
        StopReason::Processes => return Some(Breach::Processes),
        _ if facts.over_limit => return Some(Breach::Output),
        _ => {}
    }
    if out_of_memory || cannot_start {
        return Some(Breach::Memory);
    }
    if reply.cpu_micros > limits.cpu.as_micros() {
        return Some(Breach::Cpu);
    }
    if matches!(reply.stopped, StopReason::Wall | StopReason::WallRunnable) {
        return Some(late(reply));
    }
    if over_output || reply.stopped == StopReason::Judge || exit(reply.status) == Exit::Signal(libc::SIGXFSZ) {
        return Some(Breach::Output);
    }
    if exit(reply.status) == Exit::Signal(libc::SIGSYS) {
        return Some(Breach::Syscall);
    }
    let refused = facts.group.is_some_and(|group| group.refused > 0);
    (refused && !exit(reply.status).success()).then_some(Breach::Processes)
}

/// Classifies a run that exceeded its wall limit. The program was idle if it was running or runnable for less than half
/// of its wall time, and no thread was runnable when the limit was reached. It was starved if it was running or
/// runnable for at least half of its wall time, but running for less than a quarter. Otherwise, the result is
/// [`Breach::Wall`].
fn late(reply: &RunReply) -> Breach {
    let busy = reply.cpu_micros.saturating_add(reply.run_delay_micros);
    match busy.saturating_mul(2) >= reply.wall_micros {
        true if reply.cpu_micros.saturating_mul(4) < reply.wall_micros => Breach::Starved,
        true => Breach::Wall,
        false if reply.stopped == StopReason::WallRunnable => Breach::Wall,
        false => Breach::Idle,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits {
        cpu: TimeSpan::seconds(1),
        wall: TimeSpan::seconds(3),
        memory: ByteSize::mib(64),
        output: ByteSize::kib(1),
        processes: 4,
    };
    const KILLED: i32 = libc::SIGKILL;

    fn breach_of(reply: &RunReply, streamed: u64, over_limit: bool, group: Option<CgroupCounts>) -> Option<Breach> {
        breach(&RunFacts { reply, limits: &LIMITS, streamed, over_limit, group })
    }

    #[test]
    fn each_exceeded_limit_gives_its_breach() {
        let base = RunReply { cpu_micros: 1_000, wall_micros: 2_000, resident: 1 << 20, ..RunReply::default() };
        let with = |change: &dyn Fn(&mut RunReply)| {
            let mut reply = base.clone();
            change(&mut reply);
            breach_of(&reply, 0, false, None)
        };
        assert_eq!(with(&|_| {}), None);
        assert_eq!(with(&|r| r.status = 3 << 8), None);
        assert_eq!(with(&|r| r.status = libc::SIGSEGV), None);
        assert_eq!(with(&|r| r.stopped = StopReason::Cpu), Some(Breach::Cpu));
        assert_eq!(with(&|r| r.cpu_micros = 1_000_001), Some(Breach::Cpu));
        assert_eq!(with(&|r| r.cpu_micros = 1_000_000), None);
        assert_eq!(with(&|r| r.stopped = StopReason::Memory), Some(Breach::Memory));
        assert_eq!(with(&|r| r.stopped = StopReason::Processes), Some(Breach::Processes));
        assert_eq!(with(&|r| r.resident = (64 << 20) + 1), Some(Breach::Memory));
        assert_eq!(with(&|r| r.status = libc::SIGXFSZ), Some(Breach::Output));
        assert_eq!(with(&|r| r.files = 1_025), Some(Breach::Output));
        assert_eq!(with(&|r| r.status = libc::SIGSYS), Some(Breach::Syscall));
        let late = |cpu: u64, waited: u64| {
            with(&|r| {
                (r.stopped, r.status, r.wall_micros) = (StopReason::Wall, KILLED, 3_000_100);
                (r.cpu_micros, r.run_delay_micros) = (cpu, waited);
            })
        };
        assert_eq!(late(10_000, 0), Some(Breach::Idle));
        assert_eq!(late(900_000, 2_000_000), Some(Breach::Wall));
        assert_eq!(late(700_000, 2_000_000), Some(Breach::Starved));
        assert_eq!(with(&|r| (r.stopped, r.wall_micros) = (StopReason::WallRunnable, 3_000_100)), Some(Breach::Wall));
    }

    #[test]
    fn a_program_that_cannot_start_exceeds_the_memory_limit() {
        let reply = RunReply { status: libc::SIGSEGV, ..RunReply::default() };
        let at = |memory| {
            let limits = Limits { memory, ..LIMITS };
            let group = Some(CgroupCounts::default());
            breach(&RunFacts { reply: &reply, limits: &limits, streamed: 0, over_limit: false, group })
        };
        assert_eq!(at(ByteSize::kib(1)), Some(Breach::Memory));
        assert_eq!(at(ByteSize::kib(64)), None);
    }

    #[test]
    fn peak_correction_is_bounded_by_the_counter_error() {
        assert_eq!(peak(0, 600_000), 600_000);
        assert_eq!(peak(50 << 20, 90 << 20), 51 << 20);
        assert_eq!(peak(50 << 20, 10 << 20), 50 << 20);
    }

    #[test]
    fn streams_and_files_share_one_limit() {
        let reply = RunReply { files: 500, ..RunReply::default() };
        assert_eq!(breach_of(&reply, 524, false, None), None);
        assert_eq!(breach_of(&reply, 525, false, None), Some(Breach::Output));
        assert_eq!(breach_of(&RunReply::default(), 1_025, true, None), Some(Breach::Output));
    }

    #[test]
    fn oom_kill_is_a_memory_breach_for_any_exit_code() {
        let group = |killed, refused| Some(CgroupCounts { peak: 9, killed, refused });
        assert_eq!(breach_of(&RunReply::default(), 0, false, group(1, 0)), Some(Breach::Memory));
        // With a control group the resident set is not compared with the limit.
        let big = RunReply { resident: 1 << 30, ..RunReply::default() };
        assert_eq!(breach_of(&big, 0, false, group(0, 0)), None);
        assert_eq!(
            breach_of(&RunReply::default(), 0, false, group(0, 5)),
            None,
            "a refused process does not matter if the program succeeds"
        );
        let failed = RunReply { status: 1 << 8, ..RunReply::default() };
        assert_eq!(breach_of(&failed, 0, false, group(0, 5)), Some(Breach::Processes));
    }
}
