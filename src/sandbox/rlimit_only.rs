//! The sandbox without protection: sessions, resource limits and a private folder. For programs one trusts.

use std::path::PathBuf;
use std::sync::Arc;

use super::cell_client::{CellClient, House};
use super::message::Setup;
use super::{Cancel, Cell, CellSpec, Sandbox};
use crate::model::{Fault, Isolation, Level};

/// Runs programs as what they are: processes of this user, with limits and without walls.
///
/// It measures and stops them reliably and leaves nothing behind, but a hostile program can read and write whatever
/// this user can. A room's mounts mean nothing here: everything is visible.
#[derive(Debug, Clone)]
pub struct RlimitOnly {
    house: Arc<House>,
    cancel: Cancel,
    isolation: Isolation,
}

impl RlimitOnly {
    /// Uses `cell_exe` for its cells: a program that calls [`cell_main`](super::cell_main) when its first argument is
    /// `__cell`, which is our own binary.
    ///
    /// # Errors
    /// A fault if there is no place for private folders.
    pub fn new(cell_exe: PathBuf, cancel: Cancel) -> Result<RlimitOnly, Fault> {
        RlimitOnly::made(cell_exe, cancel, false)
    }

    pub(super) fn made(cell_exe: PathBuf, cancel: Cancel, instructions: bool) -> Result<RlimitOnly, Fault> {
        let missing = vec![
            "no user namespaces, system call filter, Landlock or control group: this sandbox was asked for by name"
                .to_owned(),
        ];
        let mut house = House::new(cell_exe, None)?;
        house.instructions = instructions;
        Ok(RlimitOnly { house: Arc::new(house), cancel, isolation: Isolation { missing, ..Isolation::of(Level::D) } })
    }

    /// Says why nothing stronger was taken.
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
