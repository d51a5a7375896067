//! Searches for inputs that kill the surviving mutants.

use std::time::Instant;

use crate::data::Case;
use crate::model::{ByteSize, Diagnostic, Failure, FaultKind, Limits, TimeSpan, Verdict};
use crate::problem::Problem;
use crate::runner::Host;
use crate::stress::{Hunt, HuntEnd, Pool, hunt, minimize};

use super::field::MutationContext;
use super::report::shown;

/// Maximum number of inputs tried for each survivor.
const TESTS: u64 = 3_000;
/// Maximum memory for the inputs and answers that are reused for the next survivor.
const KEPT: ByteSize = ByteSize::mib(256);
/// Maximum time for shrinking an input.
const SHRINKING: TimeSpan = TimeSpan::seconds(5);

/// Result of searching for an input that kills a surviving mutant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum KillSearchResult {
    /// An input that kills the mutant.
    Found {
        /// The input after shrinking.
        input: Vec<u8>,
        /// Verdict of the mutant on the input.
        verdict: Verdict,
    },
    /// No input was found.
    Nothing {
        /// Number of inputs tried.
        tried: u64,
        /// Whether all possible inputs were tried.
        all: bool,
    },
}

fn wrong_original(name: &str, verdict: Verdict, input: &[u8]) -> Failure {
    let message = format!("{name} is not correct: its verdict on the input {} is `{}`", shown(input), verdict.long());
    Diagnostic::new(message).help("correct the solution or the reference, and add the input to the tests").into()
}

/// For each survivor, searches for an input that kills it. All searches share one time budget. Returns the results in
/// the order of the survivors.
///
/// # Errors
/// Fails if the problem has several passes, if the reference solution or the original of the mutants fails on an input,
/// or if the judge fails.
pub(super) fn find_killing_inputs(
    host: &Host,
    problem: &Problem,
    cases: &[Case],
    field: &MutationContext<'_>,
    survivors: &[u32],
    limits: &Limits,
    budget: TimeSpan,
) -> Result<Vec<KillSearchResult>, Failure> {
    if survivors.is_empty() {
        return Ok(Vec::new());
    }
    let pool = Pool::new(host, problem, cases, 0)?.keeping(KEPT);
    let start = Instant::now();
    let mut all = Vec::with_capacity(survivors.len());
    for (index, id) in survivors.iter().enumerate() {
        let left = budget.as_micros().saturating_sub(TimeSpan::from(start.elapsed()).as_micros());
        // Time that is not used for a survivor is available for later survivors.
        let share = TimeSpan::micros(left / (survivors.len() - index) as u64);
        let how = Hunt { seconds: Some(share), count: Some(TESTS), limits: *limits, slots: None };
        let mutant = field.mutant_program(*id);
        let hunted = hunt(&pool, &mutant, &how, &mut |_| {})?;
        all.push(match hunted.end {
            HuntEnd::Found(found) => {
                let small = minimize(&pool, &mutant, &found, limits, SHRINKING, &mut |_| {})?.found;
                // A solution other than the reference may be wrong itself.
                if let Some(verdict) =
                    field.try_original(host, limits, &small.input, small.failure.answer.as_deref())?
                {
                    return Err(wrong_original(field.name, verdict, &small.input));
                }
                KillSearchResult::Found { input: small.input, verdict: small.failure.verdict }
            }
            HuntEnd::Broken { input, broken, .. } => {
                let message = format!("the reference solution failed on the input {}: {}", shown(&input), broken.words);
                return Err(Failure::complaint(message));
            }
            HuntEnd::Cancelled => return Err(Failure::fault(FaultKind::Cancelled, "cancelled")),
            HuntEnd::Spent => KillSearchResult::Nothing { tried: hunted.progress.tests, all: false },
            HuntEnd::All => KillSearchResult::Nothing { tried: hunted.progress.tests, all: true },
        });
    }
    Ok(all)
}
