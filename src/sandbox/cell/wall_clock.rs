//! The wall clock of a run. The wall limit is extended by the time that the program waited for a CPU, since that wait
//! is caused by the machine's load and not by the program.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use super::usage::Tree;
use crate::sandbox::cell_client::WALL_STRETCH_MAX;

/// The interval of checks of a program that is past its deadline and waits for a CPU.
const LINE_TICK: Duration = Duration::from_millis(5);
/// Additional time that such a program may wait. It is constant, since load does not shrink with a short wall limit.
const LINE_MAX: Duration = Duration::from_secs(5);

/// The wall clock of a run.
pub(super) struct Patience<'a> {
    tree: &'a Tree,
    limit: Duration,
    /// The time of the next check, since the start of the run.
    due: Duration,
    /// The threads that have been waiting for a CPU ever since the deadline.
    line: Option<BTreeSet<(PathBuf, u64)>>,
    /// Whether a thread was runnable at the deadline.
    awake: bool,
    waited_micros: u64,
}

impl<'a> Patience<'a> {
    pub(super) fn new(tree: &'a Tree, limit: Duration) -> Patience<'a> {
        Patience { tree, limit, due: limit, line: None, awake: false, waited_micros: 0 }
    }

    /// The time of the next call of [`Patience::is_over`], since the start of the run.
    pub(super) fn due(&self) -> Duration {
        self.due
    }

    /// The longest measured time that a thread was runnable without a CPU, in microseconds.
    pub(super) fn waited_micros(&self) -> u64 {
        self.waited_micros
    }

    /// Whether a thread was runnable when the wall limit was reached. If a hypervisor takes CPUs away, threads
    /// accumulate neither CPU time nor waiting time; such a program is not idle.
    pub(super) fn was_awake(&self) -> bool {
        self.awake
    }

    /// Returns whether the run has used up its extended wall limit. Call it when [`Patience::due`] is reached.
    pub(super) fn is_over(&mut self, elapsed: Duration) -> bool {
        self.waited_micros = self.tree.waited_micros();
        let longest = self.limit.saturating_mul(WALL_STRETCH_MAX as u32);
        let stretched = self.limit.saturating_add(Duration::from_micros(self.waited_micros)).min(longest);
        if elapsed < stretched {
            (self.due, self.line) = (stretched, None);
            return false;
        }
        // The kernel reports a thread's waiting time only after the wait is over.
        let ready = self.tree.in_line();
        let waiting = match &self.line {
            Some(before) => before & &ready,
            None => {
                self.awake = !ready.is_empty();
                ready
            }
        };
        if waiting.is_empty() {
            return true;
        }
        // A thread has been waiting since the deadline, so it waited at least this long.
        self.waited_micros = self.waited_micros.max((elapsed - self.limit).as_micros() as u64);
        self.due = elapsed.saturating_add(LINE_TICK);
        self.line = Some(waiting);
        elapsed >= longest.saturating_add(LINE_MAX)
    }
}
