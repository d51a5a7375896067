//! Decides when a program is run again because something other than the program may have caused the result: other
//! programs on the machine, or an interactor that got no CPU. Pure decisions; the runner carries them out.
//!
//! A run next to other programs shares caches and perhaps the physical core: the same work takes up to twice the CPU
//! time there (measured: 1.6 to 1.9 times). So a program may use [`shared`] CPU time next to others. One that exceeds
//! even that is too slow on any machine and is not run again. One that used more than its limit, or exceeded the wall
//! limit, is run again alone.

use crate::model::{Breach, Execution, Limits, TimeSpan};

/// Maximum number of runs of a program alone on a case while other processes of the machine disturb it.
const TRIES_ALONE: u32 = 5;
/// Pause between two runs alone, in which the disturbance may end.
const PAUSE: TimeSpan = TimeSpan::seconds(2);

/// The decision after a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// The result counts.
    Accept,
    /// The program must be run again after this pause, while no other program of the service runs.
    RunAlone(TimeSpan),
    /// The machine is too busy to judge the program: an error of the judge.
    Overloaded,
}

/// CPU time of other processes during a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MachineLoad {
    /// CPU time that all processes of the machine used during the run, including the run itself.
    pub busy: TimeSpan,
    /// Number of CPUs of the machine.
    pub processors: usize,
}

/// The time budget for running one submission alone. It bounds how long a run can keep all others waiting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetryBudget {
    left: TimeSpan,
    /// Whether the last run alone was too slow too.
    confirmed: bool,
}

impl RetryBudget {
    /// The budget of a run with these limits: ten times the wall limit, at least a minute.
    pub fn new(limits: &Limits) -> RetryBudget {
        RetryBudget { left: limits.wall.times(10).max(TimeSpan::seconds(60)), confirmed: false }
    }

    /// Subtracts the time of a run alone from the budget, and notes whether the program was too slow there too.
    pub fn spend(&mut self, time: TimeSpan, too_slow: bool) {
        self.confirmed = too_slow;
        self.left = TimeSpan::micros(self.left.as_micros().saturating_sub(time.as_micros()));
    }

    fn is_spent(self) -> bool {
        self.left == TimeSpan::ZERO
    }
}

/// The limits of a run next to other programs: twice the CPU time.
pub fn shared(limits: &Limits) -> Limits {
    Limits { cpu: limits.cpu.times(2), ..*limits }
}

/// The limits of a run alone: a tenth more CPU time, so that a time slightly above the limit is measured.
pub fn alone(limits: &Limits) -> Limits {
    Limits { cpu: limits.cpu.plus(TimeSpan::micros(limits.cpu.as_micros() / 10)), ..*limits }
}

/// Decides what follows a run next to other programs. `own` is the CPU time limit of the program's language.
pub fn after_shared(execution: &Execution, own: TimeSpan, budget: RetryBudget) -> Next {
    if !is_unsure(execution, own) {
        return Next::Accept;
    }
    match (budget.is_spent(), budget.confirmed) {
        (false, _) => Next::RunAlone(TimeSpan::ZERO),
        // The program was too slow alone on earlier cases, so the machine is not the cause.
        (true, true) => Next::Accept,
        // An error of the judge is better than a verdict that the machine may have caused.
        (true, false) => Next::Overloaded,
    }
}

/// Whether a run alone shows that the program is too slow.
pub fn is_too_slow(execution: &Execution, own: TimeSpan) -> bool {
    execution.breach == Some(Breach::Cpu) || is_unsure(execution, own)
}

/// Decides what follows run number `tried` (from 1) alone.
pub fn after_alone(
    execution: &Execution,
    own: TimeSpan,
    load: Option<MachineLoad>,
    tried: u32,
    budget: RetryBudget,
) -> Next {
    let slow = is_too_slow(execution, own);
    let disturbed = load.is_some_and(|load| is_disturbed(load, execution));
    if slow && disturbed && tried < TRIES_ALONE && !budget.is_spent() {
        return Next::RunAlone(PAUSE);
    }
    if execution.breach == Some(Breach::Starved) { Next::Overloaded } else { Next::Accept }
}

/// Whether other programs may have caused this result.
fn is_unsure(execution: &Execution, own: TimeSpan) -> bool {
    match execution.breach {
        Some(Breach::Cpu) => false,
        Some(Breach::Wall | Breach::Starved) => true,
        _ => execution.usage.cpu > own,
    }
}

/// Whether other processes kept the other CPUs (or the only CPU) busy for more than a fifth of the run's wall time.
/// During such periods, which last for seconds, programs were measured to take up to three times as long.
fn is_disturbed(load: MachineLoad, execution: &Execution) -> bool {
    let others = load.busy.as_micros().saturating_sub(execution.usage.cpu.as_micros());
    let processors = load.processors.saturating_sub(1).max(1) as u64;
    others.saturating_mul(5) >= execution.usage.wall.as_micros().saturating_mul(processors)
}

/// The message for a program that got too little CPU time even alone.
pub fn overloaded(execution: &Execution) -> String {
    let (cpu, wall) = (execution.usage.cpu, execution.usage.wall);
    format!(
        "the machine is overloaded: the program got {cpu} of CPU time in {wall} and waited for a CPU the rest of the time"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ByteSize, Capture, Exit, Usage};

    const LIMITS: Limits = Limits {
        cpu: TimeSpan::seconds(2),
        wall: TimeSpan::seconds(5),
        memory: ByteSize::mib(64),
        output: ByteSize::mib(8),
        processes: 16,
    };

    fn ended(cpu: TimeSpan, wall: TimeSpan, breach: Option<Breach>) -> Execution {
        let usage = Usage { cpu, wall, memory: ByteSize::mib(1), instructions: None };
        Execution { exit: Exit::Code(0), breach, usage, stderr: Capture::default() }
    }

    fn budget() -> RetryBudget {
        RetryBudget::new(&LIMITS)
    }

    fn spent(too_slow: bool) -> RetryBudget {
        let mut budget = budget();
        budget.spend(TimeSpan::seconds(61), too_slow);
        budget
    }

    fn after_one_alone(execution: &Execution, others: TimeSpan, processors: usize, tried: u32) -> Next {
        let load = MachineLoad { busy: execution.usage.cpu.plus(others), processors };
        after_alone(execution, LIMITS.cpu, Some(load), tried, budget())
    }

    #[test]
    fn results_that_other_programs_may_have_caused_are_checked_alone() {
        let good = ended(TimeSpan::millis(40), TimeSpan::millis(50), None);
        let late = ended(TimeSpan::millis(2_100), TimeSpan::millis(2_200), None);
        let starved = ended(TimeSpan::millis(84), TimeSpan::seconds(30), Some(Breach::Starved));
        let idle = ended(TimeSpan::millis(84), TimeSpan::seconds(5), Some(Breach::Idle));
        let slow = ended(TimeSpan::millis(1_900), TimeSpan::seconds(5), Some(Breach::Wall));
        let endless = ended(TimeSpan::millis(4_001), TimeSpan::seconds(4), Some(Breach::Cpu));
        // The program exceeded its time limit before its memory limit.
        let large = ended(TimeSpan::millis(3_100), TimeSpan::millis(3_200), Some(Breach::Memory));
        for certain in [&good, &idle, &endless] {
            assert_eq!(after_shared(certain, LIMITS.cpu, budget()), Next::Accept);
            assert_eq!(after_shared(certain, LIMITS.cpu, spent(false)), Next::Accept);
        }
        for unsure in [&late, &starved, &slow, &large] {
            assert_eq!(after_shared(unsure, LIMITS.cpu, budget()), Next::RunAlone(TimeSpan::ZERO));
            assert_eq!(after_shared(unsure, LIMITS.cpu, spent(false)), Next::Overloaded);
            assert_eq!(after_shared(unsure, LIMITS.cpu, spent(true)), Next::Accept);
        }
    }

    #[test]
    fn a_program_that_is_too_slow_alone_is_run_again_if_other_processes_disturbed_it() {
        let good = ended(TimeSpan::millis(40), TimeSpan::millis(50), None);
        let late = ended(TimeSpan::millis(2_100), TimeSpan::millis(2_200), None);
        let stopped = ended(TimeSpan::millis(2_200), TimeSpan::millis(2_200), Some(Breach::Cpu));
        let slow = ended(TimeSpan::millis(1_900), TimeSpan::seconds(5), Some(Breach::Wall));
        let starved = ended(TimeSpan::millis(84), TimeSpan::seconds(30), Some(Breach::Starved));
        let (little, much) = (TimeSpan::millis(400), TimeSpan::millis(1_100));
        for certain in [&late, &stopped, &slow] {
            assert_eq!(after_one_alone(certain, little, 2, 1), Next::Accept);
        }
        assert_eq!(after_one_alone(&good, much, 2, 1), Next::Accept, "in time however busy the machine was");
        for unsure in [&late, &stopped, &slow, &starved] {
            assert_eq!(after_one_alone(unsure, TimeSpan::seconds(10), 2, 1), Next::RunAlone(PAUSE));
        }
        assert_eq!(after_one_alone(&late, much, 2, 1), Next::RunAlone(PAUSE));
        assert_eq!(after_one_alone(&late, much, 8, 1), Next::Accept, "eight processors have room for others");
        assert_eq!(after_one_alone(&stopped, much, 2, TRIES_ALONE), Next::Accept, "the number of runs is bounded");
        assert_eq!(after_one_alone(&starved, little, 2, 1), Next::Overloaded);
        assert_eq!(after_one_alone(&starved, TimeSpan::seconds(30), 2, TRIES_ALONE), Next::Overloaded);
    }

    #[test]
    fn the_time_of_runs_alone_is_bounded() {
        let late = ended(TimeSpan::millis(2_100), TimeSpan::millis(2_200), None);
        let load = Some(MachineLoad { busy: TimeSpan::seconds(12), processors: 2 });
        assert_eq!(after_alone(&late, LIMITS.cpu, load, 1, budget()), Next::RunAlone(PAUSE));
        assert_eq!(after_alone(&late, LIMITS.cpu, load, 1, spent(true)), Next::Accept);
    }
}
