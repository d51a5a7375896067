//! Enforces the wall time limit of a run. The limit is extended by the time that the program waited for a CPU, since
//! that wait is caused by the machine's load and not by the program.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use super::prestart::Prestart;
use super::usage::ProcessTree;
use crate::cell_client::WALL_STRETCH_MAX;

/// The interval between checks of a program that has reached its extended limit and waits for a CPU.
const RUN_QUEUE_TICK: Duration = Duration::from_millis(5);
/// Time after the maximum extended limit at which a program that still waits for a CPU is stopped. This time does not
/// depend on the wall limit, because the machine's load does not depend on it either.
const RUN_QUEUE_MAX: Duration = Duration::from_secs(5);

/// The wall clock of a run.
pub(super) struct WallClock<'a> {
    tree: &'a ProcessTree,
    /// The prestarted process belongs to the tree, but not to the run.
    prestart: &'a Prestart,
    limit: Duration,
    /// The time of the next check, since the start of the run.
    next_check: Duration,
    /// The threads that have been waiting for a CPU since the extended limit was reached; `None` before that.
    waiting: Option<BTreeSet<(PathBuf, u64)>>,
    /// Whether a thread was runnable when the extended limit was reached.
    was_runnable: bool,
    run_delay_micros: u64,
}

impl<'a> WallClock<'a> {
    pub(super) fn new((tree, prestart): (&'a ProcessTree, &'a Prestart), limit: Duration) -> WallClock<'a> {
        WallClock { tree, prestart, limit, next_check: limit, waiting: None, was_runnable: false, run_delay_micros: 0 }
    }

    /// Returns the time since the start of the run at which [`WallClock::is_expired`] must be called next.
    pub(super) fn next_check(&self) -> Duration {
        self.next_check
    }

    /// Returns the longest time that a thread was runnable without a CPU, as of the last check, in microseconds.
    pub(super) fn run_delay_micros(&self) -> u64 {
        self.run_delay_micros
    }

    /// Returns true if a thread was runnable when the extended limit was reached. If a hypervisor withholds CPUs from
    /// the virtual machine, threads accumulate neither CPU time nor waiting time, although the program is not idle.
    pub(super) fn was_runnable(&self) -> bool {
        self.was_runnable
    }

    /// Returns true if the run must be stopped: it has reached its extended wall limit, and either no thread has been
    /// waiting for a CPU since then, or [`RUN_QUEUE_MAX`] has passed since the maximum extended limit. Must be called
    /// when `elapsed`, the time since the start of the run, reaches [`WallClock::next_check`].
    pub(super) fn is_expired(&mut self, elapsed: Duration) -> bool {
        self.run_delay_micros = self.tree.run_delay_micros(self.prestart.pid());
        let longest = self.limit.saturating_mul(WALL_STRETCH_MAX as u32);
        let stretched = self.limit.saturating_add(Duration::from_micros(self.run_delay_micros)).min(longest);
        if elapsed < stretched {
            (self.next_check, self.waiting) = (stretched, None);
            return false;
        }
        // The kernel reports a thread's waiting time only after the wait is over.
        let ready = self.tree.runnable_threads(self.prestart.pid());
        let waiting = match &self.waiting {
            Some(before) => before & &ready,
            None => {
                self.was_runnable = !ready.is_empty();
                ready
            }
        };
        if waiting.is_empty() {
            return true;
        }
        // A thread has been waiting since the extended limit was reached. The elapsed time beyond the wall limit counts
        // as its delay.
        self.run_delay_micros = self.run_delay_micros.max((elapsed - self.limit).as_micros() as u64);
        self.next_check = elapsed.saturating_add(RUN_QUEUE_TICK);
        self.waiting = Some(waiting);
        elapsed >= longest.saturating_add(RUN_QUEUE_MAX)
    }
}
