//! The judge's side of the fork server, a process that forks the processes of cells.
//!
//! The judge cannot fork a cell itself, since it has several threads and much memory, and executing its program again
//! for each cell takes milliseconds. The fork server has one thread and little memory, so a fork takes a fraction of a
//! millisecond. The cells are children of the judge and not of the fork server, so the judge reaps them.

use std::io::{Error, ErrorKind};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rustix::net::sockopt::{Timeout, set_socket_timeout};
use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};
use rustix::process::Pid;
use rustix::thread::sched_setaffinity;

use super::child_process::ChildProcess;
use super::placement::{cpu_set, move_to_other_cpu};
use super::wire::{self, BodyWriter, FrameKind};
use super::{cell, sys};
use crate::model::{Fault, FaultKind};

/// Timeout for a fork, which is long enough for a heavily loaded machine.
const FORK_MAX: Duration = Duration::from_secs(30);

/// The fork server of one or more sandboxes. Clones share the server, which exits when the last clone is dropped.
///
/// If the process of the server has exited, for example because it was killed, the next cell starts a new one.
#[derive(Debug, Clone)]
pub struct ForkServer(Arc<SharedServer>);

#[derive(Debug)]
struct SharedServer {
    exe: PathBuf,
    process: Mutex<Option<ServerProcess>>,
}

/// The process of a fork server. The socket is dropped first, so that the process exits.
#[derive(Debug)]
struct ServerProcess {
    socket: OwnedFd,
    child: ChildProcess,
}

/// A request to fork the process of a cell.
#[derive(Debug, Clone, Copy)]
pub(super) struct ForkRequest<'a> {
    /// The directory of the control group (version 2) in which the process starts, if any.
    pub(super) group: Option<&'a OwnedFd>,
    /// Whether the setup of the cell will require namespaces. The process prepares them while it waits for the setup.
    pub(super) namespaced: bool,
    /// The CPUs of the judge.
    pub(super) processors: &'a [u64],
    /// The number of CPUs, from the beginning of this list, on which the process may run until it is prepared.
    pub(super) first: usize,
}

/// The forked process of a cell.
#[derive(Debug)]
pub(super) struct ForkedProcess {
    pub(super) child: ChildProcess,
    /// The judge's end of the socket over which the process communicates.
    pub(super) socket: OwnedFd,
    /// Whether the process is in the requested control group. Older kernels cannot fork into a group.
    pub(super) is_in_group: bool,
}

fn fault(message: impl Into<String>) -> Fault {
    Fault::new(FaultKind::Sandbox, message)
}

/// Creates the sockets of a process: the judge's end and the end of the process.
pub(super) fn sockets() -> Result<(OwnedFd, OwnedFd), Fault> {
    socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)
        .map_err(|error| fault(format!("cannot create a socket: {error}")))
}

impl ForkServer {
    /// Creates a fork server whose process is started when it is first needed, by executing `exe`: a program that calls
    /// [`cell_main`](super::cell_main) when its first argument is `__cell`.
    pub fn new(exe: impl Into<PathBuf>) -> ForkServer {
        ForkServer(Arc::new(SharedServer { exe: exe.into(), process: Mutex::default() }))
    }

    /// Creates a fork server like [`ForkServer::new`], and starts its process by a fork of the calling process, which
    /// is faster than executing `exe`. If the calling process has several threads, or if the fork fails, the process is
    /// started later.
    ///
    /// Call this function before the process has read anything that untrusted programs must not know: cells keep a copy
    /// of its memory, although without the environment and the command line that the system passed.
    pub fn forked(exe: impl Into<PathBuf>) -> ForkServer {
        let server = ForkServer::new(exe);
        if has_one_thread() {
            *server.lock() = fork_server().ok();
        }
        server
    }

    /// Returns the executable of the fork server.
    pub(super) fn exe(&self) -> &Path {
        &self.0.exe
    }

    /// Returns the id of the process, if it was started.
    pub fn id(&self) -> Option<u32> {
        self.lock().as_ref().map(|process| process.child.id())
    }

    /// Takes the process out of this value, and makes it exit, unless there are clones of this value. Dropping the returned
    /// value waits until the process has exited.
    pub(super) fn end_unless_shared(&self) -> Option<impl Drop> {
        let ended = if Arc::strong_count(&self.0) == 1 { self.lock().take() } else { None };
        ended.map(|process| process.child)
    }

    /// Starts the process of a cell.
    pub(super) fn fork(&self, request: &ForkRequest<'_>) -> Result<ForkedProcess, Fault> {
        let failed = |error: &Error| fault(format!("cannot communicate with the fork server of cells: {error}"));
        let mut process = self.lock();
        if let Some(running) = &*process {
            let forked = running.fork(request);
            match forked {
                Ok(forked) => return forked,
                // The process has exited, or its reply may arrive too late, so it is replaced.
                Err(_) => *process = None,
            }
        }
        process
            .insert(execute_server(&self.0.exe, request.processors)?)
            .fork(request)
            .map_err(|error| failed(&error))?
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<ServerProcess>> {
        self.0.process.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl From<PathBuf> for ForkServer {
    fn from(exe: PathBuf) -> ForkServer {
        ForkServer::new(exe)
    }
}

impl From<&str> for ForkServer {
    fn from(exe: &str) -> ForkServer {
        ForkServer::new(exe)
    }
}

impl ServerProcess {
    /// Requests a fork. Returns an error if the process has exited, and a fault if the process cannot fork.
    fn fork(&self, request: &ForkRequest<'_>) -> std::io::Result<Result<ForkedProcess, Fault>> {
        let ForkRequest { group, namespaced, processors, first } = request;
        // Each attempt has its own socket. If the server was killed after a fork, the process that it forked finds its socket
        // closed.
        let (here, there) = match sockets() {
            Ok(sockets) => sockets,
            Err(fault) => return Ok(Err(fault)),
        };
        let mut body = BodyWriter::default();
        body.word(u64::from(*namespaced));
        body.word(*first as u64);
        body.words(processors);
        let descriptors: Vec<BorrowedFd<'_>> = std::iter::once(&there).chain(*group).map(AsFd::as_fd).collect();
        wire::send(&self.socket, FrameKind::Fork, 0, &body.0, &descriptors)?;
        let frame = wire::receive(&self.socket)?.ok_or(ErrorKind::UnexpectedEof)?;
        match (frame.kind, ChildProcess::new(frame.number)) {
            (FrameKind::Forked, Some(child)) => {
                Ok(Ok(ForkedProcess { child, socket: here, is_in_group: !frame.body.is_empty() }))
            }
            (FrameKind::Trouble, _) => {
                Ok(Err(fault(format!("cannot fork a cell: {}", String::from_utf8_lossy(&frame.body)))))
            }
            _ => Err(Error::new(ErrorKind::InvalidData, "expected a `Forked` frame")),
        }
    }
}

/// Returns true if the calling process certainly has only one thread.
fn has_one_thread() -> bool {
    // The directory has one link for each thread, in addition to the two links of every directory.
    std::fs::metadata("/proc/self/task").is_ok_and(|directory| directory.nlink() == 3)
}

/// Starts the process of a fork server by a fork. The calling process must have only one thread.
fn fork_server() -> Result<ServerProcess, Fault> {
    let (here, there) = sockets()?;
    match sys::clone_into(0) {
        Ok(None) => sys::quit(cell::run_forked_server(there)),
        Ok(Some(pid)) => {
            Pid::from_raw(pid).into_iter().for_each(move_to_other_cpu);
            server_process(pid.unsigned_abs(), here)
        }
        Err(error) => Err(fault(format!("cannot fork: {error}"))),
    }
}

/// Starts the process of a fork server by executing `exe`. The process may run on the CPUs `processors`.
fn execute_server(exe: &Path, processors: &[u64]) -> Result<ServerProcess, Fault> {
    let (here, there) = sockets()?;
    let mut command = Command::new(exe);
    command.arg("__cell").env_clear().current_dir("/");
    command.stdin(Stdio::from(there)).stdout(Stdio::null()).stderr(Stdio::null());
    let child = command
        .spawn()
        .map_err(|error| fault(format!("cannot start the fork server of cells from `{}`: {error}", exe.display())))?;
    let server = server_process(child.id(), here)?;
    if let Some(processors) = cpu_set(processors) {
        // The calling thread may be pinned to a CPU on which a program runs. If the CPUs cannot be set, cells are still
        // forked.
        _ = sched_setaffinity(Pid::from_raw(child.id() as i32), &processors);
    }
    Ok(server)
}

fn server_process(pid: u32, socket: OwnedFd) -> Result<ServerProcess, Fault> {
    let child = ChildProcess::new(u64::from(pid)).ok_or_else(|| fault(format!("invalid process id {pid}")))?;
    set_socket_timeout(&socket, Timeout::Recv, Some(FORK_MAX))
        .map_err(|error| fault(format!("cannot set the timeout of a socket: {error}")))?;
    Ok(ServerProcess { socket, child })
}
