//! The CPU load of the machine during a run.

use super::TimeSpan;

/// The CPU load of the machine during a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MachineLoad {
    /// CPU time that all processes of the machine used during the run, including the run itself.
    pub busy: TimeSpan,
    /// CPU time of the programs of the run: the submission, and the interactor if there is one.
    pub own: TimeSpan,
    /// Number of CPUs of the machine.
    pub processors: usize,
}

impl MachineLoad {
    /// Returns true if other processes kept the other CPUs (or the only CPU) busy for at least a fifth of the wall time
    /// `wall` of the run on average. In measurements, programs took up to three times as long in such periods, which last
    /// for seconds. `is_late` is true if the program reached its wall time limit although it used little CPU time.
    ///
    /// The programs of a run share one CPU. Unless the program was late, this CPU is not one of the others, even if it
    /// was busy with work that is not part of the CPU time of the program: if a program starts processes without end,
    /// the kernel frees the ended ones later.
    pub fn disturbs(&self, wall: TimeSpan, is_late: bool) -> bool {
        let own = if is_late || self.processors == 1 { self.own } else { self.own.max(wall) };
        let others = self.busy.as_micros().saturating_sub(own.as_micros());
        let processors = self.processors.saturating_sub(1).max(1) as u64;
        others.saturating_mul(5) >= wall.as_micros().saturating_mul(processors)
    }
}
