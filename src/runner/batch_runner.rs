//! Runs any of several programs in a shared cell, one run at a time.

use std::path::Path;

use crate::judge::classify;
use crate::lang::Program;
use crate::model::{Failure, Fault, FaultKind, Limits, TimeSpan, Verdict};
use crate::sandbox::{Cell, Input};

use super::command::{cell_spec_with, command, run_program};
use super::host::Host;

/// A cell in which any of several programs can be run.
pub struct BatchRunner {
    cell: Box<dyn Cell>,
}

/// The result of one run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BatchResult {
    /// The verdict that the measurements of the run determine; `None` if the program ended normally, in which case its
    /// output must be checked.
    pub verdict: Option<Verdict>,
    /// The program's standard output.
    pub output: Vec<u8>,
    /// The CPU time of the run.
    pub cpu: TimeSpan,
}

impl BatchRunner {
    /// Opens a cell on the slot `slot` in which all of `programs` can be run.
    ///
    /// # Errors
    /// Returns a fault if the sandbox fails.
    pub fn new(host: &Host, slot: usize, programs: &[Program]) -> Result<BatchRunner, Failure> {
        let mut mounts: Vec<_> = programs.iter().flat_map(|program| program.mounts().iter().cloned()).collect();
        mounts.sort();
        mounts.dedup();
        Ok(BatchRunner { cell: host.sandbox().open(&cell_spec_with(mounts, slot))? })
    }

    /// Runs a program with the arguments `args` on the content of the file `input`.
    ///
    /// # Errors
    /// Fails if the sandbox fails or the input can't be read.
    pub fn run(
        &mut self,
        program: &Program,
        args: &[String],
        input: &Path,
        limits: &Limits,
    ) -> Result<BatchResult, Failure> {
        let unreadable =
            |error: std::io::Error| Fault::io(FaultKind::Data, &error).context("cannot read the input of a test case");
        let stdin = Input::File(fs_err::File::open(input).map_err(unreadable)?.into());
        let command = command(program, limits, self.cell.private_dir(), stdin, args);
        let run = run_program(self.cell.as_mut(), program, command)?;
        let verdict = classify(&run.execution, &program.limits(limits));
        Ok(BatchResult { verdict, output: run.stdout, cpu: run.execution.usage.cpu })
    }
}
