//! Keeps a failing input as a test: of the problem, if it is in a folder of the user, or of the person.

use crate::model::{Diagnostic, FailedCase, Failure};
use crate::service::{JudgeService, ProblemSource};
use crate::stress::{LARGEST_TEXT, add_case, check_addable};
use crate::submissions::{JudgingQueue, MOST_OWN_TESTS, OwnTest};

use super::table::SearchView;

/// Where a failing input was kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeptTest {
    /// As a test of the problem, for everybody. The text says where.
    OfProblem(String),
    /// As the person's own test with this name.
    Own(String),
}

/// Keeps the failing input of a search. It is added to the tests of a native problem in a folder if `changes_problem` allows
/// that, and otherwise to the own tests of the person.
///
/// # Errors
/// Fails if the input is too long, if the person has too many tests, or if it can't be stored.
pub fn keep_found(
    (service, queue): (&JudgeService, &JudgingQueue),
    source: &ProblemSource,
    (search, found): (&SearchView, &FailedCase),
    changes_problem: bool,
) -> Result<KeptTest, Failure> {
    let size = search.finished.as_ref().and_then(|last| last["size_after"].as_u64()).unwrap_or(0);
    if size > LARGEST_TEXT as u64 {
        let message = format!("the input is larger than {} KiB", LARGEST_TEXT >> 10);
        return Err(Diagnostic::new(message).help("add a generator to the problem instead").into());
    }
    if let (ProblemSource::Native(_), true) = (source, changes_problem) {
        let target = service.prepare(source)?;
        let addable = target.problem().filter(|problem| check_addable(problem, service.host().cache().root()).is_ok());
        if let Some(problem) = addable {
            return add_case(service, problem, &found.input).map(KeptTest::OfProblem);
        }
    }
    let answer = Some(&*found.answer).filter(|answer| !answer.is_empty());
    let number = queue.add_own_test((&search.person, &search.problem), &found.input, answer)?;
    let number = number.ok_or_else(|| {
        Diagnostic::new(format!("you have {MOST_OWN_TESTS} tests of this problem")).help("remove some of them first")
    })?;
    Ok(KeptTest::Own(OwnTest { number, input: Vec::new(), answer: None, created: 0 }.name()))
}
