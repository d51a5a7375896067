//! The sandbox without isolation (level D): resource limits and a private directory. For trusted programs only.

use std::path::PathBuf;
use std::sync::Arc;

use super::cell_client::{CellClient, House};
use super::message::Setup;
use super::{Cancel, Cell, CellSpec, Sandbox};
use crate::model::{Fault, Isolation, Level};

/// Runs programs as ordinary processes of the current user, with limits but without isolation.
///
/// Limits, measurements and cleanup work as in the other sandboxes, but a hostile program can read and write everything
/// that the user can. The mounts of a [`CellSpec`] have no effect: all files are visible.
#[derive(Debug, Clone)]
pub struct RlimitOnly {
    house: Arc<House>,
    cancel: Cancel,
    isolation: Isolation,
}

impl RlimitOnly {
    /// Creates the sandbox. `cell_exe` is the executable of its cells: a program that calls
    /// [`cell_main`](super::cell_main) when its first argument is `__cell`.
    ///
    /// # Errors
    /// Returns a fault if no temporary directory can be created.
    pub fn new(cell_exe: PathBuf, cancel: Cancel) -> Result<RlimitOnly, Fault> {
        RlimitOnly::made(cell_exe, cancel, false)
    }

    pub(super) fn made(cell_exe: PathBuf, cancel: Cancel, instructions: bool) -> Result<RlimitOnly, Fault> {
        let missing = vec![
            "no user namespaces, system call filter, Landlock or control groups: isolation level D was requested"
                .to_owned(),
        ];
        let mut house = House::new(cell_exe, None)?;
        house.instructions = instructions;
        Ok(RlimitOnly { house: Arc::new(house), cancel, isolation: Isolation { missing, ..Isolation::of(Level::D) } })
    }

    /// Sets the reasons why no stronger level is used.
    pub(super) fn explain(&mut self, reasons: Vec<String>) {
        self.isolation.missing = reasons;
    }
}

impl Sandbox for RlimitOnly {
    fn isolation(&self) -> &Isolation {
        &self.isolation
    }

    fn open(&self, room: &CellSpec) -> Result<Box<dyn Cell>, Fault> {
        let setup = Setup {
            scratch: room.scratch.get(),
            slot: room.slot as u64,
            processors: self.house.processors_for(room),
            instructions: self.house.instructions,
            ..Setup::default()
        };
        Ok(Box::new(CellClient::new(Arc::clone(&self.house), self.cancel.clone(), setup)?))
    }

    fn with_cancel(&self, cancel: Cancel) -> Arc<dyn Sandbox> {
        Arc::new(RlimitOnly { cancel, ..self.clone() })
    }
}
