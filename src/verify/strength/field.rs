//! The field on which mutants are run: their programs, the tests, and how outputs are compared.

use crate::check::{Comparer, Finding};
use crate::data::{Case, Store};
use crate::lang::Program;
use crate::model::{Failure, Limits, TimeSpan, Verdict};
use crate::runner::{BatchRunner, BuiltProgram, Host};

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
        host: &'a Host,
        bulk: &'a Bulk<Program>,
        cases: &'a [Case],
        checker: Comparer,
    ) -> Result<Field<'a>, Failure> {
        let store = host.store();
        let answers = cases.iter().map(|case| store.get(&case.answer.digest)).collect::<Result<_, _>>()?;
        Ok(Field { bulk, cases, answers, store, checker })
    }

    /// A cell of this worker's for all of the programs.
    pub(super) fn runner(&self, host: &Host, slot: usize) -> Result<BatchRunner, Failure> {
        BatchRunner::new(host, slot, &self.bulk.programs)
    }

    /// Runs a mutant, or the original for 0, on a test: what killed it, if anything, and its time.
    pub(super) fn try_case(
        &self,
        runner: &mut BatchRunner,
        id: u32,
        limits: &Limits,
        case: usize,
    ) -> Result<(Option<Verdict>, TimeSpan), Failure> {
        let path = self.store.path(&self.cases[case].input.digest);
        let tried = runner.run(self.program(id), &[id.to_string()], &path, limits)?;
        let verdict = tried.verdict.or_else(|| match self.checker.compare_bytes(&self.answers[case], &tried.output) {
            Finding::Same => None,
            Finding::Differs { verdict, .. } => Some(verdict),
        });
        Ok((verdict, tried.cpu))
    }

    /// A mutant as a program to hunt.
    pub(super) fn mutant_program(&self, id: u32) -> BuiltProgram {
        BuiltProgram { program: self.program(id).clone(), args: vec![id.to_string()], name: format!("mutant {id}") }
    }

    fn program(&self, id: u32) -> &Program {
        &self.bulk.programs[self.bulk.homes.get(&id).copied().unwrap_or(0)]
    }
}
