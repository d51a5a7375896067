//! Runs a program as [`judge::retry`](crate::judge::retry) decides: first concurrently with other programs, and again
//! alone if other programs may have affected the result.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use crate::judge::retry::{self, CloseTimes, Next, RetryBudget, RunLimits};
use crate::model::{Activity, CaseId, Execution, Fault, FaultKind, Limits, MachineLoad, TimeSpan};
use crate::sandbox::{Cancel, CellOutput, host_cpu_time};
use crate::workers::{ExclusiveGate, GateGuard};

use super::host::Host;

/// Interval at which cancellation is checked during a pause between two repeated runs.
const TICK: TimeSpan = TimeSpan::millis(20);

/// The result of a run that [`RetryPolicy::run`] may repeat.
pub(super) trait RunResult {
    /// Returns the measurements of the program.
    fn execution(&self) -> &Execution;

    /// Returns the CPU time of the other programs that belong to the run, such as an interactor.
    fn other_cpu(&self) -> TimeSpan {
        TimeSpan::ZERO
    }
}

impl RunResult for CellOutput {
    fn execution(&self) -> &Execution {
        &self.execution
    }
}

/// The policy for repeating runs, which all runs of a program share.
#[derive(Clone)]
pub(super) struct RetryPolicy<'a> {
    gate: &'a Arc<ExclusiveGate>,
    cancel: &'a Cancel,
    budget: Arc<Mutex<RetryBudget>>,
    limits: Limits,
    /// Whether the program is run alone from the start.
    alone: bool,
    /// Exclusive access for the first run of the program; see [`RetryPolicy::with_first_run_alone`].
    first: Arc<Mutex<Option<GateGuard>>>,
    /// The case on which the first run is alone. Another thread may reach its case earlier.
    first_case: Option<CaseId>,
    /// The times of the runs on the last case, if they are close to the limit.
    close: Arc<Mutex<Option<CloseTimes>>>,
}

impl<'a> RetryPolicy<'a> {
    /// Creates the policy for the runs of a program under the problem's limits `limits`. If `alone` is true, the
    /// program is run alone from the start.
    pub(super) fn new(host: &'a Host, limits: Limits, alone: bool) -> RetryPolicy<'a> {
        let budget = Arc::new(Mutex::new(RetryBudget::new(&limits)));
        let (first, close) = (Arc::default(), Arc::default());
        RetryPolicy { gate: host.gate(), cancel: host.cancel(), budget, limits, alone, first, first_case: None, close }
    }

    /// Makes the first run of the program, on the case `case`, a run alone, so that a program that is too slow on it is
    /// stopped at 1.25 times its CPU time limit, and not at twice the limit, unless other processes of the machine
    /// disturb this run. Other runs of this judge wait until this run has ended, or until
    /// [`RetryPolicy::end_first_run`] is called.
    ///
    /// # Errors
    /// Fails if the judge is cancelled while other programs are running.
    pub(super) fn with_first_run_alone(self, case: CaseId) -> Result<RetryPolicy<'a>, Fault> {
        let first = Arc::new(Mutex::new(Some(self.gate.exclusive(self.cancel)?)));
        Ok(RetryPolicy { first, first_case: Some(case), ..self })
    }

    /// Ends the exclusive access for the first run of the program, which does not take place if its case fails before.
    pub(super) fn end_first_run(&self) {
        drop(self.take_first());
    }

    fn take_first(&self) -> Option<GateGuard> {
        self.first.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Returns a copy of this policy for runs under the limits `limits`. The copy shares the budget of this policy.
    pub(super) fn under(&self, limits: Limits) -> RetryPolicy<'a> {
        RetryPolicy { limits, close: Arc::default(), ..self.clone() }
    }

    /// Returns and clears the times of the runs on the last case, if these times are close to the limit.
    pub(super) fn take_close(&self) -> Option<CloseTimes> {
        self.close.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Returns the limits under which programs are run, without the extension for the program's language.
    pub(super) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Waits for shared access, for runs without [`RetryPolicy::run`] under the limits of [`RetryPolicy::shared_limits`].
    ///
    /// # Errors
    /// Fails if the judge is cancelled.
    pub(super) fn shared_access(&self) -> Result<GateGuard, Fault> {
        self.gate.shared(self.cancel)
    }

    /// Returns whether a run waits until no other program runs.
    pub(super) fn is_exclusive_awaited(&self) -> bool {
        self.gate.is_exclusive_awaited()
    }

    /// Returns the limits of a run next to other programs.
    pub(super) fn shared_limits(&self) -> RunLimits {
        retry::shared(&self.limits).into()
    }

    /// Returns whether the program need not be run again after a run next to other programs, and its time is not close to
    /// the limit `own`.
    pub(super) fn is_final(&self, execution: &Execution, own: TimeSpan) -> bool {
        !retry::must_run_alone(execution, own, self.budget())
            && retry::confirmations(execution, own, self.budget()) == 0
            && CloseTimes::of(&[], execution, own).is_none()
    }

    /// Runs a program with an increased CPU time limit, and again alone if other programs may have affected the result
    /// or if the time is close to the limit. `own` is the CPU time limit, extended by the factor of the program's
    /// language.
    ///
    /// # Errors
    /// Fails if `run` fails, if the machine is too busy to judge the program, or if the run is cancelled.
    pub(super) fn run<T: RunResult>(
        &self,
        own: TimeSpan,
        case: &CaseId,
        report: &mut dyn FnMut(Activity),
        mut run: impl FnMut(&RunLimits) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        self.take_close();
        let mut runs = Runs { own, counted: None, times: Vec::new(), left: None };
        let mut exclusive = self.first_case.as_ref().filter(|first| *first == case).and_then(|_| self.take_first());
        if exclusive.is_some() {
            report(Activity::RunningCase { case: case.clone() });
            let AloneRun { result, load, time } = self.run_alone(&mut run)?;
            match retry::after_alone(result.execution(), own, load, 1, self.budget()) {
                Next::Accept => {
                    self.spend(time, retry::is_too_slow(result.execution(), own));
                    runs.add(result, self.budget());
                }
                // Other processes disturbed the run, so it says nothing about the program and does not reduce the budget.
                // The next run may be conclusive, even next to other programs.
                Next::RunAlone(_) | Next::Overloaded => exclusive = None,
            }
        }
        if exclusive.is_none() && !self.alone {
            let first = {
                let _shared = self.gate.shared(self.cancel)?;
                report(Activity::RunningCase { case: case.clone() });
                run(&retry::shared(&self.limits).into())?
            };
            if !retry::must_run_alone(first.execution(), own, self.budget()) {
                runs.add(first, self.budget());
            }
        }
        if runs.is_enough() {
            return self.end(runs);
        }
        let _exclusive = match exclusive {
            Some(exclusive) => exclusive,
            None => {
                if !self.alone {
                    report(Activity::WaitingToRunAlone { case: case.clone() });
                }
                self.gate.exclusive(self.cancel)?
            }
        };
        // Another case of the program may have been confirmed while this thread waited for exclusive access.
        if runs.counted.as_ref().is_some_and(|first| retry::confirmations(first.execution(), own, self.budget()) == 0) {
            return self.end(runs);
        }
        report(match self.alone {
            true => Activity::RunningCase { case: case.clone() },
            false => Activity::RunningAlone { case: case.clone() },
        });
        for tried in 1.. {
            let AloneRun { result, load, time } = self.run_alone(&mut run)?;
            self.spend(time, retry::is_too_slow(result.execution(), own));
            match retry::after_alone(result.execution(), own, load, tried, self.budget()) {
                Next::RunAlone(pause) => {
                    self.pause(pause)?;
                    continue;
                }
                Next::Overloaded if runs.counted.is_none() => return Err(overloaded(result.execution())),
                Next::Overloaded | Next::Accept => runs.add(result, self.budget()),
            }
            if runs.is_enough() {
                break;
            }
        }
        self.end(runs)
    }

    /// Runs a program while this thread has exclusive access.
    fn run_alone<T: RunResult>(
        &self,
        run: &mut impl FnMut(&RunLimits) -> Result<T, Fault>,
    ) -> Result<AloneRun<T>, Fault> {
        let (start, before) = (Instant::now(), host_cpu_time());
        let result = run(&retry::alone(&self.limits))?;
        let load = before.zip(host_cpu_time()).map(|((before, _), (after, processors))| MachineLoad {
            busy: TimeSpan::micros(after.as_micros().saturating_sub(before.as_micros())),
            own: result.execution().usage.cpu.plus(result.other_cpu()),
            processors,
        });
        Ok(AloneRun { result, load, time: start.elapsed().into() })
    }

    /// Returns the result that counts, and records the times if they are close to the limit.
    fn end<T: RunResult>(&self, runs: Runs<T>) -> Result<T, Fault> {
        let Runs { own, counted, times, .. } = runs;
        let counted = counted.ok_or_else(|| Fault::new(FaultKind::Internal, "the program was never run"))?;
        if let Some(close) = CloseTimes::of(&times, counted.execution(), own) {
            if close.runs > 1 {
                self.budget.lock().unwrap_or_else(PoisonError::into_inner).confirm(close.least, own);
            }
            *self.close.lock().unwrap_or_else(PoisonError::into_inner) = Some(close);
        }
        Ok(counted)
    }

    fn budget(&self) -> RetryBudget {
        *self.budget.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn spend(&self, time: TimeSpan, too_slow: bool) {
        self.budget.lock().unwrap_or_else(PoisonError::into_inner).spend(time, too_slow);
    }

    fn pause(&self, pause: TimeSpan) -> Result<(), Fault> {
        let start = Instant::now();
        while TimeSpan::from(start.elapsed()) < pause {
            if self.cancel.is_cancelled() {
                return Err(Fault::new(FaultKind::Cancelled, "the run was cancelled"));
            }
            std::thread::sleep(TICK.duration());
        }
        self.spend(pause, true);
        Ok(())
    }
}

/// A run while no other program was running.
struct AloneRun<T> {
    result: T,
    /// The load of the machine during the run; `None` if it could not be measured.
    load: Option<MachineLoad>,
    /// The duration of the run.
    time: TimeSpan,
}

/// The state of the runs of a program on a case. Runs whose results are discarded are not included.
struct Runs<T> {
    own: TimeSpan,
    /// The result that counts; `None` before the first run.
    counted: Option<T>,
    /// The CPU times of the runs for which [`retry::has_time`] holds.
    times: Vec<TimeSpan>,
    /// The number of runs that are still required; `None` before the first run.
    left: Option<u32>,
}

impl<T: RunResult> Runs<T> {
    fn add(&mut self, result: T, budget: RetryBudget) {
        let new = result.execution();
        if retry::has_time(new, self.own) {
            self.times.push(new.usage.cpu);
        }
        self.left = Some(match self.left {
            None => retry::confirmations(new, self.own, budget),
            Some(left) => left.saturating_sub(1),
        });
        if self.counted.as_ref().is_none_or(|counted| retry::counts_instead(new, counted.execution(), self.own)) {
            self.counted = Some(result);
        }
    }

    fn is_enough(&self) -> bool {
        self.left == Some(0)
    }
}

fn overloaded(execution: &Execution) -> Fault {
    Fault::new(FaultKind::Overload, retry::overloaded(execution))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::model::{Breach, ByteSize, Capture, Exit, Usage};
    use crate::sandbox::MockSandbox;

    const LIMITS: Limits = Limits {
        cpu: TimeSpan::seconds(1),
        wall: TimeSpan::seconds(3),
        memory: ByteSize::mib(64),
        output: ByteSize::mib(8),
        processes: 16,
    };

    /// Returns a host that can run one program.
    fn host(cache: &Path) -> Host {
        let sandbox = MockSandbox::new(|_, _| Ok(MockSandbox::wrote("")));
        Host::new(Box::new(sandbox), &Cancel::new().unwrap(), cache, None, 1).unwrap()
    }

    /// Simulates a program whose runs take these CPU times, in milliseconds. Returns the time of the run that counts,
    /// the number of runs, and the shortest time if the report must state that the time is close to the limit.
    fn ran(retry: &RetryPolicy<'_>, times: &[u64]) -> (u64, usize, Option<u64>) {
        ran_on(retry, times, true)
    }

    /// Like [`ran`], on a machine whose other processes disturb the runs unless `undisturbed` is true.
    fn ran_on(retry: &RetryPolicy<'_>, times: &[u64], undisturbed: bool) -> (u64, usize, Option<u64>) {
        let mut runs = 0;
        let run = |run: &RunLimits| {
            let cpu = TimeSpan::millis(times[runs]);
            runs += 1;
            let limits = run.undisturbed.filter(|_| undisturbed).unwrap_or(run.limits);
            let breach = (cpu > limits.cpu).then_some(Breach::Cpu);
            let usage = Usage { cpu, wall: TimeSpan::seconds(2), memory: ByteSize::mib(1), instructions: None };
            let execution = Execution { exit: Exit::Code(0), breach, usage, stderr: Capture::default() };
            Ok(CellOutput {
                execution,
                resident: ByteSize::default(),
                stdout: Vec::new(),
                spilled: None,
                files: Vec::new(),
            })
        };
        let result = retry.run(LIMITS.cpu, &CaseId::named("1"), &mut |_| {}, run).unwrap();
        let close = retry.take_close();
        assert_eq!(retry.take_close(), None, "the times are taken once");
        (result.execution.usage.cpu.as_micros() / 1_000, runs, close.map(|close| close.least.as_micros() / 1_000))
    }

    #[test]
    fn a_time_close_to_the_limit_is_measured_three_times_more_alone_and_the_shortest_counts() {
        let cache = tempfile::tempdir().unwrap();
        let host = host(cache.path());
        let policy = |alone| RetryPolicy::new(&host, LIMITS, alone);
        assert_eq!(ran(&policy(false), &[700]), (700, 1, None));
        assert_eq!(ran(&policy(false), &[1_500, 700]), (700, 2, None), "only other programs made it slow");
        assert_eq!(ran(&policy(false), &[2_001]), (2_001, 1, None), "too slow on any machine");
        assert_eq!(ran(&policy(false), &[1_500, 1_251]), (1_251, 2, None), "clearly too slow");
        assert_eq!(ran(&policy(false), &[900, 880, 1_050, 870]), (900, 4, Some(870)));
        assert_eq!(ran(&policy(false), &[1_500, 1_100, 1_050, 990, 1_200]), (990, 5, Some(990)), "in time once");
        assert_eq!(ran(&policy(false), &[1_500, 1_100, 1_050, 1_070, 1_260]), (1_050, 5, Some(1_050)));
        assert_eq!(ran(&policy(true), &[1_100, 1_050, 990, 1_200]), (990, 4, Some(990)));
        let one = policy(false);
        assert_eq!(ran(&one, &[900, 900, 900, 900]), (900, 4, Some(900)));
        assert_eq!(ran(&one, &[940]), (940, 1, Some(940)), "a case that is hardly slower is marked but not confirmed");
        assert_eq!(ran(&one, &[960, 960, 960, 960]), (960, 4, Some(960)));
    }

    #[test]
    fn a_program_that_is_too_slow_on_the_first_case_is_stopped_at_the_limit_of_a_run_alone() {
        let cache = tempfile::tempdir().unwrap();
        let host = host(cache.path());
        let first_alone_on =
            |case: &str| RetryPolicy::new(&host, LIMITS, false).with_first_run_alone(CaseId::named(case)).unwrap();
        let first_alone = || first_alone_on("1");
        let policy = first_alone();
        assert_eq!(ran(&policy, &[700]), (700, 1, None));
        assert_eq!(ran(&policy, &[1_500, 700]), (700, 2, None), "only the first run is alone");
        assert_eq!(ran(&first_alone(), &[900, 880, 1_050, 870]), (900, 4, Some(870)));
        // The simulated runs take no time, so the machine is not busy in them.
        assert_eq!(ran(&first_alone(), &[1_251]), (1_251, 1, None), "too slow alone");
        let disturbed = |times: &[u64]| ran_on(&first_alone(), times, false);
        assert_eq!(disturbed(&[2_001]), (2_001, 1, None), "a disturbed run continues until twice the limit");
        assert_eq!(disturbed(&[1_251, 700]), (700, 2, None), "only other processes made it slow");
        // The run on another case waits for the first one, which does not take place here.
        let policy = first_alone_on("other");
        policy.end_first_run();
        assert_eq!(ran(&policy, &[1_500, 700]), (700, 2, None), "the run on another case is not alone");
        drop(host.gate().shared(host.cancel()).unwrap());
    }
}
