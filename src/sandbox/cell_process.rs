//! Starts, prepares and ends the process of a cell.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};

use super::cgroup::{Cgroup, CgroupHierarchy};
use super::message::CellSetup;
use super::temp_dir::TempDirs;
use super::wire::{self, FrameKind};
use crate::model::{Fault, FaultKind};

/// Time between closing the socket of a cell and killing the cell if it has not exited.
const GRACE: Duration = Duration::from_secs(2);
/// Timeout for preparing a cell, which is long enough for a heavily loaded machine.
const PREPARE_MAX: Duration = Duration::from_secs(30);

/// The settings with which the process of a cell is started.
#[derive(Debug)]
pub(super) struct CellStarter {
    /// The executable that cells run, with the argument `__cell`.
    pub(super) exe: PathBuf,
    pub(super) temp_dir: TempDirs,
    /// The parents of the cells' control groups; `None` if control groups are not used.
    pub(super) hierarchy: Option<CgroupHierarchy>,
    /// Whether each run has its own namespaces.
    pub(super) strict: bool,
}

/// The process of a cell and its socket.
#[derive(Debug)]
pub(super) struct CellProcess {
    child: Child,
    pub(super) socket: OwnedFd,
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
    /// Starts the process of a cell and creates its control group. The process then waits for its setup.
    pub(super) fn start(&self) -> Result<CellProcess, Fault> {
        let (here, there) = socketpair(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None)
            .map_err(|error| fault(format!("cannot create the socket of a cell: {error}")))?;
        let mut command = Command::new(&self.exe);
        command.arg("__cell").env_clear().current_dir("/");
        command.stdin(Stdio::from(there)).stdout(Stdio::null()).stderr(Stdio::null());
        let child = command
            .spawn()
            .map_err(|error| fault(format!("cannot start a cell from `{}`: {error}", self.exe.display())))?;
        // The command owns the cell's end of the socket. It is dropped, so that the socket is closed when the cell
        // exits.
        drop(command);
        let mut cell = CellProcess { child, socket: here, to_join: Vec::new(), group: None };
        if let Some(hierarchy) = &self.hierarchy {
            let group = cell.group.insert(Cgroup::new(hierarchy, &self.temp_dir, self.strict).map_err(cgroup_fault)?);
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
        let counter = self.group.as_ref().map(Cgroup::cpu_counter).transpose().map_err(cgroup_fault)?;
        let descriptors: Vec<BorrowedFd<'_>> = counter.iter().chain(&to_join).map(AsFd::as_fd).collect();
        wire::send(&self.socket, FrameKind::Setup, 0, &setup.encode(), &descriptors).map_err(failed)?;
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

    /// Closes the connection. The cell then kills its programs, cleans up and exits. This function does not wait for
    /// the exit.
    pub(super) fn disconnect(&self) {
        _ = rustix::net::shutdown(&self.socket, rustix::net::Shutdown::Both);
    }
}

/// Waits until the process has exited or the timeout has passed. Returns true if the process has exited.
fn ends_within(child: &mut Child, timeout: Duration) -> bool {
    let deadline = Instant::now() + timeout;
    let handle = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw);
    let handle = handle.map(|pid| rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::empty()));
    let Some(Ok(handle)) = handle else {
        // If no pidfd can be opened, the process is polled.
        while Instant::now() < deadline {
            if !matches!(child.try_wait(), Ok(None)) {
                return true;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        return false;
    };
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let left = rustix::event::Timespec::try_from(left).ok();
        match poll(&mut [PollFd::new(&handle, PollFlags::IN)], left.as_ref()) {
            Ok(count) => return count > 0,
            Err(Errno::INTR) => {}
            Err(_) => return false,
        }
    }
}

impl Drop for CellProcess {
    fn drop(&mut self) {
        self.disconnect();
        // A cell that does not exit is killed.
        if !ends_within(&mut self.child, GRACE) {
            _ = self.child.kill();
        }
        _ = self.child.wait();
    }
}
