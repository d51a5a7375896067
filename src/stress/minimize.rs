//! Shrinks a failing input.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use crate::input::{Description, Instance, Invalid};
use crate::model::{Digest, Failure, Fault, FaultKind, Limits, TimeSpan};
use crate::runner::{BuiltProgram, OutputChecker, ProgramRunner, SharedRetry};

use super::pool::{Pool, Test};
use super::test_run::{FailingInput, TestFailure, TestOutcome, Worker};

/// Maximum number of inputs that are tried.
const TRIALS: u64 = 50_000;

/// The result of shrinking.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MinimizedInput {
    /// The smallest failing input that was found.
    pub input: Vec<u8>,
    /// Whether the input is minimal: no single removal and no single value closer to 0 leaves it valid and failing.
    pub minimal: bool,
    /// The number of successful steps.
    pub steps: u64,
    /// The number of different inputs that were tried.
    pub trials: u64,
}

/// Makes a failing input smaller while it stays valid and `fails` returns `Some(true)`. If `fails` returns `None`,
/// because the time is over, the result is the smallest input until then, which is not reported as minimal.
///
/// No input is tried twice.
///
/// # Errors
/// Fails if the input does not match this description.
pub fn shrink(
    description: &Description,
    input: &[u8],
    fails: &mut dyn FnMut(&[u8]) -> Option<bool>,
) -> Result<MinimizedInput, Invalid> {
    let instance = description.read(input, None)?;
    let mut known: HashMap<Digest, bool> = HashMap::new();
    let shrunk = description.shrink_while(TRIALS, &instance, &mut |candidate: &Instance| {
        let bytes = candidate.to_bytes(description);
        let digest = Digest::of(&bytes);
        if let Some(failed) = known.get(&digest) {
            return Some(*failed);
        }
        let failed = fails(&bytes)?;
        known.insert(digest, failed);
        Some(failed)
    });
    let trials = known.len() as u64;
    let input = shrunk.instance.to_bytes(description);
    Ok(MinimizedInput { input, minimal: shrunk.minimal, steps: shrunk.steps, trials })
}

/// A minimized failing input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Minimized {
    /// The small input and the result on it, which has the same verdict as the first one.
    pub found: FailingInput,
    /// Whether the input is minimal; see [`MinimizedInput::minimal`].
    pub minimal: bool,
    /// Whether the program failed again on the input that was found. If not, it is not deterministic.
    pub repeats: bool,
    /// The number of different inputs that were tried.
    pub trials: u64,
    /// The time that minimization took.
    pub time: TimeSpan,
    /// Whether the minimization was cancelled.
    pub cancelled: bool,
}

/// Minimizes an input that was found, within `time`: the program must fail with the same verdict. `tell` is called with
/// the size in bytes and the number of inputs tried.
///
/// # Errors
/// Returns a fault if the judge fails. A cancellation is not an error: the smallest input until then is returned.
pub fn minimize(
    pool: &Pool<'_>,
    program: &BuiltProgram,
    found: &FailingInput,
    limits: &Limits,
    time: TimeSpan,
    emit: &mut dyn FnMut(u64, u64),
) -> Result<Minimized, Failure> {
    let start = Instant::now();
    let host = pool.host();
    let lease = host.slots().lease(1, host.cancel(), &mut || {})?;
    let slot = lease.slots().first().copied().unwrap_or_default();
    let runner = ProgramRunner::new(host, program, slot)?;
    let (tools, output_checker) = (pool.tools(slot), OutputChecker::new(host, slot));
    let retry = &SharedRetry::new(host, *limits);
    let mut worker = Worker { pool, slot, runner, tools, output_checker, retry };
    let (mut best, mut failure, mut trials) = (None, None, 0);
    let mut fails = |input: &[u8]| -> Option<bool> {
        if start.elapsed() >= time.duration() {
            return None;
        }
        match again(&mut worker, input, found) {
            Ok(Some(failure)) => {
                best = Some(FailingInput { number: found.number, input: input.to_vec(), failure });
                trials += 1;
                emit(input.len() as u64, trials);
                Some(true)
            }
            Ok(None) => {
                trials += 1;
                Some(false)
            }
            Err(fault) => {
                failure = Some(fault);
                None
            }
        }
    };
    let repeats = fails(&found.input);
    let shrunk = match repeats {
        Some(true) => Some(shrink(&pool.problem().input, &found.input, &mut fails)),
        _ => None,
    };
    let minimal = matches!(&shrunk, Some(Ok(shrunk)) if shrunk.minimal);
    pool.put_back(slot, worker.tools);
    let cancelled = match failure {
        Some(Fault { kind: FaultKind::Cancelled, .. }) => true,
        Some(fault) => return Err(fault.into()),
        None => false,
    };
    Ok(Minimized {
        found: best.unwrap_or_else(|| found.clone()),
        minimal,
        repeats: repeats != Some(false),
        trials,
        time: TimeSpan::from(start.elapsed()),
        cancelled,
    })
}

/// The result of the program on this input, if it fails with the same verdict.
fn again(worker: &mut Worker<'_>, input: &[u8], found: &FailingInput) -> Result<Option<TestFailure>, Fault> {
    let test = Arc::new(Test::new(None, input.to_vec()));
    if !worker.admits(&test)? {
        return Ok(None);
    }
    Ok(match worker.attempt(&test)? {
        TestOutcome::Failed(failure) if failure.verdict == found.failure.verdict => Some(*failure),
        _ => None,
    })
}
