//! Starts, prepares and ends the process of a cell.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::cgroup::{Cgroup, CgroupHierarchy};
use super::child_process::ChildProcess;
use super::fork_server::{ForkRequest, ForkServer, ForkedProcess, sockets};
use super::message::CellSetup;
use super::temp_dir::TempDirs;
use super::wire::{self, FrameKind};
use crate::model::{Fault, FaultKind};

/// Timeout for preparing a cell, which is long enough for a heavily loaded machine.
const PREPARE_MAX: Duration = Duration::from_secs(30);

/// The settings with which the process of a cell is started.
#[derive(Debug)]
pub(super) struct CellStarter {
    /// The process that forks the cells.
    pub(super) server: ForkServer,
    pub(super) temp_dir: TempDirs,
    /// The parents of the cells' control groups; `None` if control groups are not used.
    pub(super) hierarchy: Option<CgroupHierarchy>,
    /// Whether cells have namespaces.
    pub(super) namespaced: bool,
    /// Whether each run has its own namespaces.
    pub(super) strict: bool,
    /// The CPUs that the judge could use when the sandbox was created. Worker threads may pin themselves later.
    pub(super) processors: Vec<u64>,
}

/// The process of a cell and its socket.
#[derive(Debug)]
pub(super) struct CellProcess {
    child: ChildProcess,
    pub(super) socket: OwnedFd,
    /// The socket on which the judge stops runs and asks for results.
    pub(super) control: OwnedFd,
    /// The end of the control socket for the cell, until the cell is prepared.
    cell_control: Option<OwnedFd>,
    /// The files through which the cell's process joins the control group; see [`Cgroup::adopt`].
    to_join: Vec<OwnedFd>,
    /// The control group. It is dropped after the process, because a control group that contains processes cannot be
    /// removed.
    pub(super) group: Option<Cgroup>,
}

fn fault(message: impl Into<String>) -> Fault {
    Fault::new(FaultKind::Sandbox, message)
}

fn cgroup_fault(error: std::io::Error) -> Fault {
    fault(format!("cannot set up the control group of a cell: {error}"))
}

impl CellStarter {
    /// Creates the control group of a cell and starts its process, which then waits for its setup. The process is prepared on
    /// the first `first` CPUs.
    pub(super) fn start(&self, first: usize) -> Result<CellProcess, Fault> {
        let new_group = |hierarchy| Cgroup::new(hierarchy, &self.temp_dir, self.strict);
        let group = self.hierarchy.as_ref().map(new_group).transpose().map_err(cgroup_fault)?;
        let directory = group.as_ref().map_or(Ok(None), Cgroup::directory).map_err(cgroup_fault)?;
        let request =
            ForkRequest { group: directory.as_ref(), namespaced: self.namespaced, processors: &self.processors, first };
        let ForkedProcess { child, socket, is_in_group } = self.server.fork(&request)?;
        let (control, cell_control) = sockets()?;
        let mut cell =
            CellProcess { child, socket, control, cell_control: Some(cell_control), to_join: Vec::new(), group };
        if let Some(group) = cell.group.as_ref().filter(|_| !is_in_group) {
            cell.to_join = group.adopt(cell.child.id()).map_err(cgroup_fault)?;
        }
        Ok(cell)
    }
}

impl CellProcess {
    /// Sends the setup and waits until the cell is prepared.
    pub(super) fn prepare(&mut self, setup: &CellSetup) -> Result<(), Fault> {
        let failed = |error: std::io::Error| match error.kind() {
            std::io::ErrorKind::WouldBlock => fault(format!("a cell was not ready within {PREPARE_MAX:?}")),
            _ => fault(format!("cannot communicate with a new cell: {error}")),
        };
        let to_join = std::mem::take(&mut self.to_join);
        let control = self.cell_control.take().ok_or_else(|| fault("a cell is prepared twice"))?;
        let counters = self.group.as_ref().map(Cgroup::counters).transpose().map_err(cgroup_fault)?;
        let (counters, peak) = counters.unwrap_or_default();
        let descriptors: Vec<BorrowedFd<'_>> =
            std::iter::once(&control).chain(&counters).chain(&to_join).map(AsFd::as_fd).collect();
        let setup = CellSetup { peak, ..setup.clone() };
        wire::send(&self.socket, FrameKind::Setup, 0, &setup.encode(), &descriptors).map_err(failed)?;
        drop(control);
        rustix::net::sockopt::set_socket_timeout(&self.socket, rustix::net::sockopt::Timeout::Recv, Some(PREPARE_MAX))
            .map_err(|error| failed(error.into()))?;
        match wire::receive(&self.socket).map_err(failed)? {
            Some(frame) if frame.kind == FrameKind::Ready => {}
            Some(frame) if frame.kind == FrameKind::Trouble => {
                return Err(fault(format!("a cell failed to start: {}", String::from_utf8_lossy(&frame.body))));
            }
            Some(frame) => {
                return Err(fault(format!("expected a `Ready` frame from a cell, found `{:?}`", frame.kind)));
            }
            None => return Err(fault("a cell exited before it was ready")),
        }
        self.group.as_mut().map_or(Ok(()), Cgroup::record_baseline).map_err(cgroup_fault)
    }

    /// Returns whether a cell that is prepared and has no request still waits for one.
    pub(super) fn is_waiting(&self) -> bool {
        let at_once = Timespec { tv_sec: 0, tv_nsec: 0 };
        poll(&mut [PollFd::new(&self.socket, PollFlags::IN)], Some(&at_once)) == Ok(0)
    }

    /// Closes the connection. The cell then kills its programs, cleans up and exits. This function does not wait for
    /// the exit.
    pub(super) fn disconnect(&self) {
        for socket in [&self.socket, &self.control] {
            _ = rustix::net::shutdown(socket, rustix::net::Shutdown::Both);
        }
    }
}

impl Drop for CellProcess {
    fn drop(&mut self) {
        // Dropping the child waits until it exits.
        self.disconnect();
    }
}
