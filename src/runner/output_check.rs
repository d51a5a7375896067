//! Checks the output of a program, by a built-in comparer or by running a checker.

use crate::check::ComparisonResult;
use crate::judge::{CheckerResult, Feedback};
use crate::lang::{Program, Source};
use crate::model::{Credit, Difference, Fault, FaultKind, Verdict};
use crate::problem::{AuxProgram, Judging};

use super::aux_program::{AuxPrograms, faulty};
use super::checked_output::CheckedOutput;
use super::host::Host;
use super::text_source::{TextSource, compare};

/// A checker of outputs on one slot. Cells for checker programs are opened when they are needed.
pub struct OutputChecker<'a> {
    pub(super) aux_programs: AuxPrograms<'a>,
}

/// The result of checking an output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckOutcome {
    /// The verdict and the credit, with the checker's message.
    pub ruling: CheckerResult,
    /// The position at which the output first differs from the answer; `None` if they match or were not compared.
    pub difference: Option<Difference>,
    /// The files that a checker leaves for its run in the next pass.
    pub(super) feedback: Feedback,
}

impl<'a> OutputChecker<'a> {
    /// Creates an output checker whose checker programs run on the slot `slot`.
    pub fn new(host: &'a Host, slot: usize) -> OutputChecker<'a> {
        OutputChecker { aux_programs: AuxPrograms::new(host, slot) }
    }

    /// Sets the program whose outputs are checked. Checkers that require the files or the source of the program can
    /// read them.
    pub(super) fn of(self, source: &'a Source, program: &'a Program) -> OutputChecker<'a> {
        OutputChecker { aux_programs: self.aux_programs.of(source, program) }
    }
}

impl OutputChecker<'_> {
    /// Checks the output of one pass of a program that ended normally within its limits.
    ///
    /// # Errors
    /// Fails if the checker fails, if the problem is interactive, or if the judge itself fails.
    pub fn check(
        &mut self,
        judging: &Judging,
        input: &[u8],
        output: &[u8],
        answer: &[u8],
    ) -> Result<CheckOutcome, Fault> {
        let (input, answer) = (TextSource::Bytes(input), TextSource::Bytes(answer));
        self.check_text(judging, input, CheckedOutput::of(TextSource::Bytes(output)), answer, Feedback::new())
    }

    /// Returns the reason why one of the validators rejects an input; `None` if all validators accept the input.
    ///
    /// # Errors
    /// Fails if a validator fails, or if the judge itself fails.
    pub fn rejection(&mut self, validators: &[AuxProgram], input: &[u8]) -> Result<Option<String>, Fault> {
        for validator in validators {
            let mut ready = self.aux_programs.ready(validator)?;
            if let Some(reason) = ready.admit(input, Vec::new()).map_err(faulty)? {
                return Ok(Some(format!("rejected by `{}`: {reason}", ready.name())));
            }
        }
        Ok(None)
    }

    pub(super) fn check_text(
        &mut self,
        judging: &Judging,
        input: TextSource<'_>,
        output: CheckedOutput<'_>,
        answer: TextSource<'_>,
        feedback: Feedback,
    ) -> Result<CheckOutcome, Fault> {
        match judging {
            Judging::Compare(comparer) => Ok(match compare(comparer, answer, output.text).map_err(unreadable)? {
                ComparisonResult::Same => CheckOutcome::decided(Verdict::Accepted, None),
                ComparisonResult::Differs { verdict, difference } => CheckOutcome::decided(verdict, Some(difference)),
            }),
            Judging::Checker { checker, .. } => {
                let checker = &mut self.aux_programs.ready(checker)?;
                let (ruling, feedback) = checker.check(input, output, answer, feedback)?;
                Ok(CheckOutcome { ruling, difference: None, feedback })
            }
            Judging::Interactor { .. } => {
                let message = "the outputs of an interactive problem cannot be checked without its interactor";
                Err(Fault::new(FaultKind::Checker, message))
            }
        }
    }
}

fn unreadable(error: std::io::Error) -> Fault {
    Fault::io(FaultKind::Data, &error)
}

impl CheckOutcome {
    /// Returns the outcome for a verdict that was determined without a checker.
    pub(super) fn decided(verdict: Verdict, difference: Option<Difference>) -> CheckOutcome {
        let credit = if verdict.accepted() { Credit::FULL } else { Credit::NONE };
        let ruling = CheckerResult { verdict, credit, points: None, message: None, next_pass: None };
        CheckOutcome { ruling, difference, feedback: Feedback::new() }
    }
}
