//! The main loop of the fork server, a single-threaded process that forks the cells.

use std::io::{Error, ErrorKind, Result};
use std::os::fd::{AsFd, OwnedFd};
use std::panic::catch_unwind;
use std::process::ExitCode;

use rustix::fs::{Mode, OFlags, open};

use super::serve::{ForkedCell, report_error, serve};
use crate::placement::move_to;
use crate::sys;
use crate::wire::{self, BodyReader, FrameKind};

/// The command line of a forked fork server and of its cells.
const COMMAND_LINE: &[u8] = b"nimatron\0__cell\0";

/// The entry point of `nimatron __cell`, whose standard input is a socket connected to the judge.
///
/// The command is internal. It fails immediately if standard input is not a socket.
pub fn cell_main() -> ExitCode {
    match rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdin(), 10) {
        Ok(socket) => ExitCode::from(run_fork_server(socket) as u8),
        Err(_) => ExitCode::FAILURE,
    }
}

/// Runs the fork server in a fork of the judge. Works like [`run_fork_server`], and first removes what the judge must not
/// share with cells.
pub(in super::super) fn run_forked_server(socket: OwnedFd) -> i32 {
    // If the old command line and environment stay, the judge executes a fork server instead.
    if sys::replace_command_line(COMMAND_LINE) { run_fork_server(socket) } else { 1 }
}

/// Serves fork requests from `socket` until the judge closes it. Each forked process then runs its cell. Returns the
/// exit code of the calling process, or of the forked process.
fn run_fork_server(socket: OwnedFd) -> i32 {
    // After a panic, the forked process must not return into the code of the judge.
    let served = catch_unwind(move || fork_cells(socket).and_then(|cell| cell.map_or(Ok(()), serve)));
    i32::from(!matches!(served, Ok(Ok(()))))
}

/// Returns the cell in each forked process, and `None` in the fork server when the judge has closed the socket.
fn fork_cells(socket: OwnedFd) -> Result<Option<ForkedCell>> {
    report_error(&socket, detach(&socket))?;
    while let Some(frame) = wire::receive(&socket)? {
        let mut descriptors = frame.descriptors.into_iter();
        let (cell, group) = (descriptors.next().filter(|_| frame.kind == FrameKind::Fork), descriptors.next());
        let cell = cell.ok_or_else(|| Error::new(ErrorKind::InvalidData, "expected a `Fork` frame with a socket"))?;
        // If the kernel cannot fork into a group, the judge moves the process.
        let inside = group.map(|group| sys::fork_sibling_into(group.as_fd())).filter(Result::is_ok);
        let joined: &[u8] = if inside.is_some() { &[1] } else { &[] };
        match inside.unwrap_or_else(sys::fork_sibling) {
            Ok(None) => {
                let mut body = BodyReader(&frame.body);
                let (namespaced, first) = (body.word()? != 0, body.word()?);
                let processors = body.list(BodyReader::word)?;
                // The fork server uses other CPUs. The setup sets the CPUs again.
                move_to(processors.get(..first as usize).unwrap_or(&processors));
                return Ok(Some(ForkedCell { socket: cell, namespaced, processors }));
            }
            Ok(Some(pid)) => wire::send(&socket, FrameKind::Forked, u64::from(pid.unsigned_abs()), joined, &[])?,
            Err(error) => wire::send(&socket, FrameKind::Trouble, 0, error.to_string().as_bytes(), &[])?,
        }
    }
    Ok(None)
}

/// Detaches the process from everything that it shares with the judge except `socket`: the terminal and its signals, the
/// working directory, and the other descriptors.
fn detach(socket: &OwnedFd) -> Result<()> {
    sys::reset_signals();
    // The call fails only if the process already leads a process group.
    _ = rustix::process::setsid();
    rustix::process::umask(Mode::from_raw_mode(0o022));
    rustix::process::chdir("/")?;
    let null = open("/dev/null", OFlags::RDWR, Mode::empty())?;
    rustix::stdio::dup2_stdin(&null)?;
    rustix::stdio::dup2_stdout(&null)?;
    rustix::stdio::dup2_stderr(&null)?;
    drop(null);
    sys::close_other_descriptors(socket)
}
