//! One program on one input: run it, and compare what it prints with the answer.

use std::sync::Arc;

use crate::model::{Capture, CaseId, CaseResult, Credit, Difference, Exit, Fault, Usage, Verdict};
use crate::problem::{AuxProgram, Judging};
use crate::runner::{CheckOutcome, OutputChecker, ProgramRunner, SharedRetry};
use crate::sandbox::CellOutput;

use super::pool::{Answer, Broken, Pool, Test, Tools};

/// How much of an output is kept to be shown, in bytes.
const KEPT: usize = 4 << 20;

/// What a program did on one input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trial {
    /// The verdict.
    pub verdict: Verdict,
    /// Where its output first differs from the answer.
    pub difference: Option<Difference>,
    /// What a checker program said.
    pub message: Option<String>,
    /// What the run used.
    pub usage: Usage,
    /// How the program ended.
    pub exit: Exit,
    /// What it wrote to standard error, cut.
    pub stderr: Capture,
    /// What it printed, cut.
    pub output: Vec<u8>,
    /// The answer, where it was needed: what crashes or is too slow fails whatever the answer is.
    pub answer: Option<Arc<[u8]>>,
}

/// An input that a program fails.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The number of the test.
    pub number: u64,
    /// The input.
    pub input: Vec<u8>,
    /// What the program did on it.
    pub trial: Trial,
}

/// What came of a test.
pub(super) enum Outcome {
    Accepted,
    Failed(Box<Trial>),
    /// There is no answer to compare with.
    Unanswered,
    /// The program that gives the answers failed.
    Broken(Broken),
}

impl Trial {
    /// The judgement as that on a case of this name.
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

/// A worker: a program at its cell, and the cells of those who make and answer tests.
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
    /// Whether the problem's validators admit a test: those beside its description, which made it.
    pub(super) fn admits(&mut self, test: &Test) -> Result<bool, Fault> {
        Ok(test.answered() || self.output_checker.admits(&self.pool.problem().validators, &test.input)?)
    }

    /// Runs the program on a test.
    pub(super) fn attempt(&mut self, test: &Arc<Test>) -> Result<Outcome, Fault> {
        if let Judging::Interactor { interactor, checker, .. } = &self.pool.problem().judging {
            return self.talk(test, (interactor, checker.as_ref()));
        }
        let (run, decided) = self.runner.judge(&test.input, self.retry)?;
        if let Some(verdict) = decided {
            return Ok(trial(run, verdict, None, None, None));
        }
        Ok(match self.pool.answer(&mut self.tools, self.slot, test)? {
            Answer::TooMuch => Outcome::Unanswered,
            Answer::Broken(broken) => Outcome::Broken(broken),
            Answer::Given(answer) => {
                let judging = &self.pool.problem().judging;
                let CheckOutcome { ruling, difference, .. } =
                    self.output_checker.check(judging, &test.input, &run.stdout, &answer)?;
                match ruling.verdict.accepted() {
                    true => Outcome::Accepted,
                    false => trial(run, ruling.verdict, difference, ruling.message, Some(answer)),
                }
            }
        })
    }

    /// Has the program talk to the interactor about a test.
    fn talk(&mut self, test: &Test, with: (&AuxProgram, Option<&AuxProgram>)) -> Result<Outcome, Fault> {
        let (run, outcome) = self.runner.judge_interaction(&mut self.output_checker, with, &test.input, self.retry)?;
        let ruling = outcome.ruling;
        Ok(match ruling.verdict.accepted() {
            true => Outcome::Accepted,
            false => trial(run, ruling.verdict, None, ruling.message, None),
        })
    }
}

/// A failure, with as much of the output as is kept.
fn trial(
    run: CellOutput,
    verdict: Verdict,
    difference: Option<Difference>,
    message: Option<String>,
    answer: Option<Arc<[u8]>>,
) -> Outcome {
    let mut output = run.stdout;
    output.truncate(KEPT);
    let (usage, exit, stderr) = (run.execution.usage, run.execution.exit, run.execution.stderr);
    Outcome::Failed(Box::new(Trial { verdict, difference, message, usage, exit, stderr, output, answer }))
}
