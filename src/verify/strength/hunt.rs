//! Looking for inputs that would kill the mutants that no test kills.

use std::time::Instant;

use crate::data::Case;
use crate::model::{ByteSize, Failure, FaultKind, Limits, TimeSpan, Verdict};
use crate::problem::Problem;
use crate::runner::Host;
use crate::stress::{End, Hunt, Pool, hunt, minimize};

use super::field::Field;

/// So many inputs are tried for each survivor, at most.
const TESTS: u64 = 3_000;
/// Inputs and answers that are kept from one survivor to the next.
const KEPT: ByteSize = ByteSize::mib(256);
/// An input that was found is made smaller for so long, at most.
const SHRINKING: TimeSpan = TimeSpan::seconds(5);

/// What the hunt for one survivor gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Prey {
    /// This input kills it.
    Found {
        /// The input, made as small as it goes.
        input: Vec<u8>,
        /// How.
        verdict: Verdict,
    },
    /// None of so many did.
    Nothing {
        /// How many were tried.
        tried: u64,
        /// Whether these are all inputs there are.
        all: bool,
    },
}

/// Hunts these survivors one after another, all together for as long as the budget says.
///
/// # Errors
/// The reference fails on an input; or our own failure.
pub(super) fn prey(
    host: &Host,
    problem: &Problem,
    cases: &[Case],
    field: &Field<'_>,
    survivors: &[u32],
    limits: &Limits,
    budget: TimeSpan,
) -> Result<Vec<Prey>, Failure> {
    if survivors.is_empty() {
        return Ok(Vec::new());
    }
    let pool = Pool::new(host, problem, cases, 0)?.keeping(KEPT);
    let start = Instant::now();
    let mut all = Vec::with_capacity(survivors.len());
    for (index, id) in survivors.iter().enumerate() {
        let left = budget.as_micros().saturating_sub(TimeSpan::from(start.elapsed()).as_micros());
        // What one does not need is for those after it.
        let share = TimeSpan::micros(left / (survivors.len() - index) as u64);
        let how = Hunt { seconds: Some(share), count: Some(TESTS), limits: *limits };
        let mutant = field.mutant_program(*id);
        let hunted = hunt(&pool, &mutant, &how, &mut |_| {})?;
        all.push(match hunted.end {
            End::Found(found) => {
                let small = minimize(&pool, &mutant, &found, limits, SHRINKING, &mut |_, _| {})?.found;
                Prey::Found { input: small.input, verdict: small.trial.verdict }
            }
            End::Broken { number, broken, .. } => {
                let message = format!("the reference failed on the made input {number}: {}", broken.words);
                return Err(Failure::complaint(message));
            }
            End::Cancelled => return Err(Failure::fault(FaultKind::Cancelled, "cancelled")),
            End::Spent => Prey::Nothing { tried: hunted.progress.tests, all: false },
            End::All => Prey::Nothing { tried: hunted.progress.tests, all: true },
        });
    }
    Ok(all)
}
