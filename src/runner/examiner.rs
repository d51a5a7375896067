//! Whoever looks at outputs: compares them with the answer, or has a checker program look.

use crate::check::Finding;
use crate::judge::{Feedback, Ruling};
use crate::lang::{Program, Source};
use crate::model::{Credit, Difference, Fault, FaultKind, Verdict};
use crate::problem::{AuxProgram, Judging};

use super::arena::Arena;
use super::desk::{Desks, Text, faulty};

/// An examiner of one worker, with the cells of the checkers it has needed.
pub struct Examiner<'a> {
    pub(super) desks: Desks<'a>,
}

/// What was found of an output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Examined {
    /// The verdict, with what a checker said.
    pub ruling: Ruling,
    /// Where it first differs from the answer, where they were compared.
    pub difference: Option<Difference>,
    /// What a checker left for the next pass.
    pub(super) feedback: Feedback,
}

impl Arena {
    /// An examiner whose checkers run on the processor of this slot.
    pub fn examiner(&self, slot: usize) -> Examiner<'_> {
        Examiner { desks: Desks::new(self, slot) }
    }
}

impl<'a> Examiner<'a> {
    /// Whose outputs it looks at, for checkers that want the program's files.
    pub(super) fn of(self, source: &'a Source, program: &'a Program) -> Examiner<'a> {
        Examiner { desks: self.desks.of(source, program) }
    }
}

impl Examiner<'_> {
    /// Looks at the output of one pass of a program that ended well within its limits.
    ///
    /// # Errors
    /// The checker failed or we did; an interactive problem has no outputs to look at.
    pub fn examine(
        &mut self,
        judging: &Judging,
        input: &[u8],
        output: &[u8],
        answer: &[u8],
    ) -> Result<Examined, Fault> {
        self.look(judging, Text::Bytes(input), output, Text::Bytes(answer), Feedback::new())
    }

    /// Whether all these validators admit an input.
    ///
    /// # Errors
    /// A validator failed, or we did.
    pub fn admits(&mut self, validators: &[AuxProgram], input: &[u8]) -> Result<bool, Fault> {
        for validator in validators {
            let admitted = self.desks.ready(validator)?.admit(input, Vec::new()).map_err(faulty)?;
            if admitted.is_some() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    pub(super) fn look(
        &mut self,
        judging: &Judging,
        input: Text<'_>,
        output: &[u8],
        answer: Text<'_>,
        feedback: Feedback,
    ) -> Result<Examined, Fault> {
        match judging {
            Judging::Compare(comparer) => Ok(match comparer.compare_bytes(&answer.bytes()?, output) {
                Finding::Same => Examined::decided(Verdict::Accepted, None),
                Finding::Differs { verdict, difference } => Examined::decided(verdict, Some(difference)),
            }),
            Judging::Checker { checker, .. } => {
                let (ruling, feedback) =
                    self.desks.ready(checker)?.check(input, Text::Bytes(output), answer, feedback)?;
                Ok(Examined { ruling, difference: None, feedback })
            }
            Judging::Interactor { .. } => {
                Err(Fault::new(FaultKind::Checker, "an interactive problem has no outputs to look at"))
            }
        }
    }
}

impl Examined {
    /// What needs no checker to say.
    pub(super) fn decided(verdict: Verdict, difference: Option<Difference>) -> Examined {
        let credit = if verdict.accepted() { Credit::FULL } else { Credit::NONE };
        let ruling = Ruling { verdict, credit, points: None, message: None, next_pass: None };
        Examined { ruling, difference, feedback: Feedback::new() }
    }
}
