//! Runs one program repeatedly, once for each move of a game.

use crate::judge::classify;
use crate::lang::{Program, Source};
use crate::model::{Failure, Limits};
use crate::sandbox::{Cell, Input};

use super::command::{cell_spec, command, temp_file_with};
use super::host::Host;

/// A program that prints a move for a position.
pub struct MoveClient {
    program: Program,
    cell: Box<dyn Cell>,
    limits: Limits,
}

/// The result of running the program on a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MoveOutput {
    /// The program ended normally with this output.
    Printed(Vec<u8>),
    /// The program failed. Contains a description of the failure.
    Failed(String),
}

impl MoveClient {
    /// Builds a program and opens its cell. Each run of the program has the limits `limits`.
    ///
    /// # Errors
    /// Fails if the program does not compile or its language is not installed, or if the judge itself fails.
    pub fn build(host: &Host, source: &Source, name: &str, limits: &Limits) -> Result<MoveClient, Failure> {
        let program = host.languages().build_own(source, name)?;
        let cell = host.sandbox().open(&cell_spec(&program, 0))?;
        Ok(MoveClient { program, cell, limits: *limits })
    }

    /// Runs the program on the input `input`.
    ///
    /// # Errors
    /// Returns a fault if the judge fails.
    pub fn run(&mut self, input: &[u8]) -> Result<MoveOutput, Failure> {
        let stdin = Input::File(temp_file_with(input)?);
        let command = command(&self.program, self.limits, self.cell.private_dir(), stdin, &[]);
        let limits = command.limits;
        let run = self.cell.run(command)?;
        Ok(match classify(&run.execution, &limits) {
            None => MoveOutput::Printed(run.stdout),
            Some(verdict) if run.execution.breach.is_some() => MoveOutput::Failed(verdict.long().to_owned()),
            Some(_) => MoveOutput::Failed(run.execution.exit.to_string()),
        })
    }
}
