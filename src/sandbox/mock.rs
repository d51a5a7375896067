//! A mock sandbox for tests. It starts no processes.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use super::{Cancel, Cell, CellCommand, CellOutput, CellSpec, Sandbox};
use crate::model::{ByteSize, Execution, Exit, Fault, FaultKind, Isolation, Level, Usage};

type MockAnswer = dyn Fn(&CellSpec, CellCommand) -> Result<CellOutput, Fault> + Send + Sync;

/// A sandbox whose runs return the result of a closure.
#[derive(Clone)]
pub struct MockSandbox {
    answer: Arc<MockAnswer>,
    cancel: Option<Cancel>,
    isolation: Isolation,
}

impl fmt::Debug for MockSandbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MockSandbox").field("isolation", &self.isolation).finish_non_exhaustive()
    }
}

impl MockSandbox {
    /// Creates a sandbox whose runs return the result of `answer`.
    pub fn new(
        answer: impl Fn(&CellSpec, CellCommand) -> Result<CellOutput, Fault> + Send + Sync + 'static,
    ) -> MockSandbox {
        MockSandbox { answer: Arc::new(answer), cancel: None, isolation: Isolation::of(Level::A) }
    }

    /// Sets the isolation that the sandbox reports, which is level A by default.
    #[must_use]
    pub fn claiming(mut self, isolation: Isolation) -> MockSandbox {
        self.isolation = isolation;
        self
    }

    /// Returns the result of a run that wrote `stdout` and exited with code 0, with no resource usage.
    pub fn wrote(stdout: impl Into<Vec<u8>>) -> CellOutput {
        let stderr = crate::model::Capture::default();
        let execution = Execution { exit: Exit::Code(0), breach: None, usage: Usage::default(), stderr };
        CellOutput { execution, resident: ByteSize::default(), stdout: stdout.into(), spilled: None, files: Vec::new() }
    }
}

impl Sandbox for MockSandbox {
    fn isolation(&self) -> &Isolation {
        &self.isolation
    }

    fn open(&self, spec: &CellSpec) -> Result<Box<dyn Cell>, Fault> {
        Ok(Box::new(MockCell { sandbox: self.clone(), spec: spec.clone() }))
    }

    fn with_cancel(&self, cancel: Cancel) -> Arc<dyn Sandbox> {
        Arc::new(MockSandbox { cancel: Some(cancel), ..self.clone() })
    }
}

struct MockCell {
    sandbox: MockSandbox,
    spec: CellSpec,
}

impl Cell for MockCell {
    fn run(&mut self, command: CellCommand) -> Result<CellOutput, Fault> {
        let run = (self.sandbox.answer)(&self.spec, command);
        if self.sandbox.cancel.as_ref().is_some_and(Cancel::is_cancelled) {
            return Err(Fault::new(FaultKind::Cancelled, "the run was cancelled"));
        }
        run
    }

    fn private_dir(&self) -> &Path {
        Path::new("/box")
    }
}
