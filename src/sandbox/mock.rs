//! A sandbox that runs nothing and answers from a script: for testing whoever uses one.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use super::{Cancel, Cell, CellCommand, CellOutput, CellSpec, Sandbox};
use crate::model::{Execution, Exit, Fault, FaultKind, Isolation, Level, Usage};

type Answer = dyn Fn(&CellSpec, CellCommand) -> Result<CellOutput, Fault> + Send + Sync;

/// Answers every run by asking a closure.
#[derive(Clone)]
pub struct MockSandbox {
    answer: Arc<Answer>,
    cancel: Option<Cancel>,
    isolation: Isolation,
}

impl fmt::Debug for MockSandbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MockSandbox").field("isolation", &self.isolation).finish_non_exhaustive()
    }
}

impl MockSandbox {
    /// A sandbox that gives what `answer` says for the room and the task.
    pub fn new(
        answer: impl Fn(&CellSpec, CellCommand) -> Result<CellOutput, Fault> + Send + Sync + 'static,
    ) -> MockSandbox {
        MockSandbox { answer: Arc::new(answer), cancel: None, isolation: Isolation::of(Level::A) }
    }

    /// The same, claiming this isolation.
    #[must_use]
    pub fn claiming(mut self, isolation: Isolation) -> MockSandbox {
        self.isolation = isolation;
        self
    }

    /// A run that ended well at once and wrote this.
    pub fn wrote(stdout: impl Into<Vec<u8>>) -> CellOutput {
        let stderr = crate::model::Capture::default();
        let execution = Execution { exit: Exit::Code(0), breach: None, usage: Usage::default(), stderr };
        CellOutput { execution, stdout: stdout.into(), files: Vec::new() }
    }
}

impl Sandbox for MockSandbox {
    fn isolation(&self) -> &Isolation {
        &self.isolation
    }

    fn open(&self, room: &CellSpec) -> Result<Box<dyn Cell>, Fault> {
        Ok(Box::new(MockCell { script: self.clone(), room: room.clone() }))
    }

    fn with_cancel(&self, cancel: Cancel) -> Arc<dyn Sandbox> {
        Arc::new(MockSandbox { cancel: Some(cancel), ..self.clone() })
    }
}

struct MockCell {
    script: MockSandbox,
    room: CellSpec,
}

impl Cell for MockCell {
    fn run(&mut self, task: CellCommand) -> Result<CellOutput, Fault> {
        let run = (self.script.answer)(&self.room, task);
        if self.script.cancel.as_ref().is_some_and(Cancel::is_cancelled) {
            return Err(Fault::new(FaultKind::Cancelled, "the run was cancelled before its end"));
        }
        run
    }

    fn private_dir(&self) -> &Path {
        Path::new("/box")
    }
}
