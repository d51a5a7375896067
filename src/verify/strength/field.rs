//! The mutants, the tests, and the comparison of outputs.

use crate::check::{Comparer, ComparisonResult};
use crate::data::{Case, Store};
use crate::lang::Program;
use crate::model::{Failure, Limits, TimeSpan, Verdict};
use crate::runner::{BatchRunner, BuiltProgram, Host};

use super::build::Bulk;

/// The mutants, the tests with their answers, and the checker.
pub(super) struct MutationContext<'a> {
    /// Programs that contain the mutants.
    pub(super) bulk: &'a Bulk<Program>,
    pub(super) cases: &'a [Case],
    /// Answers of the test cases.
    pub(super) answers: Vec<Vec<u8>>,
    pub(super) store: &'a Store,
    /// The comparer with which outputs are compared with answers.
    pub(super) checker: Comparer,
    /// The name of the solution that is mutated.
    pub(super) name: &'a str,
}

impl<'a> MutationContext<'a> {
    /// Reads the answers of the tests.
    ///
    /// # Errors
    /// Fails if an answer can't be read.
    pub(super) fn new(
        host: &'a Host,
        bulk: &'a Bulk<Program>,
        cases: &'a [Case],
        checker: Comparer,
        name: &'a str,
    ) -> Result<MutationContext<'a>, Failure> {
        let store = host.store();
        let answers = cases.iter().map(|case| store.get(&case.answer.digest)).collect::<Result<_, _>>()?;
        Ok(MutationContext { bulk, cases, answers, store, checker, name })
    }

    /// Creates a runner that runs all programs in one cell on this slot.
    pub(super) fn runner(&self, host: &Host, slot: usize) -> Result<BatchRunner, Failure> {
        BatchRunner::new(host, slot, &self.bulk.programs)
    }

    /// Runs a mutant, or the original if the id is 0, on a test. Returns the verdict that kills the mutant, if there is
    /// one, and the CPU time of the run.
    pub(super) fn try_case(
        &self,
        runner: &mut BatchRunner,
        id: u32,
        limits: &Limits,
        case: usize,
    ) -> Result<(Option<Verdict>, TimeSpan), Failure> {
        let path = self.store.path(&self.cases[case].input.digest);
        let tried = runner.run(self.program(id), &[id.to_string()], &path, limits)?;
        let verdict = tried.verdict.or_else(|| self.compare(&self.answers[case], &tried.output));
        Ok((verdict, tried.cpu))
    }

    /// Returns the verdict of the original on an input that is not a test; `None` if the original is accepted. Without
    /// an answer, any output is correct.
    pub(super) fn try_original(
        &self,
        host: &Host,
        limits: &Limits,
        input: &[u8],
        answer: Option<&[u8]>,
    ) -> Result<Option<Verdict>, Failure> {
        let lease = host.slots().lease(1, host.cancel(), &mut || {})?;
        let mut runner = self.runner(host, lease.slots().first().copied().unwrap_or_default())?;
        let path = self.store.path(&self.store.put(input)?.digest);
        let tried = runner.run(self.program(0), &["0".to_owned()], &path, limits)?;
        Ok(tried.verdict.or_else(|| self.compare(answer?, &tried.output)))
    }

    fn compare(&self, answer: &[u8], output: &[u8]) -> Option<Verdict> {
        match self.checker.compare_bytes(answer, output) {
            ComparisonResult::Same => None,
            ComparisonResult::Differs { verdict, .. } => Some(verdict),
        }
    }

    /// Returns the mutant as a program, for the search for a failing input.
    pub(super) fn mutant_program(&self, id: u32) -> BuiltProgram {
        BuiltProgram { program: self.program(id).clone(), args: vec![id.to_string()], name: format!("mutant {id}") }
    }

    fn program(&self, id: u32) -> &Program {
        &self.bulk.programs[self.bulk.homes.get(&id).copied().unwrap_or(0)]
    }
}
