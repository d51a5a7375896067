//! The sandbox without isolation (level D): resource limits and a private directory. It is meant for trusted programs
//! only.

use std::sync::Arc;

use super::cell_client::CellClient;
use super::fork_server::ForkServer;
use super::message::CellSetup;
use super::shared::SandboxShared;
use super::{Cancel, Cell, CellSpec, Sandbox};
use crate::model::{Fault, Isolation, Level};

/// A sandbox that runs programs as processes of the current user, under resource limits but without isolation.
///
/// Limits, measurements and cleanup work as at level C, but a hostile program can read and write everything that the
/// user can. The mounts of a [`CellSpec`] have no effect on which files are visible.
#[derive(Debug, Clone)]
pub struct RlimitOnly {
    shared: Arc<SandboxShared>,
    cancel: Cancel,
    isolation: Isolation,
}

impl RlimitOnly {
    /// Creates the sandbox, whose cells `server` forks.
    ///
    /// # Errors
    /// Returns a fault if the system's temporary directory cannot be read or /dev/null cannot be opened.
    pub fn new(server: ForkServer, cancel: Cancel) -> Result<RlimitOnly, Fault> {
        RlimitOnly::create(server, cancel, false)
    }

    pub(super) fn create(server: ForkServer, cancel: Cancel, instructions: bool) -> Result<RlimitOnly, Fault> {
        let missing = vec![
            "no namespaces, system call filter, Landlock or control groups: isolation level D was requested".to_owned(),
        ];
        let isolation = Isolation { missing, ..Isolation::of(Level::D) };
        let shared = SandboxShared::new(server, None, &isolation, instructions)?;
        Ok(RlimitOnly { shared: Arc::new(shared), cancel, isolation })
    }

    /// Sets the reasons why no stronger level is used.
    pub(super) fn set_missing(&mut self, reasons: Vec<String>) {
        self.isolation.missing = reasons;
    }
}

impl Sandbox for RlimitOnly {
    fn isolation(&self) -> &Isolation {
        &self.isolation
    }

    fn open(&self, spec: &CellSpec) -> Result<Box<dyn Cell>, Fault> {
        let setup = CellSetup {
            scratch: spec.scratch.get(),
            slot: spec.slot as u64,
            processors: self.shared.processors_for(spec),
            instructions: self.shared.instructions,
            ..CellSetup::default()
        };
        Ok(Box::new(CellClient::new(Arc::clone(&self.shared), self.cancel.clone(), setup)?))
    }

    fn with_cancel(&self, cancel: Cancel) -> Arc<dyn Sandbox> {
        Arc::new(RlimitOnly { cancel, ..self.clone() })
    }
}
