//! How long a program may take on the clock: its limit, and beyond it the time it stood in line for a processor, which is
//! the machine's doing and not the program's.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use super::usage::Tree;
use crate::sandbox::cell_client::WALL_STRETCH_MAX;

/// How often a program that is past its deadline and in line for a processor is looked at.
const LINE_TICK: Duration = Duration::from_millis(5);
/// How long it may stand there beyond all else: short limits are no reason for a busy machine to be quick.
const LINE_MAX: Duration = Duration::from_secs(5);

/// The clock of a run.
pub(super) struct Patience<'a> {
    tree: &'a Tree,
    limit: Duration,
    /// When to look next, from the start.
    due: Duration,
    /// Who has stood in line ever since the deadline.
    line: Option<BTreeSet<(PathBuf, u64)>>,
    /// Whether somebody was ready to run at the deadline.
    awake: bool,
    waited_micros: u64,
}

impl<'a> Patience<'a> {
    pub(super) fn new(tree: &'a Tree, limit: Duration) -> Patience<'a> {
        Patience { tree, limit, due: limit, line: None, awake: false, waited_micros: 0 }
    }

    /// When to ask next whether it is over, from the start.
    pub(super) fn due(&self) -> Duration {
        self.due
    }

    /// The longest that any thread of the program was ready to run without a processor, as far as it was looked at.
    pub(super) fn waited_micros(&self) -> u64 {
        self.waited_micros
    }

    /// Whether somebody would have worked on when the program's time was over. Where the host of a virtual machine takes its
    /// processors away, nobody stands in line and yet nobody works: such a program is not idle.
    pub(super) fn was_awake(&self) -> bool {
        self.awake
    }

    /// Whether the program has had its time on the clock, which is due.
    pub(super) fn is_over(&mut self, elapsed: Duration) -> bool {
        self.waited_micros = self.tree.waited_micros();
        let longest = self.limit.saturating_mul(WALL_STRETCH_MAX as u32);
        let stretched = self.limit.saturating_add(Duration::from_micros(self.waited_micros)).min(longest);
        if elapsed < stretched {
            (self.due, self.line) = (stretched, None);
            return false;
        }
        // How long somebody has stood in line is only known when he has left.
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
        // As long at least, since it has not left.
        self.waited_micros = self.waited_micros.max((elapsed - self.limit).as_micros() as u64);
        self.due = elapsed.saturating_add(LINE_TICK);
        self.line = Some(waiting);
        elapsed >= longest.saturating_add(LINE_MAX)
    }
}
