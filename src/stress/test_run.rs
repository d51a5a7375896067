//! Runs a program on one input and checks its output.

use std::sync::Arc;

use crate::model::{Capture, CaseId, CaseResult, Credit, Difference, Exit, Fault, FaultKind, Usage, Verdict};
use crate::problem::{AuxProgram, Judging};
use crate::runner::{OutputChecker, ProgramRunner, SharedRetry};
use crate::sandbox::CellOutput;

use super::agreement::{Agreement, grouped};
use super::pool::{Broken, Pool, Test, TestAnswer, Tools};

/// Maximum length in bytes of a stored output.
const KEPT: usize = 4 << 20;

/// The result of a program that failed on an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestFailure {
    /// The verdict on this input.
    pub verdict: Verdict,
    /// The position at which the output first differs from the answer; `None` if the output was not compared with the
    /// answer or the checker reports none.
    pub difference: Option<Difference>,
    /// The message of the checker, if it has one.
    pub message: Option<String>,
    /// The resources that the run used.
    pub usage: Usage,
    /// The exit status of the program.
    pub exit: Exit,
    /// The beginning of the program's standard error.
    pub stderr: Capture,
    /// The beginning of the program's output.
    pub output: Vec<u8>,
    /// The answer; `None` if the problem is interactive, or if no answer was computed because the program crashed or
    /// exceeded a limit.
    pub answer: Option<Arc<[u8]>>,
    /// The origin of the answer: the name of a program or of a sample; `None` if no output was compared with an answer.
    pub answered_by: Option<String>,
    /// The program that produced the output, if it is not the tested program but another program that disagrees with
    /// the answer.
    pub suspect: Option<String>,
    /// The groups of programs whose outputs agree, and the programs that produced no answer. There are no groups if no
    /// outputs were compared.
    pub agreement: Agreement,
}

/// An input on which a program fails.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailingInput {
    /// The number of the test.
    pub number: u64,
    /// The name of the sample, if the test is a sample.
    pub sample: Option<String>,
    /// The origin of the test, if it is a sample or the output of the user's generator.
    pub origin: Option<String>,
    /// The failing input.
    pub input: Vec<u8>,
    /// The result of the program.
    pub failure: TestFailure,
}

/// The result of a test.
pub(super) enum TestOutcome {
    Accepted,
    Failed(Box<TestFailure>),
    /// There is no answer with which the output can be compared.
    Unanswered,
    /// The answering program failed.
    Broken(Broken),
}

impl TestFailure {
    /// Converts the failure to a [`CaseResult`] for a case named `case`.
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

/// The state of a worker: the program in its cell, and the cells of the programs that generate and answer tests.
pub(super) struct Worker<'a> {
    pub(super) pool: &'a Pool<'a>,
    pub(super) slot: usize,
    pub(super) runner: ProgramRunner,
    pub(super) tools: Tools,
    pub(super) output_checker: OutputChecker<'a>,
    /// The rule, shared by all workers, that determines whether a run is repeated while no other program runs.
    pub(super) retry: &'a SharedRetry<'a>,
}

/// An answer to a test: the answer of a sample, or the output of an answering program, with the name of its source.
struct Opinion {
    name: String,
    output: Arc<[u8]>,
}

impl Worker<'_> {
    /// Returns the reason why the problem's validator programs reject a test, or `None` if they accept it. A test whose
    /// answers are known is not validated again. Generated tests match the input description by construction.
    pub(super) fn rejection(&mut self, test: &Test) -> Result<Option<String>, Fault> {
        match test.answered() {
            true => Ok(None),
            false => self.output_checker.rejection(&self.pool.problem().validators, &test.input),
        }
    }

    /// Runs the program on a test. The outcome is determined by the interactor if the problem has one, and otherwise by
    /// comparing the output with the answers.
    pub(super) fn attempt(&mut self, test: &Arc<Test>) -> Result<TestOutcome, Fault> {
        if let Judging::Interactor { interactor, checker, .. } = &self.pool.problem().judging {
            return self.talk(test, (interactor, checker.as_deref()));
        }
        let (run, decided) = self.runner.judge(&test.input, self.retry)?;
        // If inputs can't be validated, the answering programs run even if the program has failed: if they fail too,
        // the input may be invalid.
        let answers = match decided.is_some() && self.pool.problem().knows_valid_inputs() {
            true => Vec::new(),
            false => self.pool.answers(&mut self.tools, self.slot, test)?,
        };
        let (mut given, mut unanswered) = (Vec::new(), Vec::new());
        if let Some(sample) = test.sample.and_then(|index| self.pool.problem().samples.get(index))
            && let Some(answer) = &sample.answer
        {
            given.push(Opinion { name: sample.name.clone(), output: answer.as_slice().into() });
        }
        for (index, answer) in answers.into_iter().enumerate() {
            let name = self.pool.answerer_name(index).to_owned();
            match answer {
                TestAnswer::Given(output) => given.push(Opinion { name, output }),
                TestAnswer::TooMuch => unanswered.push(name),
                TestAnswer::Broken(broken) => return Ok(TestOutcome::Broken(broken)),
            }
        }
        match decided {
            Some(verdict) => {
                let agreement = Agreement { groups: Vec::new(), unanswered };
                let answer = given.into_iter().next().map(|opinion| opinion.output);
                Ok(failed(TestFailure { answer, agreement, ..failure(run, verdict) }))
            }
            None => self.compare(test, run, &given, unanswered),
        }
    }

    /// Checks the output of the tested program, and then the other answers, against the first answer, until one of them
    /// is rejected.
    fn compare(
        &mut self,
        test: &Test,
        run: CellOutput,
        given: &[Opinion],
        unanswered: Vec<String>,
    ) -> Result<TestOutcome, Fault> {
        let Some(first) = given.first() else { return Ok(TestOutcome::Unanswered) };
        let judging = &self.pool.problem().judging;
        let mut suspect = None;
        let mut checked = self.output_checker.check(judging, &test.input, &run.stdout, &first.output)?;
        let own_agrees = checked.ruling.verdict.accepted();
        for other in &given[1..] {
            if !checked.ruling.verdict.accepted() {
                break;
            }
            checked = self.output_checker.check(judging, &test.input, &other.output, &first.output)?;
            suspect = Some(other);
        }
        if checked.ruling.verdict.accepted() {
            return Ok(TestOutcome::Accepted);
        }
        let groups = self.groups(test, &run.stdout, given, own_agrees)?;
        let mut failure = failure(run, checked.ruling.verdict);
        if let Some(other) = suspect {
            failure.output = other.output.to_vec();
            failure.stderr = Capture::default();
        }
        Ok(failed(TestFailure {
            difference: checked.difference,
            message: checked.ruling.message,
            answer: Some(Arc::clone(&first.output)),
            answered_by: Some(first.name.clone()),
            suspect: suspect.map(|other| other.name.clone()),
            agreement: Agreement { groups, unanswered },
            ..failure
        }))
    }

    /// Groups the programs that agree. `own_agrees` states whether the output of the tested program agrees with the
    /// first opinion.
    fn groups(
        &mut self,
        test: &Test,
        output: &[u8],
        given: &[Opinion],
        own_agrees: bool,
    ) -> Result<Vec<Vec<String>>, Fault> {
        let name = |index: usize| match index.checked_sub(1) {
            None => self.runner.built().name.clone(),
            Some(other) => given[other].name.clone(),
        };
        let text = |index: usize| index.checked_sub(1).map_or(output, |other| &given[other].output);
        let judging = &self.pool.problem().judging;
        let checker = &mut self.output_checker;
        let groups = grouped(given.len() + 1, &mut |answer, output| {
            if (answer, output) == (0, 1) {
                return Ok(own_agrees);
            }
            // The output of the tested program is never used as the answer, since a checker may expect a valid
            // answer.
            let (answer, output) = if answer == 0 { (output, answer) } else { (answer, output) };
            match checker.check(judging, &test.input, text(output), text(answer)) {
                Ok(checked) => Ok(checked.ruling.verdict.accepted()),
                Err(fault) if fault.kind == FaultKind::Cancelled => Err(fault),
                // A checker may report a failure if a wrong program produced the answer.
                Err(_) => Ok(false),
            }
        })?;
        Ok(groups.into_iter().map(|group| group.into_iter().map(name).collect()).collect())
    }

    /// Runs the program together with the interactor on a test, and converts the interactor's ruling to the outcome of
    /// the test.
    fn talk(&mut self, test: &Test, with: (&AuxProgram, Option<&AuxProgram>)) -> Result<TestOutcome, Fault> {
        let (run, outcome) = self.runner.judge_interaction(&mut self.output_checker, with, &test.input, self.retry)?;
        let ruling = outcome.ruling;
        Ok(match ruling.verdict.accepted() {
            true => TestOutcome::Accepted,
            false => failed(TestFailure { message: ruling.message, ..failure(run, ruling.verdict) }),
        })
    }
}

fn failed(failure: TestFailure) -> TestOutcome {
    TestOutcome::Failed(Box::new(failure))
}

/// Creates a [`TestFailure`] from a run and its verdict. Only the first [`KEPT`] bytes of the output are retained.
fn failure(run: CellOutput, verdict: Verdict) -> TestFailure {
    let mut output = run.stdout;
    output.truncate(KEPT);
    TestFailure {
        verdict,
        difference: None,
        message: None,
        usage: run.execution.usage,
        exit: run.execution.exit,
        stderr: run.execution.stderr,
        output,
        answer: None,
        answered_by: None,
        suspect: None,
        agreement: Agreement::default(),
    }
}
