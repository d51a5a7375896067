//! Stores a failing input as a test of the problem or, if tests cannot be added to the problem, as one of the person's
//! own tests.

use crate::model::{Diagnostic, FailedCase, Failure};
use crate::service::{JudgeService, ProblemSource};
use crate::stress::{LARGEST_TEXT, add_case, check_addable};
use crate::submissions::{JudgingQueue, MOST_OWN_TESTS, OwnTest};

use super::table::SearchView;

/// The test that was created from a failing input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeptTest {
    /// A test of the problem. The message states where the test was added, or why it was not added.
    OfProblem(String),
    /// One of the person's own tests, identified by its name.
    Own(String),
}

/// Stores the failing input of a search as a test. The test belongs to the problem if `changes_problem` is true and the
/// problem is a native problem to which tests can be added. Otherwise, it is one of the person's own tests.
///
/// # Errors
/// Fails if the input is longer than [`LARGEST_TEXT`], if the problem can't be prepared, if the person already has
/// [`MOST_OWN_TESTS`] own tests for the problem, or if the test can't be stored.
pub fn keep_found(
    (service, queue): (&JudgeService, &JudgingQueue),
    source: &ProblemSource,
    (search, found): (&SearchView, &FailedCase),
    changes_problem: bool,
) -> Result<KeptTest, Failure> {
    let size = search.finished.as_ref().and_then(|last| last["size_after"].as_u64()).unwrap_or(0);
    if size > LARGEST_TEXT as u64 {
        let message = format!("the input has {size} bytes, but a test can have at most {LARGEST_TEXT} bytes");
        return Err(Diagnostic::new(message).help("ask the problem's author to add a generator instead").into());
    }
    if let (ProblemSource::Native(_), true) = (source, changes_problem) {
        let target = service.prepare(source)?;
        let is_addable = check_addable(&target, service.host().cache().root()).is_ok();
        if let Some(problem) = target.problem().filter(|_| is_addable) {
            return add_case(service, problem, &found.input).map(|case| KeptTest::OfProblem(case.message));
        }
    }
    let answer = Some(&*found.answer).filter(|answer| !answer.is_empty());
    let number = queue.add_own_test((&search.person, &search.problem), &found.input, answer)?;
    let number = number.ok_or_else(|| {
        let message = format!(
            "you already have {MOST_OWN_TESTS} tests of your own for `{}`, which is the maximum",
            search.problem
        );
        Diagnostic::new(message).help("remove some of these tests first")
    })?;
    Ok(KeptTest::Own(OwnTest { number, input: Vec::new(), answer: None, created: 0 }.name()))
}
