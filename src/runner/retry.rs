//! Runs a program as [`judge::retry`](crate::judge::retry) decides: first beside other programs, and again alone if
//! other programs may have affected the result.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use crate::judge::retry::{self, MachineLoad, Next, RetryBudget};
use crate::model::{Activity, CaseId, Execution, Fault, FaultKind, Limits, TimeSpan};
use crate::sandbox::{Cancel, host_cpu_time};
use crate::workers::ExclusiveGate;

use super::host::Host;

/// Interval at which cancellation is checked during a pause between two repeated runs.
const TICK: TimeSpan = TimeSpan::millis(20);

/// The policy for repeating runs, which all runs of a program share.
#[derive(Clone)]
pub(super) struct RetryPolicy<'a> {
    gate: &'a ExclusiveGate,
    cancel: &'a Cancel,
    budget: Arc<Mutex<RetryBudget>>,
    limits: Limits,
    /// Whether the program is run alone from the start.
    alone: bool,
}

impl<'a> RetryPolicy<'a> {
    /// Creates the policy for the runs of a program under these limits of the problem. If `alone` is true, the program
    /// is run alone from the start.
    pub(super) fn new(host: &'a Host, limits: Limits, alone: bool) -> RetryPolicy<'a> {
        let budget = Arc::new(Mutex::new(RetryBudget::new(&limits)));
        RetryPolicy { gate: host.gate(), cancel: host.cancel(), budget, limits, alone }
    }

    /// Returns this policy for runs under other limits. The budget is shared.
    pub(super) fn under(&self, limits: Limits) -> RetryPolicy<'a> {
        RetryPolicy { limits, ..self.clone() }
    }

    /// Returns the limits of the problem.
    pub(super) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Runs a program with an increased CPU time limit, and again alone if other programs may have affected the result.
    /// `own` is the CPU time limit, extended by the factor of the program's language.
    ///
    /// # Errors
    /// Fails if `run` fails, if the machine is too busy to judge the program, or if the run is cancelled.
    pub(super) fn run<T>(
        &self,
        own: TimeSpan,
        case: &CaseId,
        report: &mut dyn FnMut(Activity),
        mut run: impl FnMut(&Limits) -> Result<T, Fault>,
        execution: impl Fn(&T) -> &Execution,
    ) -> Result<T, Fault> {
        if !self.alone {
            let first = {
                let _shared = self.gate.shared(self.cancel)?;
                run(&retry::shared(&self.limits))?
            };
            if !retry::must_run_alone(execution(&first), own, self.budget()) {
                return Ok(first);
            }
            report(Activity::WaitingToRunAlone { case: case.clone() });
        }
        let _alone = self.gate.exclusive(self.cancel)?;
        if !self.alone {
            report(Activity::RunningAlone { case: case.clone() });
        }
        for tried in 1.. {
            let (start, before) = (Instant::now(), host_cpu_time());
            let result = run(&retry::alone(&self.limits))?;
            let load = before.zip(host_cpu_time()).map(|((before, _), (after, processors))| MachineLoad {
                busy: TimeSpan::micros(after.as_micros().saturating_sub(before.as_micros())),
                processors,
            });
            self.spend(TimeSpan::from(start.elapsed()), retry::is_too_slow(execution(&result), own));
            match retry::after_alone(execution(&result), own, load, tried, self.budget()) {
                Next::Accept => return Ok(result),
                Next::Overloaded => return Err(overloaded(execution(&result))),
                Next::RunAlone(pause) => self.pause(pause)?,
            }
        }
        Err(Fault::new(FaultKind::Internal, "the number of repeated runs exceeded its limit"))
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

fn overloaded(execution: &Execution) -> Fault {
    Fault::new(FaultKind::Overload, retry::overloaded(execution))
}
