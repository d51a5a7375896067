//! Decides when a program is run again because other programs on the machine may have caused the result. This module
//! only decides; the runner runs the programs.
//!
//! A program that runs next to others shares caches, and perhaps a physical core, with them. The same work then takes
//! up to twice the CPU time (1.6 to 1.9 times in measurements), so the CPU time limit next to other programs is that of
//! [`shared`]. A program that exceeds even this limit is too slow and is not run again. Any other program that used
//! more CPU time than its own limit, or exceeded the wall limit without being idle, is run again alone, that is, while
//! the judge runs no other program.
//!
//! A run alone is stopped soon after the limit, unless other processes of the machine disturb it: then it continues to
//! the limit of [`shared`], at which the result is certain. The first run of a program is a run alone if its case is a
//! sample and the machine [is quiet](is_quiet). Few samples take long, so other runs hardly wait, and an endless program
//! is stopped earlier.
//!
//! The time of a program differs by some percent from run to run. A program whose time is close to its limit is
//! therefore run three more times without other programs, and the shortest time counts. Another measurement, or another
//! machine, may yield another verdict for such a time, so the report states that the time is close to the limit, even
//! if no other run confirmed it.

use crate::model::{Breach, Execution, Limits, MachineLoad, TimeSpan};

/// Maximum number of times that a program is run alone on one case while other processes of the machine disturb it.
const TRIES_ALONE: u32 = 5;
/// The time by which the budget of a submission exceeds its CPU time limit; see [`RetryBudget`].
const EXTRA_ALONE: TimeSpan = TimeSpan::seconds(5);
/// The number of runs without other programs that follow if a program's time is close to its limit.
const CONFIRMATIONS: u32 = 3;
/// The pause between two runs of a program without other programs. The disturbance may end during this pause.
const PAUSE: TimeSpan = TimeSpan::seconds(2);

/// The decision after a program was run alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// The result is final.
    Accept,
    /// The program must be run alone again after this pause.
    RunAlone(TimeSpan),
    /// The machine is too busy to judge the program, which is an error of the judge.
    Overloaded,
}

/// The time that a submission may still spend in runs that are too slow even without other programs. It bounds the time
/// for which the user and all other runs wait for a verdict that these runs only confirm. The times of runs within the
/// limit are not subtracted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetryBudget {
    left: TimeSpan,
    /// The longest CPU time within the limit, but close to it, that was confirmed by further runs.
    close: TimeSpan,
    /// Whether the program was too slow in its last run without other programs.
    confirmed: bool,
}

impl RetryBudget {
    /// Returns the initial budget of a submission under these limits.
    pub fn new(limits: &Limits) -> RetryBudget {
        RetryBudget { left: limits.cpu.plus(EXTRA_ALONE), close: TimeSpan::ZERO, confirmed: false }
    }

    /// Records whether the program was too slow in a run without other programs. If it was, subtracts `time` from the
    /// budget: the duration of the run, or of the pause after it.
    pub fn spend(&mut self, time: TimeSpan, too_slow: bool) {
        self.confirmed = too_slow;
        if too_slow {
            self.left = TimeSpan::micros(self.left.as_micros().saturating_sub(time.as_micros()));
        }
    }

    /// Records a CPU time that is close to the limit `own` and was confirmed by further runs. A time above the limit is
    /// ignored.
    pub fn confirm(&mut self, time: TimeSpan, own: TimeSpan) {
        if time <= own {
            self.close = self.close.max(time);
        }
    }

    fn is_spent(self) -> bool {
        self.left == TimeSpan::ZERO
    }
}

/// Returns whether a run alone would probably not be disturbed by other processes. `runnable` is the number of runnable
/// threads of the machine, including the calling thread. Other processes that keep the other CPUs busy for a fifth of
/// the time disturb a run.
pub fn is_quiet(runnable: usize, processors: usize) -> bool {
    let others = runnable.saturating_sub(1);
    others.saturating_mul(5) < processors.saturating_sub(1).max(1)
}

/// The limits of one run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunLimits {
    /// The limits at which the program is stopped.
    pub limits: Limits,
    /// Limits with a lower CPU time limit, at which the program is stopped unless other processes of the machine
    /// disturbed the run so far; `None` if there is no such limit.
    pub undisturbed: Option<Limits>,
}

impl From<Limits> for RunLimits {
    fn from(limits: Limits) -> RunLimits {
        RunLimits { limits, undisturbed: None }
    }
}

impl From<&Limits> for RunLimits {
    fn from(limits: &Limits) -> RunLimits {
        (*limits).into()
    }
}

/// Returns the limits of a run without other programs: 1.25 times the CPU time limit if no other process disturbs it, and
/// otherwise those of [`shared`], so that the program need not be run again to be certain that it is too slow.
pub fn alone(limits: &Limits) -> RunLimits {
    RunLimits { limits: shared(limits), undisturbed: Some(undisturbed(limits)) }
}

/// Returns the limits of a run next to other programs, with twice the CPU time limit.
pub fn shared(limits: &Limits) -> Limits {
    Limits { cpu: limits.cpu.times(2), ..*limits }
}

/// Returns the limits of a run that nothing disturbs. The CPU time limit is increased by a quarter, so that a time
/// slightly above the limit is measured.
fn undisturbed(limits: &Limits) -> Limits {
    Limits { cpu: limits.cpu.plus(TimeSpan::micros(limits.cpu.as_micros() / 4)), ..*limits }
}

/// Returns the CPU time limit with which a program that runs undisturbed is stopped at `time`.
pub fn limit_that_stops_at(time: TimeSpan) -> TimeSpan {
    TimeSpan::micros((time.as_micros() * 4).div_ceil(5))
}

/// Returns the number of further runs, without other programs, that must follow a run with this result. The number is 0
/// unless the CPU time of the run is close to the limit `own`, that is, 0.8 to 1.25 times the limit.
///
/// The runs of a submission are bounded. After the budget is spent, times above the limit are not confirmed. A time
/// within the limit is confirmed if it exceeds the longest confirmed time by at least a twentieth of the limit, since
/// the slowest cases determine the verdict.
pub fn confirmations(execution: &Execution, own: TimeSpan, budget: RetryBudget) -> u32 {
    let (time, limit) = (execution.usage.cpu.as_micros(), own.as_micros());
    let is_due = if time > limit { !budget.is_spent() } else { time >= budget.close.as_micros() + limit / 20 };
    let is_confirmed = has_time(execution, own) && is_close(execution.usage.cpu, own) && is_due;
    if is_confirmed { CONFIRMATIONS } else { 0 }
}

/// Returns whether a CPU time is 0.8 to 1.25 times the limit `own`.
fn is_close(time: TimeSpan, own: TimeSpan) -> bool {
    time.as_micros().saturating_mul(5) >= own.as_micros().saturating_mul(4) && !exceeds_undisturbed(time, own)
}

/// Returns whether a CPU time exceeds 1.25 times the limit `own`, the CPU time limit of [`undisturbed`].
fn exceeds_undisturbed(time: TimeSpan, own: TimeSpan) -> bool {
    time.as_micros().saturating_mul(4) > own.as_micros().saturating_mul(5)
}

/// Returns whether the CPU time of a run can be compared with the limit `own`: the program succeeded, or exceeded the
/// limit. A program that failed, or received too little CPU time, might have needed more.
pub fn has_time(execution: &Execution, own: TimeSpan) -> bool {
    let is_slow = execution.usage.cpu > own;
    matches!(execution.breach, None | Some(Breach::Cpu)) && (is_slow || execution.exit.success())
}

/// A summary of the CPU times of a program's runs on one case, for a program whose time is close to the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CloseTimes {
    /// The number of runs.
    pub runs: u32,
    /// The shortest time, which determines the verdict.
    pub least: TimeSpan,
    /// The longest time.
    pub greatest: TimeSpan,
}

impl CloseTimes {
    /// Returns the times of the runs on a case, if the program was run several times because its time is close to the
    /// CPU time limit `own`, or if the time of the only run is close to this limit. `counted` is the run that
    /// determines the result.
    ///
    /// In a run next to other programs, a time between the limit and twice the limit is also close, since the program
    /// may need only half of that time when it runs alone.
    pub fn of(times: &[TimeSpan], counted: &Execution, own: TimeSpan) -> Option<CloseTimes> {
        let time = counted.usage.cpu;
        let may_be_in_time = time > own && counted.breach != Some(Breach::Cpu);
        let times = match times.len() {
            0 | 1 if is_close(time, own) || may_be_in_time => &[time],
            0 | 1 => return None,
            _ => times,
        };
        let runs = u32::try_from(times.len()).unwrap_or(u32::MAX);
        Some(CloseTimes { runs, least: times.iter().copied().min()?, greatest: times.iter().copied().max()? })
    }

    /// Returns the note in the report that the CPU time is close to the limit `own`.
    pub fn message(&self, own: TimeSpan) -> String {
        let [least, greatest] =
            [self.least, self.greatest].map(|time| TimeSpan::millis(time.as_micros().div_ceil(1_000)));
        match self.runs {
            1 => {
                format!("the CPU time of {least} is close to the limit of {own}, and no other run confirmed this time")
            }
            runs => format!(
                "the CPU time is close to the limit of {own}; {runs} runs took from {least} to {greatest}, and the \
                 shortest one counts"
            ),
        }
    }
}

/// Returns whether `result`, the result of a further run of a program on a case, replaces the result `counted`. The
/// first result that is not too slow counts. If all results are too slow, the result with the shortest CPU time counts.
pub fn counts_instead(result: &Execution, counted: &Execution, own: TimeSpan) -> bool {
    is_too_slow(counted, own) && (!is_too_slow(result, own) || result.usage.cpu < counted.usage.cpu)
}

/// Returns true if a run that was concurrent with other programs must be repeated without them. `own` is the program's
/// CPU time limit. Once the budget is spent, a program whose latest run without other programs was too slow is not run
/// again: that run shows that the program, and not the machine, is slow.
pub fn must_run_alone(execution: &Execution, own: TimeSpan, budget: RetryBudget) -> bool {
    is_unsure(execution, own) && !(budget.is_spent() && budget.confirmed)
}

/// Returns true if the program was too slow even when it ran without other programs: it exceeded the CPU time limit
/// `own`, or the wall time limit without being idle.
pub fn is_too_slow(execution: &Execution, own: TimeSpan) -> bool {
    execution.breach == Some(Breach::Cpu) || is_unsure(execution, own)
}

/// Decides what happens after a run without other programs under the limits of [`alone`]. `tried` is the number of such
/// runs on the case so far. `load` is `None` if the machine's load could not be measured.
pub fn after_alone(
    execution: &Execution,
    own: TimeSpan,
    load: Option<MachineLoad>,
    tried: u32,
    budget: RetryBudget,
) -> Next {
    // A program that exceeded these limits is too slow.
    if execution.breach == Some(Breach::Cpu) {
        return Next::Accept;
    }
    let slow = is_unsure(execution, own);
    // A run that used more time than an undisturbed run may, and was not stopped, was probably disturbed, even if the
    // machine became quiet later.
    let long = exceeds_undisturbed(execution.usage.cpu, own);
    let disturbed = long || load.is_some_and(|load| is_disturbed(load, execution));
    if slow && disturbed && tried < TRIES_ALONE && !budget.is_spent() {
        return Next::RunAlone(PAUSE);
    }
    // A program that received enough CPU time to exceed its limit is too slow.
    if execution.breach == Some(Breach::Starved) && !long { Next::Overloaded } else { Next::Accept }
}

/// Returns true if programs that were running concurrently may have caused the result of a run: the program exceeded
/// its CPU time limit `own`, but not that of [`shared`], or it exceeded the wall limit without being idle.
fn is_unsure(execution: &Execution, own: TimeSpan) -> bool {
    match execution.breach {
        Some(Breach::Cpu) => false,
        Some(Breach::Wall | Breach::Starved) => true,
        _ => execution.usage.cpu > own,
    }
}

/// Returns true if other processes of the machine may have slowed down the run.
fn is_disturbed(load: MachineLoad, execution: &Execution) -> bool {
    let is_late = matches!(execution.breach, Some(Breach::Wall | Breach::Starved));
    load.disturbs(execution.usage.wall, is_late)
}

/// Returns the message for a program that received too little CPU time even when it ran alone.
pub fn overloaded(execution: &Execution) -> String {
    let (cpu, wall) = (execution.usage.cpu, execution.usage.wall);
    format!(
        "the machine is overloaded: the program received {cpu} of CPU time in {wall} of wall time; judge the program \
         again when the machine is less busy"
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
        budget.spend(LIMITS.cpu.plus(EXTRA_ALONE), true);
        budget.spend(TimeSpan::seconds(1), too_slow);
        budget
    }

    #[test]
    fn a_program_that_is_stopped_at_a_time_is_stopped_no_earlier_and_is_not_close_to_the_limit() {
        for time in [1, 2, 3, 4, 5, 999, 1_500_000, 2_999_999].map(TimeSpan::micros) {
            let limit = limit_that_stops_at(time);
            let stop = undisturbed(&Limits { cpu: limit, ..LIMITS }).cpu;
            assert!(time <= stop && stop <= time.plus(TimeSpan::micros(1)), "{time}: {stop}");
            assert!(!is_close(stop.plus(TimeSpan::micros(1)), limit), "{time}");
        }
    }

    #[test]
    fn a_time_close_to_the_limit_is_confirmed_within_bounds() {
        let own = LIMITS.cpu;
        let at = |millis, breach| ended(TimeSpan::millis(millis), TimeSpan::millis(millis + 50), breach);
        for (millis, breach, expected) in [
            (1_599, None, 0),
            (1_600, None, CONFIRMATIONS),
            (2_000, None, CONFIRMATIONS),
            (2_001, None, CONFIRMATIONS),
            (2_500, Some(Breach::Cpu), CONFIRMATIONS),
            (2_501, Some(Breach::Cpu), 0),
            (1_900, Some(Breach::Memory), 0),
            (1_900, Some(Breach::Wall), 0),
        ] {
            assert_eq!(confirmations(&at(millis, breach), own, budget()), expected, "{millis} {breach:?}");
        }
        assert_eq!(confirmations(&at(2_100, None), own, spent(true)), 0, "too slow, and the budget is spent");
        let failed = Execution { exit: Exit::Code(1), ..at(1_900, None) };
        assert_eq!(confirmations(&failed, own, budget()), 0, "the program fails in any case");
        // Each confirmed time within the limit exceeds the previous confirmed time by a twentieth of the limit, so at
        // most five cases are confirmed.
        let mut budget = budget();
        let confirmed: Vec<u64> = (1_500..=2_000)
            .filter(|millis| {
                let time = TimeSpan::millis(*millis);
                let is_due = confirmations(&at(*millis, None), own, budget) > 0;
                if is_due {
                    budget.confirm(time, own);
                }
                is_due
            })
            .collect();
        assert_eq!(confirmed, [1_600, 1_700, 1_800, 1_900, 2_000]);
        budget.confirm(TimeSpan::millis(2_400), own);
        assert_eq!(budget.close, own, "a time above the limit changes nothing");
    }

    #[test]
    fn the_first_run_in_time_counts_or_else_the_shortest() {
        let at = |millis, breach| ended(TimeSpan::millis(millis), TimeSpan::millis(millis + 50), breach);
        let (good, better) = (at(1_900, None), at(1_700, None));
        let (slow, slower) = (at(2_100, None), at(2_400, Some(Breach::Cpu)));
        for (result, counted, expected) in [
            (&better, &good, false),
            (&slow, &good, false),
            (&good, &slow, true),
            (&slow, &slower, true),
            (&slower, &slow, false),
        ] {
            assert_eq!(counts_instead(result, counted, LIMITS.cpu), expected, "{result:?} {counted:?}");
        }
        let times = [2_100, 1_900, 2_050].map(TimeSpan::millis);
        let close = CloseTimes::of(&times, &good, LIMITS.cpu).unwrap();
        assert_eq!((close.runs, close.least, close.greatest), (3, times[1], times[0]));
        let message =
            "the CPU time is close to the limit of 2s; 3 runs took from 1900ms to 2100ms, and the shortest one counts";
        assert_eq!(close.message(LIMITS.cpu), message);
    }

    #[test]
    fn a_verdict_that_another_measurement_may_change_is_marked() {
        let at = |millis, breach| ended(TimeSpan::millis(millis), TimeSpan::millis(millis + 50), breach);
        let mark = |execution: &Execution| {
            let times = [execution.usage.cpu];
            let times = if has_time(execution, LIMITS.cpu) { &times[..] } else { &[] };
            CloseTimes::of(times, execution, LIMITS.cpu).map(|close| close.message(LIMITS.cpu))
        };
        let once = |time: &str| {
            Some(format!("the CPU time of {time} is close to the limit of 2s, and no other run confirmed this time"))
        };
        assert_eq!(mark(&at(1_599, None)), None);
        assert_eq!(mark(&at(1_600, None)), once("1600ms"));
        assert_eq!(mark(&at(2_500, Some(Breach::Cpu))), once("2500ms"), "too slow alone");
        assert_eq!(mark(&at(2_501, Some(Breach::Cpu))), None, "clearly too slow alone");
        assert_eq!(mark(&at(3_900, None)), once("3900ms"), "too slow next to other programs");
        assert_eq!(mark(&at(4_001, Some(Breach::Cpu))), None, "too slow next to any programs");
        let failed = Execution { exit: Exit::Code(1), ..at(1_900, None) };
        assert_eq!(mark(&failed), once("1900ms"), "elsewhere it may be too slow before it fails");
    }

    #[test]
    fn a_machine_is_quiet_if_less_than_a_fifth_of_the_other_processors_is_busy() {
        for (runnable, processors, expected) in
            [(1, 1, true), (1, 2, true), (2, 1, false), (2, 2, false), (2, 6, false), (2, 7, true), (4, 16, false)]
        {
            assert_eq!(is_quiet(runnable, processors), expected, "{runnable} {processors}");
        }
    }

    fn after_one_alone(execution: &Execution, others: TimeSpan, processors: usize, tried: u32) -> Next {
        let own = execution.usage.cpu;
        let load = MachineLoad { busy: own.plus(others), own, processors };
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
            assert!(!must_run_alone(certain, LIMITS.cpu, budget()));
            assert!(!must_run_alone(certain, LIMITS.cpu, spent(false)));
        }
        for unsure in [&late, &starved, &slow, &large] {
            assert!(must_run_alone(unsure, LIMITS.cpu, budget()));
            assert!(must_run_alone(unsure, LIMITS.cpu, spent(false)), "the last run alone was in time");
            assert!(!must_run_alone(unsure, LIMITS.cpu, spent(true)), "the last run alone was too slow");
        }
    }

    #[test]
    fn a_run_alone_is_certain_at_its_limits_and_in_time() {
        let own = LIMITS.cpu;
        let after = |millis, breach, others| {
            let execution = ended(TimeSpan::millis(millis), TimeSpan::millis(millis), breach);
            let load = MachineLoad {
                busy: execution.usage.cpu.plus(TimeSpan::millis(others)),
                own: execution.usage.cpu,
                processors: 2,
            };
            after_alone(&execution, own, Some(load), 1, budget())
        };
        assert_eq!(alone(&LIMITS).limits.cpu, TimeSpan::seconds(4));
        assert_eq!(alone(&LIMITS).undisturbed.map(|limits| limits.cpu), Some(TimeSpan::millis(2_500)));
        for others in [0, 10_000] {
            assert_eq!(after(2_501, Some(Breach::Cpu), others), Next::Accept, "stopped, so undisturbed until then");
            assert_eq!(after(4_001, Some(Breach::Cpu), others), Next::Accept, "too slow even at half speed");
            assert_eq!(after(1_900, None, others), Next::Accept, "in time");
            assert_eq!(
                after(3_000, None, others),
                Next::RunAlone(PAUSE),
                "probably disturbed at 2.5 s, since it was not stopped"
            );
            for breach in [Breach::Wall, Breach::Starved, Breach::Memory, Breach::Output] {
                assert_eq!(after(3_000, Some(breach), others), Next::RunAlone(PAUSE), "{breach:?}");
            }
        }
        assert_eq!(after(2_400, None, 0), Next::Accept);
        assert_eq!(after(2_400, None, 2_400), Next::RunAlone(PAUSE));
    }

    #[test]
    fn a_program_that_is_too_slow_alone_is_run_again_if_other_processes_disturbed_it() {
        let good = ended(TimeSpan::millis(40), TimeSpan::millis(50), None);
        let late = ended(TimeSpan::millis(2_100), TimeSpan::millis(2_200), None);
        let slow = ended(TimeSpan::millis(1_900), TimeSpan::seconds(5), Some(Breach::Wall));
        let starved = ended(TimeSpan::millis(84), TimeSpan::seconds(30), Some(Breach::Starved));
        let (little, much) = (TimeSpan::millis(400), TimeSpan::millis(1_100));
        for certain in [&late, &slow] {
            assert_eq!(after_one_alone(certain, little, 2, 1), Next::Accept);
        }
        assert_eq!(after_one_alone(&good, much, 2, 1), Next::Accept, "in time however busy the machine was");
        for unsure in [&late, &slow, &starved] {
            assert_eq!(after_one_alone(unsure, TimeSpan::seconds(10), 2, 1), Next::RunAlone(PAUSE));
        }
        assert_eq!(after_one_alone(&late, much, 2, 1), Next::RunAlone(PAUSE));
        assert_eq!(after_one_alone(&late, much, 8, 1), Next::Accept, "eight processors have room for others");
        assert_eq!(after_one_alone(&late, much, 2, TRIES_ALONE), Next::Accept, "the number of runs is bounded");
        // The CPU of a program that starts processes without end is busy for longer than the processes run.
        let forking = ended(TimeSpan::millis(2_490), TimeSpan::millis(3_120), None);
        assert_eq!(after_one_alone(&forking, TimeSpan::millis(680), 2, 1), Next::Accept);
        assert_eq!(after_one_alone(&forking, TimeSpan::millis(1_300), 2, 1), Next::RunAlone(PAUSE));
        assert_eq!(after_one_alone(&forking, TimeSpan::millis(680), 1, 1), Next::RunAlone(PAUSE));
        assert_eq!(after_one_alone(&starved, little, 2, 1), Next::Overloaded);
        assert_eq!(after_one_alone(&starved, TimeSpan::seconds(30), 2, TRIES_ALONE), Next::Overloaded);
        let endless = ended(TimeSpan::millis(3_900), TimeSpan::seconds(18), Some(Breach::Starved));
        assert_eq!(after_one_alone(&endless, TimeSpan::seconds(30), 2, 1), Next::RunAlone(PAUSE));
        assert_eq!(after_one_alone(&endless, TimeSpan::seconds(30), 2, TRIES_ALONE), Next::Accept);
    }

    #[test]
    fn the_time_of_runs_alone_is_bounded() {
        let late = ended(TimeSpan::millis(2_100), TimeSpan::millis(2_200), None);
        let load = Some(MachineLoad { busy: TimeSpan::seconds(12), own: late.usage.cpu, processors: 2 });
        assert_eq!(after_alone(&late, LIMITS.cpu, load, 1, budget()), Next::RunAlone(PAUSE));
        assert_eq!(after_alone(&late, LIMITS.cpu, load, 1, spent(true)), Next::Accept);
        let mut in_time = budget();
        in_time.spend(TimeSpan::seconds(3_600), false);
        assert_eq!(in_time, budget(), "runs alone that are in time are not bounded");
    }
}
