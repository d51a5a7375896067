//! One program asked again and again, as somebody who plays a game asks it for its next move.

use crate::judge::classify;
use crate::lang::{Program, Source};
use crate::model::{Failure, Limits};
use crate::sandbox::{Cell, Input};

use super::arena::Arena;
use super::hands::{file_with, room, task};

/// A program that is ready to be asked.
pub struct Asked {
    program: Program,
    cell: Box<dyn Cell>,
    limits: Limits,
}

impl Arena {
    /// Builds a program, to ask it under these limits.
    ///
    /// # Errors
    /// The program does not compile, its language is not here, or our own failure.
    pub fn ready(&self, source: &Source, name: &str, limits: &Limits) -> Result<Asked, Failure> {
        let program = self.build_own(source, name)?;
        let cell = self.sandbox().open(&room(&program, 0))?;
        Ok(Asked { program, cell, limits: *limits })
    }
}

impl Asked {
    /// What the program prints for this input; the inner error says in words why that is nothing to go by.
    ///
    /// # Errors
    /// Our own failure.
    pub fn answer(&mut self, input: &[u8]) -> Result<Result<Vec<u8>, String>, Failure> {
        let stdin = Input::File(file_with(input)?);
        let task = task(&self.program, &self.limits, self.cell.private_dir(), stdin, &[]);
        let limits = task.limits;
        let run = self.cell.run(task)?;
        Ok(match classify(&run.execution, &limits) {
            None => Ok(run.stdout),
            Some(verdict) if run.execution.breach.is_some() => Err(verdict.long().to_owned()),
            Some(_) => Err(run.execution.exit.to_string()),
        })
    }
}
