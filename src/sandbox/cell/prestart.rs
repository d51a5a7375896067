//! Prestarted programs: a program that is run many times is executed once, and each run is a fork of this process.
//!
//! Executing a small program takes the kernel and the C library longer than the program itself. A program that contains
//! the [start hook](crate::StartHook) can be executed before its run: the hook is called when the C library is
//! initialized and before constructors and `main`, and waits there. For each run, the cell sends the hook the descriptors
//! of the run. The hook forks the process as a child of the cell, connects the descriptors and returns, so that the program
//! continues in the new process as if it had just been executed. The second run of a program with the same arguments,
//! environment and limits is the first one for which it is prestarted.
//!
//! The program's author is not trusted, and can run code before the hook. [`pristine`](super::pristine) checks that this code
//! cannot make runs depend on earlier ones. Programs cannot access the memory and the counters of the process, which is not
//! dumpable. They can end it; then the next runs execute the program.

use std::cell::{Cell, RefCell};
use std::ffi::{CStr, OsStr};
use std::io::{Error, IoSlice, Result};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags, open};
use rustix::net::sockopt::{Timeout, set_socket_timeout};
use rustix::net::{
    AddressFamily, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags, SocketFlags, SocketType, recv,
    send, sendmsg, socketpair,
};
use rustix::process::Resource;

use super::pristine::{StartState, has_gnu_start, is_pristine};
use super::usage::{CpuCounter, ProcessTree};
use crate::cgroup::reread;
use crate::message::RunRequest;
use crate::sys::{self, HOOK_DESCRIPTOR, HOOK_GREETING, Launch, STANDARD_STREAMS, StartHook};

/// Time within which the hook must be reached.
pub(super) const START_MAX: Duration = Duration::from_millis(200);
/// Time within which the hook must reply; otherwise the program is executed.
const REPLY_MAX: Duration = Duration::from_secs(1);

/// The prestarted program of a cell, if any.
#[derive(Debug, Default)]
pub(super) struct Prestart {
    /// The request of the last run, if its program may be prestarted.
    last: RefCell<Option<RunRequest>>,
    /// Whether the program of `last` could not be prestarted, or ended.
    is_refused: Cell<bool>,
    process: RefCell<Option<PrestartedProcess>>,
}

/// A process that waits in the start hook.
#[derive(Debug)]
struct PrestartedProcess {
    pid: i32,
    /// The other end of the descriptor [`HOOK_DESCRIPTOR`] of the process.
    socket: OwnedFd,
    /// The list of the children of the cell.
    children: OwnedFd,
}

impl Prestart {
    /// Returns the id of the prestarted process, if there is one. It belongs to no run.
    pub(super) fn pid(&self) -> Option<i32> {
        self.process.borrow().as_ref().map(|process| process.pid)
    }

    /// Prepares the run of a request. Ends the prestarted process if it belongs to another program, and starts one if the
    /// program is run for the second time. `cpu` is the CPU time counter of the control group, `tree` consists of the
    /// processes of the cell, and `launch` returns the launch of the program with these descriptors. Returns true if the
    /// program was executed, even if it is not used.
    pub(super) fn prepare(
        &self,
        request: &RunRequest,
        (cpu, tree): (&CpuCounter, &ProcessTree),
        launch: impl FnOnce(Vec<OwnedFd>) -> Result<Launch>,
    ) -> Result<bool> {
        let is_repeated = self.last.borrow().as_ref().is_some_and(|last| last.starts_like(request));
        if !is_repeated {
            if let Some(process) = self.process.take() {
                sys::send_signal(process.pid, libc::SIGKILL);
                sys::reap(Some(process.pid), true)?;
            }
            self.last.replace(request.prestart.then(|| request.clone()));
            self.is_refused.set(false);
        }
        if !is_repeated || self.is_refused.get() || self.process.borrow().is_some() {
            return Ok(false);
        }
        let hook = StartHook::of_this_machine();
        let started = hook.map(|hook| PrestartedProcess::start(hook, (cpu, tree), launch)).transpose()?.flatten();
        self.is_refused.set(started.is_none());
        self.process.replace(started);
        Ok(true)
    }

    /// Forks the prestarted process with these standard streams. Returns the id of the new process, or `None` if the program
    /// must be executed.
    pub(super) fn fork(&self, streams: &[OwnedFd]) -> Result<Option<i32>> {
        let forked = match &*self.process.borrow() {
            Some(process) if streams.len() == STANDARD_STREAMS => process.fork(streams),
            _ => return Ok(None),
        };
        if forked.is_none() {
            self.is_refused.set(true);
            let process = self.process.take();
            end_all()?;
            // The new process replies before it continues the program.
            if process.is_some_and(|process| process.reply(RecvFlags::DONTWAIT).is_some()) {
                return Err(Error::other("the start hook of a program replied too late"));
            }
        }
        Ok(forked)
    }

    /// Continues the prestarted process, which a program may have stopped before it closed the descriptors of the run.
    pub(super) fn resume(&self) {
        if let Some(pid) = self.pid() {
            sys::send_signal(pid, libc::SIGCONT);
        }
    }

    /// Returns whether the process that was reaped is the prestarted one, which is forgotten then.
    pub(super) fn has_ended(&self, pid: i32) -> bool {
        let is_own = self.pid() == Some(pid);
        if is_own {
            self.is_refused.set(true);
            self.process.take();
        }
        is_own
    }

    /// Returns whether the prestarted process is the only child of the cell. The cell must have reaped all children that
    /// have ended.
    pub(super) fn is_only_child(&self) -> Result<bool> {
        match &*self.process.borrow() {
            Some(process) => Ok(reread(&process.children)?.trim().parse() == Ok(process.pid)),
            None => Ok(false),
        }
    }
}

impl PrestartedProcess {
    /// Executes the program, and waits until it has reached the hook. Returns `None` if it does not reach the hook, or is
    /// not pristine then; it is ended in this case.
    fn start(
        hook: StartHook,
        (cpu, tree): (&CpuCounter, &ProcessTree),
        launch: impl FnOnce(Vec<OwnedFd>) -> Result<Launch>,
    ) -> Result<Option<PrestartedProcess>> {
        // Not every kernel provides this file.
        let Ok(children) = open("/proc/thread-self/children", OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty()) else {
            return Ok(None);
        };
        let (socket, there) = socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)?;
        set_socket_timeout(&socket, Timeout::Recv, Some(REPLY_MAX))?;
        send(&socket, &HOOK_GREETING, SendFlags::NOSIGNAL)?;
        let null = open("/dev/null", OFlags::RDWR | OFlags::CLOEXEC, Mode::empty())?;
        let mut descriptors = vec![null.try_clone()?, null.try_clone()?, null];
        debug_assert_eq!(descriptors.len(), HOOK_DESCRIPTOR);
        descriptors.push(there.try_clone()?);
        let mut launch = Launch { without_rseq: true, ..launch(descriptors)? };
        let path = |text: &CStr| PathBuf::from(OsStr::from_bytes(text.to_bytes()));
        let (program, dir) = (path(&launch.program), path(&launch.dir));
        if !has_gnu_start(&program).unwrap_or(false) {
            return Ok(None);
        }
        // The process counts as one of the program's processes.
        let own = launch.limits.iter_mut().filter(|(resource, ..)| *resource == Resource::Nproc as u32);
        own.for_each(|(_, soft, hard)| (*soft, *hard) = (soft.saturating_add(1), hard.saturating_add(1)));
        let cpu_micros = cpu.micros()?;
        let sys::Spawned::Running(pid) = sys::spawn(&launch)? else { return Ok(None) };
        let state = StartState { hook, program, dir, socket: there, cpu_micros };
        drop(launch);
        let process = PrestartedProcess { pid, socket, children };
        // The state is dropped afterwards, since its copy of the descriptor would hide the end of the process. Once the
        // process is pristine, only the hook sends messages; earlier ones could imitate its replies.
        let is_usable =
            process.is_ready()? && is_pristine(pid, state, (cpu, tree)).unwrap_or(false) && process.has_sent_nothing();
        if is_usable {
            return Ok(Some(process));
        }
        end_all()?;
        Ok(None)
    }

    /// Waits until the hook announces that it is ready. Returns false if the process ends or takes too long.
    fn is_ready(&self) -> Result<bool> {
        let timeout = Timespec { tv_sec: 0, tv_nsec: i64::from(START_MAX.subsec_nanos()) };
        match poll(&mut [PollFd::new(&self.socket, PollFlags::IN)], Some(&timeout)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        Ok(recv(&self.socket, &mut [0; 1], RecvFlags::DONTWAIT).is_ok_and(|(_, bytes)| bytes > 0))
    }

    /// Returns whether no message of the process is waiting.
    fn has_sent_nothing(&self) -> bool {
        matches!(recv(&self.socket, &mut [0; 1], RecvFlags::DONTWAIT), Err(rustix::io::Errno::AGAIN))
    }

    /// Sends the hook the descriptors, and returns the id of the process that it forks. Returns `None` if the hook has ended
    /// or does not reply in time.
    fn fork(&self, streams: &[OwnedFd]) -> Option<i32> {
        // A program may have stopped the process.
        sys::send_signal(self.pid, libc::SIGCONT);
        let streams: Vec<_> = streams.iter().map(AsFd::as_fd).collect();
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(STANDARD_STREAMS))];
        let mut ancillary = SendAncillaryBuffer::new(&mut space);
        if !ancillary.push(SendAncillaryMessage::ScmRights(&streams)) {
            return None;
        }
        sendmsg(&self.socket, &[IoSlice::new(&[0])], &mut ancillary, SendFlags::NOSIGNAL).ok()?;
        self.reply(RecvFlags::empty())
    }

    /// Receives the id of the process that the hook forked.
    fn reply(&self, flags: RecvFlags) -> Option<i32> {
        let mut pid = [0; 4];
        let (_, bytes) = recv(&self.socket, &mut pid, flags).ok()?;
        (bytes == pid.len()).then(|| i32::from_ne_bytes(pid))
    }
}

/// Kills and reaps all processes of the cell.
fn end_all() -> Result<()> {
    loop {
        sys::send_signal(-1, libc::SIGKILL);
        match sys::reap(None, true) {
            Ok(_) => {}
            Err(error) if error.raw_os_error() == Some(libc::ECHILD) => return Ok(()),
            Err(error) => return Err(error),
        }
    }
}
