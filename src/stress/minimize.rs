//! Shrinks a failing input.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use crate::input::{Description, Instance, Invalid, guess};
use crate::model::{Digest, Failure, Fault, FaultKind, Limits, TimeSpan};
use crate::runner::{BuiltProgram, OutputChecker, ProgramRunner, SharedRetry};
use crate::workers::SlotLease;

use super::pool::{Pool, Test, TestAnswer};
use super::shrink_text::shrink_text;
use super::test_run::{FailingInput, TestFailure, TestOutcome, Worker};

/// Maximum number of inputs that are tried while an input is shrunk by means of a description.
const TRIALS: u64 = 50_000;
/// Number of seeds for which the user's generator is run to infer the format of its inputs.
const SEEDS: u64 = 100;
/// Divisor of the time for minimization. The quotient is the maximum time for running the generator with these seeds.
const SEEDS_PART: u32 = 5;
/// Text that is appended to an input, to detect whether a program reads past the end of the input.
const AFTER_END: &[u8] = b"7 7 7 7 7 7 7 7\n";

/// The result of shrinking.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MinimizedInput {
    /// The smallest failing input that was found.
    pub input: Vec<u8>,
    /// Whether the input is minimal: if any part is removed or any value is moved closer to 0, the input becomes
    /// invalid or the program no longer fails on it.
    pub minimal: bool,
    /// The number of successful shrinking steps.
    pub steps: u64,
    /// The number of different inputs that were tried.
    pub trials: u64,
}

/// Replaces a failing input by smaller valid inputs as long as `fails` returns `Some(true)` for them. If `fails`
/// returns `None` because the time is over, the result is the smallest failing input found by then, and is not
/// reported as minimal.
///
/// No input is tried twice.
///
/// # Errors
/// Fails if `input` does not match `description`.
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
    /// The minimized input, and the result of the program on it. The verdict is the same as on the original input.
    pub found: FailingInput,
    /// The method by which the input was made smaller.
    pub way: ShrinkWay,
    /// Whether the input is minimal; see [`MinimizedInput::minimal`].
    pub minimal: bool,
    /// Whether the program failed again on the original input, or was not run on it again. If this is false, the
    /// program is not deterministic.
    pub repeats: bool,
    /// The number of different inputs that were tried.
    pub trials: u64,
    /// The time that minimization took.
    pub time: TimeSpan,
    /// Whether the minimization was cancelled.
    pub cancelled: bool,
}

impl Minimized {
    /// Returns the result of a minimization that was cancelled before an input was tried.
    fn cancelled(found: &FailingInput, start: Instant) -> Minimized {
        Minimized {
            found: found.clone(),
            way: ShrinkWay::Untouched,
            minimal: false,
            repeats: true,
            trials: 0,
            time: TimeSpan::from(start.elapsed()),
            cancelled: true,
        }
    }
}

/// The method by which an input is made smaller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ShrinkWay {
    /// The input was not changed, because it is a sample, the program does not fail on it every time, the time was
    /// over, or the minimization was cancelled.
    Untouched,
    /// The input was shrunk by means of the problem's description.
    Description,
    /// The input was shrunk by means of this description, which was guessed from outputs of the generator.
    Guess(String),
    /// The input was shrunk as text: by removing lines, values and letters, and by making numbers smaller.
    Text,
}

/// The progress of minimization.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShrinkProgress<'a> {
    /// The number of different inputs that were tried.
    pub trials: u64,
    /// The input that was tried last, if the program failed on it. This input is the smallest failing input so far.
    pub smaller: Option<&'a [u8]>,
}

/// Minimizes a failing input within `time`. The program must fail on the smaller input with the same verdict. `emit` is
/// called after each input that was tried.
///
/// # Errors
/// Fails if the judge itself fails. A cancellation is not an error; the smallest input found by then is returned.
pub fn minimize(
    pool: &Pool<'_>,
    program: &BuiltProgram,
    found: &FailingInput,
    limits: &Limits,
    time: TimeSpan,
    emit: &mut dyn FnMut(&ShrinkProgress<'_>),
) -> Result<Minimized, Failure> {
    let start = Instant::now();
    let host = pool.host();
    let lease = match host.slots().lease(1, host.cancel(), &mut || {}) {
        Ok(lease) => lease,
        Err(Fault { kind: FaultKind::Cancelled, .. }) => return Ok(Minimized::cancelled(found, start)),
        Err(fault) => return Err(fault.into()),
    };
    let slot = lease.slots().first().copied().unwrap_or_default();
    let runner = ProgramRunner::new(host, program, slot)?;
    let (tools, output_checker) = (pool.tools(slot), OutputChecker::new(host, slot));
    let retry = &SharedRetry::new(host, *limits);
    let worker = Worker { pool, slot, runner, tools, output_checker, retry };
    let mut trials = Trials {
        worker,
        found,
        best: None,
        failure: None,
        count: 0,
        guards_end: false,
        start,
        time,
        emit,
        lease: &lease,
    };
    let (repeats, (way, minimal)) = match found.sample {
        Some(_) => (Some(true), (ShrinkWay::Untouched, false)),
        None => {
            let repeats = trials.fails(&found.input);
            let shrunk = if repeats == Some(true) { shrink_any(&mut trials) } else { (ShrinkWay::Untouched, false) };
            (repeats, shrunk)
        }
    };
    let Trials { worker, best, failure, count, .. } = trials;
    pool.put_back(slot, worker.tools);
    let cancelled = match failure {
        Some(Failure::Fault(Fault { kind: FaultKind::Cancelled, .. })) => true,
        Some(failure) => return Err(failure),
        None => false,
    };
    Ok(Minimized {
        found: best.unwrap_or_else(|| found.clone()),
        way,
        minimal,
        repeats: repeats != Some(false),
        trials: count,
        time: TimeSpan::from(start.elapsed()),
        cancelled,
    })
}

/// Shrinks the failing input by means of the problem's description if there is one, otherwise by means of a description
/// that is guessed from examples, or else as text. Returns the method, and whether the input is minimal.
fn shrink_any(trials: &mut Trials<'_, '_>) -> (ShrinkWay, bool) {
    let pool = trials.worker.pool;
    let found = trials.found;
    if let Some(description) = &pool.problem().description {
        let shrunk = shrink(description, &found.input, &mut |input| trials.fails(input));
        return (ShrinkWay::Description, shrunk.is_ok_and(|shrunk| shrunk.minimal));
    }
    let mut examples = trials.more_seeds();
    examples.push(found.input.clone());
    let slices: Vec<&[u8]> = examples.iter().map(Vec::as_slice).collect();
    let smallest =
        |trials: &Trials<'_, '_>| trials.best.as_ref().map_or_else(|| found.input.clone(), |best| best.input.clone());
    if let Some(guess) = guess(&slices)
        && let Some(input) = guess.normalized(&smallest(trials))
        && trials.fails(&input) == Some(true)
    {
        let mut fails = |input: &[u8]| if guess.accepts(input) { trials.fails(input) } else { Some(false) };
        let minimal = shrink(&guess.description, &input, &mut fails).is_ok_and(|shrunk| shrunk.minimal);
        return (ShrinkWay::Guess(guess.text), minimal);
    }
    trials.guards_end = pool.problem().validators.is_empty();
    let input = smallest(trials);
    let shrunk = shrink_text(&input, least_number(&slices), &mut |input| trials.fails(input));
    (ShrinkWay::Text, shrunk.minimal)
}

/// Returns the least number in these inputs, or 0 if they contain no number. The numbers of smaller inputs should not
/// be less than this number.
fn least_number(inputs: &[&[u8]]) -> i64 {
    let tokens = inputs.iter().filter_map(|input| std::str::from_utf8(input).ok()).flat_map(str::split_whitespace);
    tokens.filter_map(|token| token.parse::<i64>().ok()).min().unwrap_or(0)
}

/// The state of a minimization, in which the program is run on candidates for a smaller failing input.
struct Trials<'a, 'w> {
    worker: Worker<'w>,
    found: &'a FailingInput,
    /// The smallest failing candidate so far; `None` if no candidate has failed.
    best: Option<FailingInput>,
    failure: Option<Failure>,
    count: u64,
    /// Whether candidates may be truncated inputs that no validator rejects. In this case, candidates on which the
    /// answering program reads past the end of the input are rejected.
    guards_end: bool,
    start: Instant,
    time: TimeSpan,
    emit: &'a mut dyn FnMut(&ShrinkProgress<'_>),
    lease: &'a SlotLease,
}

impl Trials<'_, '_> {
    /// Returns whether the program fails on this input with the same verdict, or `None` if the time is over or the
    /// judge failed. An input on which it fails is stored in `best`.
    fn fails(&mut self, input: &[u8]) -> Option<bool> {
        if self.failure.is_some() || self.start.elapsed() >= self.time.duration() {
            return None;
        }
        match self.again(input) {
            Ok(failure) => {
                self.count += 1;
                let smaller = failure.is_some().then_some(input);
                (self.emit)(&ShrinkProgress { trials: self.count, smaller });
                let Some(failure) = failure else { return Some(false) };
                self.best = Some(FailingInput { input: input.to_vec(), failure, ..self.found.clone() });
                Some(true)
            }
            Err(fault) => {
                self.failure = Some(fault.into());
                None
            }
        }
    }

    /// Runs the program on this input. Returns its failure if the verdict is the same as on the original input, and
    /// `None` otherwise.
    fn again(&mut self, input: &[u8]) -> Result<Option<TestFailure>, Fault> {
        self.lease.yield_slot(self.worker.slot, self.worker.pool.host().cancel())?;
        let test = Arc::new(Test::new(None, input.to_vec()));
        if self.worker.rejection(&test)?.is_some() {
            return Ok(None);
        }
        let TestOutcome::Failed(failure) = self.worker.attempt(&test)? else { return Ok(None) };
        let first = &self.found.failure;
        if failure.verdict != first.verdict || failure.suspect != first.suspect {
            return Ok(None);
        }
        let empty = |answer: &Option<Arc<[u8]>>| answer.as_ref().is_some_and(|text| text.trim_ascii().is_empty());
        let lenient = !self.worker.pool.problem().knows_valid_inputs();
        if lenient && empty(&failure.answer) && !empty(&first.answer) {
            return Ok(None);
        }
        if self.guards_end && self.reads_past_end(input, &failure)? {
            return Ok(None);
        }
        Ok(Some(*failure))
    }

    /// Returns whether the answer changes when text is appended to the input. If it does, the input is incomplete.
    fn reads_past_end(&mut self, input: &[u8], failure: &TestFailure) -> Result<bool, Fault> {
        let Worker { pool, slot, tools, .. } = &mut self.worker;
        // There is no answer if the problem is interactive, or if the program crashed or exceeded a limit.
        let Some(answer) = &failure.answer else { return Ok(false) };
        let first = pool.answerer_name(0);
        if failure.agreement.unanswered.iter().any(|name| name == first) {
            return Ok(false);
        }
        let longer = [input, AFTER_END].concat();
        Ok(match pool.answer_to(tools, *slot, 0, &longer)? {
            TestAnswer::Given(other) => other != *answer,
            // A program that reads its input to the end may reject the appended text, although the input is complete.
            TestAnswer::Broken(_) | TestAnswer::TooMuch => false,
        })
    }

    /// Returns the inputs that the user's generator prints for up to [`SEEDS`] seeds, in order of increasing size. The
    /// first of these inputs on which the program fails becomes the best input, if it is smaller than the failing
    /// input.
    fn more_seeds(&mut self) -> Vec<Vec<u8>> {
        let mut inputs = Vec::new();
        let Worker { pool, slot, tools, .. } = &mut self.worker;
        let part = self.time.duration() / SEEDS_PART;
        for number in (0..SEEDS).take_while(|_| self.start.elapsed() < part) {
            match pool.making().seeded(tools, *slot, number) {
                Ok(Some(input)) => inputs.push(input),
                // If the generator can't print another input, the failing input is still reported.
                Ok(None) | Err(Failure::Complaint(_)) => break,
                Err(failure) => {
                    self.failure = Some(failure);
                    break;
                }
            }
        }
        inputs.sort_by_key(Vec::len);
        let smaller = inputs.iter().take_while(|input| input.len() < self.found.input.len());
        let smaller: Vec<&Vec<u8>> = smaller.collect();
        for input in smaller {
            if self.start.elapsed() >= 2 * part || self.fails(input) != Some(false) {
                break;
            }
        }
        inputs
    }
}
