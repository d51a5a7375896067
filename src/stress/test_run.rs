//! Runs a program on one input and checks its output.

use std::sync::Arc;

use crate::model::{Capture, CaseId, CaseResult, Credit, Difference, Exit, Fault, Usage, Verdict};
use crate::problem::{AuxProgram, Judging};
use crate::runner::{CheckOutcome, OutputChecker, ProgramRunner, SharedRetry};
use crate::sandbox::CellOutput;

use super::pool::{Broken, Pool, Test, TestAnswer, Tools};

/// Maximum length of an output that is kept, in bytes.
const KEPT: usize = 4 << 20;

/// The result of a program on one input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestFailure {
    /// The verdict on this input.
    pub verdict: Verdict,
    /// Where its output first differs from the answer.
    pub difference: Option<Difference>,
    /// The message of the checker, if it has one.
    pub message: Option<String>,
    /// The resources that the run used.
    pub usage: Usage,
    /// The exit status of the program.
    pub exit: Exit,
    /// The head of its standard error.
    pub stderr: Capture,
    /// The head of its output.
    pub output: Vec<u8>,
    /// The answer, if it was needed: a crash or an exceeded limit fails with any answer.
    pub answer: Option<Arc<[u8]>>,
}

/// An input that a program fails.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailingInput {
    /// The number of the test.
    pub number: u64,
    /// The failing input.
    pub input: Vec<u8>,
    /// The result of the program.
    pub failure: TestFailure,
}

/// The result of a test.
pub(super) enum TestOutcome {
    Accepted,
    Failed(Box<TestFailure>),
    /// There is no answer to compare with.
    Unanswered,
    /// The answering program failed.
    Broken(Broken),
}

impl TestFailure {
    /// The result as that of a case of this name.
    pub fn result(&self, case: &str) -> CaseResult {
        CaseResult {
            case: CaseId::named(case),
            group: String::new(),
            verdict: self.verdict,
            credit: if self.verdict.accepted() { Credit::FULL } else { Credit::NONE },
            points: None,
            usage: self.usage,
            exit: self.exit,
            stderr: self.stderr.clone(),
            difference: self.difference.clone(),
            message: self.message.clone(),
        }
    }
}

/// A worker: the program in its cell, and the cells of the programs that generate and answer tests.
pub(super) struct Worker<'a> {
    pub(super) pool: &'a Pool<'a>,
    pub(super) slot: usize,
    pub(super) runner: ProgramRunner,
    pub(super) tools: Tools,
    pub(super) output_checker: OutputChecker<'a>,
    /// Decides when a run is repeated alone.
    pub(super) retry: &'a SharedRetry<'a>,
}

impl Worker<'_> {
    /// Whether the problem's validator programs accept a test. Tests match the input description by construction.
    pub(super) fn admits(&mut self, test: &Test) -> Result<bool, Fault> {
        Ok(test.answered() || self.output_checker.admits(&self.pool.problem().validators, &test.input)?)
    }

    /// Runs the program on a test.
    pub(super) fn attempt(&mut self, test: &Arc<Test>) -> Result<TestOutcome, Fault> {
        if let Judging::Interactor { interactor, checker, .. } = &self.pool.problem().judging {
            return self.talk(test, (interactor, checker.as_ref()));
        }
        let (run, decided) = self.runner.judge(&test.input, self.retry)?;
        if let Some(verdict) = decided {
            return Ok(failure(run, verdict, None, None, None));
        }
        Ok(match self.pool.answer(&mut self.tools, self.slot, test)? {
            TestAnswer::TooMuch => TestOutcome::Unanswered,
            TestAnswer::Broken(broken) => TestOutcome::Broken(broken),
            TestAnswer::Given(answer) => {
                let judging = &self.pool.problem().judging;
                let CheckOutcome { ruling, difference, .. } =
                    self.output_checker.check(judging, &test.input, &run.stdout, &answer)?;
                match ruling.verdict.accepted() {
                    true => TestOutcome::Accepted,
                    false => failure(run, ruling.verdict, difference, ruling.message, Some(answer)),
                }
            }
        })
    }

    /// Judges a dialogue of the program with the interactor on a test.
    fn talk(&mut self, test: &Test, with: (&AuxProgram, Option<&AuxProgram>)) -> Result<TestOutcome, Fault> {
        let (run, outcome) = self.runner.judge_interaction(&mut self.output_checker, with, &test.input, self.retry)?;
        let ruling = outcome.ruling;
        Ok(match ruling.verdict.accepted() {
            true => TestOutcome::Accepted,
            false => failure(run, ruling.verdict, None, ruling.message, None),
        })
    }
}

/// A failed test, with the part of the output that is kept.
fn failure(
    run: CellOutput,
    verdict: Verdict,
    difference: Option<Difference>,
    message: Option<String>,
    answer: Option<Arc<[u8]>>,
) -> TestOutcome {
    let mut output = run.stdout;
    output.truncate(KEPT);
    let (usage, exit, stderr) = (run.execution.usage, run.execution.exit, run.execution.stderr);
    TestOutcome::Failed(Box::new(TestFailure { verdict, difference, message, usage, exit, stderr, output, answer }))
}
