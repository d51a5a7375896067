//! How long a program may take on the clock: its limit, and beyond it what the machine took away.
//!
//! Two things are the machine's doing and do not count: the time a thread stood in line for a processor, and the time in
//! which the processors were busy with others. The second says more: it also sees the waits of threads that are gone, and
//! those of whoever the program waits for, such as a judge that has no turn to read what it writes.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use super::meter::Tree;
use crate::sandbox::keeper::WALL_STRETCH_MAX;

/// Shorter runs need not know what the processors did, which takes a while to ask.
const FIRST_LOOK: Duration = Duration::from_millis(100);
/// The kernel counts idle time in ticks of this length.
const TICK: Duration = Duration::from_millis(10);
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
    /// What was so at the first look.
    first: Option<Look>,
    /// Who has stood in line ever since the deadline.
    line: Option<BTreeSet<(PathBuf, u64)>>,
    waited_micros: u64,
}

/// What is so at a moment of a run.
#[derive(Debug, Clone)]
struct Look {
    elapsed: Duration,
    /// The CPU time of the program so far.
    cpu: Duration,
    /// For each processor that the program may use, the time it has had nothing to do.
    free: Vec<Duration>,
}

impl Look {
    /// The time since another look in which no processor was free and the program had none.
    fn taken_since(&self, before: &Look) -> Duration {
        let free = self.free.iter().zip(&before.free).map(|(now, then)| now.saturating_sub(*then)).max();
        // Who cannot ask is told nothing.
        let Some(free) = free else { return Duration::ZERO };
        let own = self.cpu.saturating_sub(before.cpu);
        self.elapsed.saturating_sub(before.elapsed).saturating_sub(free).saturating_sub(own)
    }
}

impl<'a> Patience<'a> {
    pub(super) fn new(tree: &'a Tree, limit: Duration) -> Patience<'a> {
        Patience { tree, limit, due: limit.min(FIRST_LOOK), first: None, line: None, waited_micros: 0 }
    }

    /// When to ask next whether it is over, from the start.
    pub(super) fn due(&self) -> Duration {
        self.due
    }

    /// The longest that any thread of the program was ready to run without a processor, as far as it was looked at.
    pub(super) fn waited_micros(&self) -> u64 {
        self.waited_micros
    }

    /// Whether the program has had its time on the clock; `cpu` is what it has used.
    pub(super) fn is_over(&mut self, elapsed: Duration, cpu: Duration) -> bool {
        let look = Look { elapsed, cpu, free: self.tree.free() };
        let taken = look.taken_since(self.first.get_or_insert_with(|| look.clone()));
        if elapsed < self.limit {
            self.due = self.limit;
            return false;
        }
        self.waited_micros = self.tree.waited_micros();
        let longest = self.limit.saturating_mul(WALL_STRETCH_MAX as u32);
        let stretched = self.limit.saturating_add(taken.max(Duration::from_micros(self.waited_micros))).min(longest);
        if elapsed.saturating_add(TICK) < stretched {
            (self.due, self.line) = (stretched, None);
            return false;
        }
        // How long somebody has stood in line is only known when he has left.
        let ready = self.tree.in_line();
        let waiting = match &self.line {
            Some(before) => before & &ready,
            None => ready,
        };
        self.due = elapsed.saturating_add(LINE_TICK);
        let over = waiting.is_empty() || elapsed >= longest.saturating_add(LINE_MAX);
        self.line = Some(waiting);
        over
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(elapsed: u64, cpu: u64, free: &[u64]) -> Look {
        let millis = Duration::from_millis;
        Look { elapsed: millis(elapsed), cpu: millis(cpu), free: free.iter().copied().map(millis).collect() }
    }

    #[test]
    fn what_others_took_is_what_neither_the_program_used_nor_was_free() {
        let taken = |now: Look, before: Look| now.taken_since(&before).as_millis();
        assert_eq!(taken(look(1_100, 0, &[5_000]), look(100, 0, &[4_000])), 0, "the processor was free all the time");
        assert_eq!(taken(look(1_100, 0, &[4_000]), look(100, 0, &[4_000])), 1_000, "others had it");
        assert_eq!(taken(look(1_100, 900, &[4_000]), look(100, 100, &[4_000])), 200, "its own use is not others'");
        assert_eq!(taken(look(1_100, 0, &[4_300, 9_900]), look(100, 0, &[4_000, 9_000])), 100, "one free is enough");
        assert_eq!(taken(look(1_100, 0, &[]), look(100, 0, &[])), 0, "nothing is known");
        assert_eq!(taken(look(1_100, 2_000, &[9_000]), look(100, 0, &[4_000])), 0, "never less than nothing");
    }
}
