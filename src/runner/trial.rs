//! Trials: many programs that share a cell, run on one input after another.

use std::path::Path;

use crate::judge::classify;
use crate::lang::{BuildError, Built, Program, Source, Workshop, build, compile_limits};
use crate::model::{Failure, FaultKind, Limits, TimeSpan, Verdict};
use crate::sandbox::{Cell, Input};

use super::arena::Arena;
use super::hands::{room_with, task};

/// A cell in which any of some programs can be run.
pub struct Trials {
    cell: Box<dyn Cell>,
}

/// What one run gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tried {
    /// The verdict that the facts alone decide; none if the program ended well, so that its output counts.
    pub verdict: Option<Verdict>,
    /// What it wrote.
    pub output: Vec<u8>,
    /// Its CPU time.
    pub cpu: TimeSpan,
}

impl Arena {
    /// A program from a text in memory; `name` has the extension of its language.
    ///
    /// # Errors
    /// What keeps it from being a program.
    pub fn source_of(&self, name: &str, text: &str) -> Result<Source, Failure> {
        let content = text.as_bytes().to_vec();
        Source::from_text(self.table(), Path::new(name), content, None)
            .map_err(|error| Failure::complaint(error.to_string()))
    }

    /// Builds a program in this worker's room, or takes it from the cache. The inner error has the compiler's words.
    ///
    /// # Errors
    /// The language is not here, or our own failure.
    pub fn build_at(&self, source: &Source, slot: usize) -> Result<Result<Built, String>, Failure> {
        let toolchain = self.toolchain(source.language())?;
        let workshop = Workshop { sandbox: self.sandbox(), cache: self.cache(), limits: compile_limits(), slot };
        match build(source, &toolchain, &workshop) {
            Ok(built) => Ok(Ok(built)),
            Err(BuildError::Compile { output }) => Ok(Err(output)),
            Err(BuildError::Fault(fault)) => Err(fault.into()),
        }
    }

    /// A cell of this worker's in which any of these programs can be run.
    ///
    /// # Errors
    /// The sandbox failed.
    pub fn trials(&self, slot: usize, programs: &[Program]) -> Result<Trials, Failure> {
        let mut mounts: Vec<_> = programs.iter().flat_map(|program| program.mounts().iter().cloned()).collect();
        mounts.sort();
        mounts.dedup();
        let room = room_with(mounts, slot);
        Ok(Trials { cell: self.sandbox().open(&room)? })
    }
}

impl Trials {
    /// Runs a program on the input in a file under these limits, with these arguments.
    ///
    /// # Errors
    /// The sandbox failed, or the input can't be read.
    pub fn run(&mut self, program: &Program, args: &[String], input: &Path, limits: &Limits) -> Result<Tried, Failure> {
        let unreadable = |error: std::io::Error| Failure::fault(FaultKind::Data, error.to_string());
        let stdin = Input::File(fs_err::File::open(input).map_err(unreadable)?.into());
        let run = self.cell.run(task(program, limits, self.cell.private_dir(), stdin, args))?;
        let verdict = classify(&run.execution, &program.limits(limits));
        Ok(Tried { verdict, output: run.stdout, cpu: run.execution.usage.cpu })
    }
}
