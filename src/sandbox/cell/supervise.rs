//! Supervises one run in the cell: starts the program, enforces its limits, kills its processes, and measures their
//! resource usage.

use std::cell::Cell;
use std::io::{Error, Result};
use std::os::fd::{AsRawFd, OwnedFd};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::prestart::Prestart;
use super::replies::UnsentReplies;
use super::usage::{CellCounters, CpuCounter, ProcessTree, UsageSample, own_resident_peak};
use super::wall_clock::WallClock;
use crate::message::{RunReply, RunRequest, StopReason};
use crate::model::{MachineLoad, TimeSpan};
use crate::sys::{self, Launch};
use crate::wire::{self, FrameKind};

/// The interval between memory checks if there is no control group.
const MEMORY_TICK: Duration = Duration::from_millis(10);
/// The minimum interval between CPU time checks.
const CPU_TICK_MIN: Duration = Duration::from_micros(200);
/// The size of the description of a signal, which is read from a descriptor for signals.
const SIGNAL_INFO: usize = 128;
/// Time within which killed processes must exit. A process that takes longer is stuck in the kernel.
const REAP_MAX: Duration = Duration::from_secs(10);

/// The cell's resources for supervising runs: the sockets to the judge, the process tree, the kernel counters and the
/// number of CPUs.
#[derive(Debug)]
pub(super) struct Supervisor {
    /// The results that have not been sent to the judge, and the socket on which they are sent.
    pub(super) replies: UnsentReplies,
    /// The socket on which the judge stops a run and asks for results. Requests arrive on another socket, so that those
    /// of queued runs do not wake the cell.
    pub(super) control: OwnedFd,
    /// The descriptor from which SIGCHLD is read; see [`sys::child_signals`].
    pub(super) child_signals: OwnedFd,
    /// The processes that belong to a run, and the prestarted process.
    pub(super) tree: ProcessTree,
    /// The prestarted program.
    pub(super) prestart: Prestart,
    /// The kernel counters.
    pub(super) counters: CellCounters,
    /// The number of CPUs that programs may use.
    pub(super) processors: u32,
    /// The value of the CPU time counter after the last run, in microseconds. It is the value before a queued run, since
    /// it does not include the time of the cell.
    pub(super) counted: Cell<u64>,
}

impl Supervisor {
    /// Creates a supervisor without counters for one CPU. `sockets` are the unsent replies and the control socket.
    pub(super) fn begin((replies, control): (UnsentReplies, OwnedFd), tree: ProcessTree) -> Result<Supervisor> {
        let (child_signals, counters, counted) = (sys::child_signals()?, CellCounters::default(), Cell::default());
        let prestart = Prestart::default();
        Ok(Supervisor { replies, control, child_signals, tree, prestart, counters, processors: 1, counted })
    }

    fn host_cpu_time(&self) -> Option<(TimeSpan, usize)> {
        self.counters.host.as_ref()?.cpu_time()
    }
}

/// A run in progress.
struct SupervisedRun<'a> {
    supervisor: &'a Supervisor,
    request: &'a RunRequest,
    number: u64,
    pid: i32,
    started: Instant,
    /// The CPU time counter's value at the start of the run, in microseconds.
    counted: u64,
    /// The CPU time of the machine at the start of the run, if it is measured; see [`RunRequest::early_micros`].
    host_start: Option<TimeSpan>,
    /// Total CPU time of the processes reaped so far, in microseconds.
    reaped_micros: u64,
    /// The highest CPU time that was measured, in microseconds. Unlike `reaped_micros`, this value includes processes that
    /// were never waited for.
    measured_micros: u64,
    resident: u64,
    /// The number of processes reaped so far.
    processes: u64,
    /// Whether the cell may have children. A cell without children has no processes of the run.
    has_children: bool,
    status: Option<i32>,
    run_delay_micros: u64,
}

/// Runs a program until it exits or exceeds a limit, then kills the remaining processes.
pub(super) fn run(supervisor: &Supervisor, request: &RunRequest, number: u64, launch: Launch) -> Result<RunReply> {
    let counted = match request.after_plain {
        true => supervisor.counted.get(),
        false => supervisor.counters.cpu.as_ref().map_or(Ok(0), CpuCounter::micros)?,
    };
    let instructions_so_far = supervisor.counters.instructions_so_far()?;
    let host_start = request.early_micros.and_then(|_| supervisor.host_cpu_time()).map(|(time, _)| time);
    let started = Instant::now();
    let forked = supervisor.prestart.fork(&launch.streams)?;
    let pid = match forked.map_or_else(|| sys::spawn(&launch), |pid| Ok(sys::Spawned::Running(pid)))? {
        sys::Spawned::Running(pid) => pid,
        sys::Spawned::Failed(failure) => return Ok(RunReply { failure: Some(failure), ..RunReply::default() }),
    };
    // Dropping `launch` closes the cell's write ends of the streams. Otherwise, the judge would not observe the end of
    // the streams.
    drop(launch);
    let mut run = SupervisedRun {
        supervisor,
        request,
        number,
        pid,
        started,
        counted,
        host_start,
        reaped_micros: 0,
        measured_micros: 0,
        resident: 0,
        processes: 0,
        has_children: true,
        status: None,
        run_delay_micros: 0,
    };
    let stopped = run.watch_until_end()?;
    let wall = started.elapsed();
    run.end_all()?;
    let executed_now = supervisor.counters.instructions_so_far()?;
    Ok(RunReply {
        failure: None,
        instructions: instructions_so_far.zip(executed_now).map(|(before, after)| after.saturating_sub(before)),
        status: run.status.unwrap_or(libc::SIGKILL),
        stopped,
        cpu_micros: run.cpu_at_end()?,
        wall_micros: wall.as_micros() as u64,
        run_delay_micros: run.run_delay_micros,
        resident: run.resident_peak(),
        memory: None,
        processes: run.processes,
        files: 0,
        cell_error: run.status.is_none().then(|| "the exit status of the program was lost".to_owned()),
    })
}

impl SupervisedRun<'_> {
    fn watch_until_end(&mut self) -> Result<StopReason> {
        let mut cpu_limit = CpuLimit::new(self.request);
        let Supervisor { tree, prestart, .. } = self.supervisor;
        let mut clock = WallClock::new((tree, prestart), Duration::from_micros(self.request.wall_micros));
        let mut next_cpu = cpu_limit.next / self.supervisor.processors.max(1);
        let mut next_memory = if self.supervisor.counters.cpu.is_none() { MEMORY_TICK } else { Duration::MAX };
        loop {
            let elapsed = self.started.elapsed();
            if elapsed >= clock.next_check() {
                // On a busy machine, this check may occur late, when the program has already exited within its limit.
                if self.has_ended()? {
                    return Ok(StopReason::Exited);
                }
                let cpu = self.cpu_now(&self.sample())?;
                if cpu_limit.is_exceeded(cpu, || self.is_disturbed(cpu)) {
                    return Ok(StopReason::Cpu);
                }
                let over = clock.is_expired(elapsed);
                self.run_delay_micros = clock.run_delay_micros();
                if over {
                    return Ok(if clock.was_runnable() { StopReason::WallRunnable } else { StopReason::Wall });
                }
            }
            if elapsed >= next_cpu.min(next_memory) {
                let sample = self.sample();
                if sample.resident > self.request.memory {
                    return Ok(StopReason::Memory);
                }
                // In a cell with its own namespaces, the kernel enforces the process limit.
                if matches!(self.supervisor.tree, ProcessTree::Descendants) && sample.processes > self.request.processes
                {
                    return Ok(StopReason::Processes);
                }
                let cpu = self.cpu_now(&sample)?;
                if cpu_limit.is_exceeded(cpu, || self.is_disturbed(cpu)) {
                    return Ok(StopReason::Cpu);
                }
                // Even if it keeps all its CPUs busy, the program can't exceed the CPU limit before this time, unless
                // it could do so within `CPU_TICK_MIN`.
                next_cpu = elapsed + ((cpu_limit.next - cpu) / self.supervisor.processors.max(1)).max(CPU_TICK_MIN);
                if elapsed >= next_memory {
                    next_memory = elapsed + MEMORY_TICK;
                }
                if self.has_ended()? {
                    return Ok(StopReason::Exited);
                }
            }
            let until = clock.next_check().min(next_cpu).min(next_memory).saturating_sub(elapsed);
            if let Some(stopped) = self.sleep(until)? {
                return Ok(stopped);
            }
        }
    }

    /// Returns true if other processes of the machine disturbed the run so far. Returns false if the load of the machine
    /// cannot be measured.
    fn is_disturbed(&self, cpu: Duration) -> bool {
        let Some((start, (now, processors))) = self.host_start.zip(self.supervisor.host_cpu_time()) else {
            return false;
        };
        let busy = TimeSpan::micros(now.as_micros().saturating_sub(start.as_micros()));
        MachineLoad { busy, own: TimeSpan::from(cpu), processors }.disturbs(self.started.elapsed().into(), false)
    }

    /// Sleeps until the program exits, a frame arrives or the duration `until` has passed. Returns the reason why the
    /// run ends, or `None` if it continues.
    fn sleep(&mut self, until: Duration) -> Result<Option<StopReason>> {
        let timeout = Timespec { tv_sec: until.as_secs() as i64, tv_nsec: i64::from(until.subsec_nanos()) };
        let Supervisor { child_signals, control, .. } = self.supervisor;
        let mut fds = [PollFd::new(child_signals, PollFlags::IN), PollFd::new(control, PollFlags::IN)];
        match poll(&mut fds, Some(&timeout)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let (has_signal, has_frame) = (!fds[0].revents().is_empty(), !fds[1].revents().is_empty());
        if has_signal {
            // The signal is pending at most once, also for several children, so the number of signals is irrelevant.
            _ = rustix::io::read(child_signals, &mut [0; SIGNAL_INFO]);
            if self.has_ended()? {
                return Ok(Some(StopReason::Exited));
            }
        }
        if has_frame {
            match wire::receive(&self.supervisor.control)? {
                Some(frame) if frame.kind == FrameKind::Stop && frame.number == self.number => {
                    return Ok(Some(StopReason::Judge));
                }
                // The stop frame has the number of an earlier run, so it is ignored.
                Some(frame) if frame.kind == FrameKind::Stop => {}
                Some(frame) if frame.kind == FrameKind::Report => {
                    self.supervisor.replies.ask(frame.number)?;
                }
                _ => {
                    self.end_all()?;
                    return Err(Error::other("the judge closed the socket or sent an unexpected frame"));
                }
            }
        }
        Ok(None)
    }

    /// Measures the processes of the run. Returns zeros if a control group measures them.
    fn sample(&self) -> UsageSample {
        if self.supervisor.counters.cpu.is_none() { self.supervisor.tree.sample() } else { UsageSample::default() }
    }

    /// Returns the CPU time so far. It never decreases, so that a program that was stopped has exceeded its limit. A
    /// measurement with the counter of the group may be too low by the cell's current time slice, which the kernel adds to
    /// the cell's own time, which is subtracted, before it adds it to the counter.
    fn cpu_now(&mut self, sample: &UsageSample) -> Result<Duration> {
        let micros = match &self.supervisor.counters.cpu {
            Some(counter) => {
                let now = counter.micros()?;
                self.supervisor.counted.set(now);
                now.saturating_sub(self.counted)
            }
            None => self.reaped_micros + sample.cpu_micros,
        };
        self.measured_micros = self.measured_micros.max(micros);
        Ok(Duration::from_micros(self.measured_micros))
    }

    fn cpu_at_end(&mut self) -> Result<u64> {
        Ok(self.cpu_now(&UsageSample::default())?.as_micros() as u64)
    }

    /// Reaps all children that have exited, and returns whether the program is one of them.
    fn has_ended(&mut self) -> Result<bool> {
        self.collect_dead()?;
        Ok(self.status.is_some())
    }

    /// Reaps all children that have exited: the program itself, and orphans, which are reparented to the cell.
    fn collect_dead(&mut self) -> Result<()> {
        loop {
            match sys::reap(None, false) {
                Ok(Some(reaped)) => self.count(reaped),
                Ok(None) => return Ok(()),
                Err(error) if error.raw_os_error() == Some(libc::ECHILD) => {
                    self.has_children = false;
                    return Ok(());
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Returns the largest resident set of the program's processes. A process shares the memory of the cell until it
    /// executes the program, so the kernel's value is at least the peak of the cell. A value above the memory limit that is
    /// not above this peak may be that of the cell; the limit is returned instead.
    fn resident_peak(&self) -> u64 {
        let is_ambiguous = self.resident > self.request.memory && self.resident <= own_resident_peak();
        if is_ambiguous { self.request.memory } else { self.resident }
    }

    fn count(&mut self, reaped: sys::ReapedProcess) {
        if self.supervisor.prestart.has_ended(reaped.pid) {
            return;
        }
        self.reaped_micros += reaped.cpu_micros;
        self.resident = self.resident.max(reaped.resident);
        self.processes += 1;
        if reaped.pid == self.pid {
            self.status = Some(reaped.status);
        }
    }

    /// Kills and reaps all remaining processes of the run.
    fn end_all(&mut self) -> Result<()> {
        let deadline = Instant::now() + REAP_MAX;
        let namespace = matches!(self.supervisor.tree, ProcessTree::Namespace { .. });
        // Orphans are reparented to the cell, so no process of the run is left once the cell has no children. Usually,
        // the cell has no children at this point, so no signal is sent in the first iteration: kill(-1) would iterate
        // over all processes of the host.
        let mut killing = false;
        while self.has_children {
            if killing {
                // This call signals all other processes of the PID namespace atomically, so no new process escapes.
                sys::send_signal(-1, libc::SIGKILL);
            }
            match sys::reap(None, killing) {
                Ok(Some(reaped)) => self.count(reaped),
                Ok(None) if Instant::now() > deadline => return Err(Error::other("the killed processes did not exit")),
                Ok(None) if self.supervisor.prestart.is_only_child()? => {
                    self.supervisor.prestart.resume();
                    self.has_children = false;
                }
                Ok(None) if namespace => killing = true,
                Ok(None) => {
                    self.kill_descendants();
                    std::thread::sleep(Duration::from_micros(50));
                }
                Err(error) if error.raw_os_error() == Some(libc::ECHILD) => self.has_children = false,
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Sends SIGKILL to all descendants found in one scan. The cell is their subreaper, so it has a child as long as a
    /// descendant is alive, and the caller repeats this call until the cell has no children. The descendants are
    /// stopped first, so that they cannot fork faster than they are killed.
    fn kill_descendants(&self) {
        if self.status.is_none() {
            sys::send_signal(-self.pid, libc::SIGKILL);
            sys::send_signal(self.pid, libc::SIGKILL);
        }
        let members = self.supervisor.tree.members();
        for signal in [libc::SIGSTOP, libc::SIGKILL] {
            for pid in &members {
                sys::send_signal(*pid, signal);
            }
        }
    }
}

/// The CPU time limit of a run.
struct CpuLimit {
    /// The time at which the program is stopped, or at which it is stopped unless the run is disturbed.
    next: Duration,
    limit: Duration,
}

impl CpuLimit {
    fn new(request: &RunRequest) -> CpuLimit {
        let limit = Duration::from_micros(request.cpu_micros);
        CpuLimit { next: request.early_micros.map_or(limit, |early| Duration::from_micros(early).min(limit)), limit }
    }

    /// Returns true if the program must be stopped because of its CPU time. `is_disturbed` is called when the time first
    /// exceeds the early limit; if it returns true, that limit no longer applies.
    fn is_exceeded(&mut self, cpu: Duration, is_disturbed: impl FnOnce() -> bool) -> bool {
        if cpu > self.next && self.next < self.limit && is_disturbed() {
            self.next = self.limit;
        }
        cpu > self.next
    }
}

/// Duplicates a descriptor below `least` to a number that is at least `least`, so that `dup2` onto the program's
/// descriptors does not overwrite it. Returns other descriptors unchanged.
pub(super) fn moved_above(descriptor: OwnedFd, least: usize) -> Result<OwnedFd> {
    let least = i32::try_from(least).unwrap_or(i32::MAX);
    if descriptor.as_raw_fd() >= least {
        return Ok(descriptor);
    }
    Ok(rustix::io::fcntl_dupfd_cloexec(&descriptor, least)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_early_limit_applies_unless_the_run_is_disturbed() {
        let millis = Duration::from_millis;
        let with =
            |early_micros| CpuLimit::new(&RunRequest { cpu_micros: 2_000_000, early_micros, ..RunRequest::default() });
        let mut plain = with(None);
        assert!(!plain.is_exceeded(millis(2_000), || panic!()) && plain.is_exceeded(millis(2_001), || panic!()));
        let mut quiet = with(Some(1_250_000));
        assert!(!quiet.is_exceeded(millis(1_250), || panic!()) && quiet.is_exceeded(millis(1_251), || false));
        let mut busy = with(Some(1_250_000));
        assert!(!busy.is_exceeded(millis(1_251), || true), "the run continues");
        assert!(!busy.is_exceeded(millis(2_000), || panic!()) && busy.is_exceeded(millis(2_001), || panic!()));
        assert!(with(Some(3_000_000)).is_exceeded(millis(2_001), || panic!()), "the limit always applies");
    }
}
