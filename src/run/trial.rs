//! Trials: programs run on single inputs, outside of any plan. For whoever compares programs instead of judging them.

use crate::judge::classify;
use crate::lang::{BuildError, Built, Program, Source, Workshop, build, compile_limits};
use crate::model::{Failure, FaultKind, Limits, Span, Verdict};
use crate::sandbox::{Cell, Input};

use super::arena::Arena;
use super::hands::{file_with, task};

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
    pub cpu: Span,
}

/// Where an input comes from.
#[derive(Debug, Clone, Copy)]
pub enum Stdin<'a> {
    /// A file.
    File(&'a std::path::Path),
    /// Memory.
    Bytes(&'a [u8]),
}

impl Arena {
    /// A program from a text in memory; `name` has the extension of its language.
    ///
    /// # Errors
    /// What keeps it from being a program.
    pub fn source_of(&self, name: &str, text: &str) -> Result<Source, Failure> {
        let content = text.as_bytes().to_vec();
        Source::from_text(self.table(), std::path::Path::new(name), content, None)
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
        let room = super::hands::room_with(mounts, slot);
        Ok(Trials { cell: self.sandbox().open(&room)? })
    }
}

impl Trials {
    /// Runs a program on an input under these limits, with these variables added to its environment.
    ///
    /// # Errors
    /// The sandbox failed, or the input can't be read.
    pub fn run(
        &mut self,
        program: &Program,
        limits: &Limits,
        input: Stdin<'_>,
        env: &[(&str, String)],
    ) -> Result<Tried, Failure> {
        let unreadable = |error: std::io::Error| Failure::fault(FaultKind::Data, error.to_string());
        let stdin = match input {
            Stdin::File(path) => Input::File(fs_err::File::open(path).map_err(unreadable)?.into()),
            Stdin::Bytes(bytes) => Input::File(file_with(bytes)?),
        };
        let mut task = task(program, limits, self.cell.private_dir(), stdin, &[]);
        task.env.extend(env.iter().map(|(name, value)| (name.into(), value.into())));
        let own = task.limits;
        let run = self.cell.run(task)?;
        Ok(Tried { verdict: classify(&run.execution, &own), output: run.stdout, cpu: run.execution.usage.cpu })
    }
}
