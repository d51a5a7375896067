//! The field on which mutants are run: their programs, the tests, and how outputs are compared.

use crate::check::{Comparer, Finding};
use crate::data::{Case, Store};
use crate::lang::Program;
use crate::model::{Failure, Limits, Verdict};
use crate::mutants::CHOICE;
use crate::run::{Arena, Stdin, Trials, Tried};

use super::build::Bulk;

/// Mutants and tests.
pub(super) struct Field<'a> {
    /// The mutants' programs.
    pub(super) bulk: &'a Bulk<Program>,
    /// The tests.
    pub(super) cases: &'a [Case],
    /// Their answers.
    pub(super) answers: Vec<Vec<u8>>,
    /// Where the inputs are.
    pub(super) store: &'a Store,
    /// How outputs are compared.
    pub(super) checker: Comparer,
}

impl<'a> Field<'a> {
    /// The field of these mutants and tests.
    ///
    /// # Errors
    /// An answer can't be read.
    pub(super) fn new(
        arena: &'a Arena,
        bulk: &'a Bulk<Program>,
        cases: &'a [Case],
        checker: Comparer,
    ) -> Result<Field<'a>, Failure> {
        let store = arena.store();
        let answers = cases.iter().map(|case| store.get(&case.answer.digest)).collect::<Result<_, _>>()?;
        Ok(Field { bulk, cases, answers, store, checker })
    }

    /// A cell of this worker's for all of the programs.
    pub(super) fn hire(&self, arena: &Arena, slot: usize) -> Result<Trials, Failure> {
        arena.trials(slot, &self.bulk.programs)
    }

    /// Runs a mutant, or the original for 0.
    pub(super) fn run(
        &self,
        trials: &mut Trials,
        id: u32,
        limits: &Limits,
        input: Stdin<'_>,
    ) -> Result<Tried, Failure> {
        let home = self.bulk.homes.get(&id).copied().unwrap_or(0);
        trials.run(&self.bulk.programs[home], limits, input, &[(CHOICE, id.to_string())])
    }

    /// The verdict on an output that is not as good as the answer.
    pub(super) fn differs(&self, answer: &[u8], output: &[u8]) -> Option<Verdict> {
        match self.checker.compare_bytes(answer, output) {
            Finding::Same => None,
            Finding::Differs { verdict, .. } => Some(verdict),
        }
    }
}
