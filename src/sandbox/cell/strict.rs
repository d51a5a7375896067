//! Strict mode: each run has its own init process, its own PID, IPC and mount namespaces, and an empty scratch space.
//!
//! The cell itself starts no programs. It only forks one init after another, and is restricted by neither Landlock nor
//! seccomp. An init restricts itself, serves one request and exits, which ends all processes of the run. The next init
//! is forked while the judge handles the reply, so that the next run does not have to wait for the fork.

use std::io::{Error, Result};
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;

use rustix::process::{Signal, set_parent_process_death_signal};

use super::clone_ns::{self, CellMounts, PreparedAhead};
use super::landlock::{self, AllowedPaths, PathPermissions};
use super::oom::OomScore;
use super::replies::UnsentReplies;
use super::rootfs::{self, RootFs};
use super::seccomp;
use super::serve::{PreparedCell, RequestedRun, RlimitCeilings, mount_permissions, pin, report_error};
use super::supervise::Supervisor;
use super::usage::{CellCounters, ProcessTree};
use crate::message::{CellSetup, NumberedReply};
use crate::sys;
use crate::wire::{self, FrameKind};

/// Exit code of an init that served a request.
const SERVED: i32 = 0;
/// Exit code of an init that failed.
const FAILED: i32 = 1;
/// Exit code of an init that received no request because the judge closed the socket.
const JUDGE_GONE: i32 = 2;

/// The cell in strict mode: the process from which inits are forked.
pub(super) struct StrictCell {
    setup: CellSetup,
    mounts: CellMounts,
    /// A writable procfs that is not attached to the file tree. It is used to set the OOM scores of processes.
    proc: OwnedFd,
    /// The allowed paths outside of the scratch space, which are the same in every run; `None` without Landlock.
    paths: Option<AllowedPaths>,
    filters: Vec<seccompiler::BpfProgram>,
    counters: CellCounters,
    processors: u32,
    ceilings: RlimitCeilings,
}

impl StrictCell {
    /// Prepares the parts that all runs share: namespaces, root filesystem, allowed paths and filters.
    pub(super) fn prepare(setup: CellSetup, counters: CellCounters, ahead: PreparedAhead) -> Result<StrictCell> {
        let (mounts, filters) = clone_ns::enter_namespaces(&setup, ahead)?;
        let RootFs { proc, .. } = rootfs::build(&mounts, None)?;
        rustix::system::sethostname(b"nimatron")?;
        let paths = setup.landlock.then(|| AllowedPaths::find(&mount_permissions(&mounts))).transpose()?;
        let processors = pin(&setup)?;
        sys::drop_privileges()?;
        Ok(StrictCell { setup, mounts, proc, paths, filters, counters, processors, ceilings: RlimitCeilings::set()? })
    }

    /// Forks inits until the judge closes the socket.
    pub(super) fn serve(&self, socket: &OwnedFd, control: &OwnedFd) -> Result<()> {
        let mut first = true;
        loop {
            let Some(init) = sys::clone_into(libc::CLONE_NEWPID | libc::CLONE_NEWIPC | libc::CLONE_NEWNS)? else {
                sys::quit(self.run_init((socket, control), first).unwrap_or(FAILED))
            };
            first = false;
            let ended = sys::reap(Some(init), true)?.map(|ended| ended.status);
            match ended.filter(|status| libc::WIFEXITED(*status)).map(|status| libc::WEXITSTATUS(status)) {
                Some(SERVED) => {}
                Some(JUDGE_GONE) => return Ok(()),
                _ => return Err(Error::other("the init process of a run failed")),
            }
        }
    }

    /// Serves one request as an init. Returns the exit code of the init.
    fn run_init(&self, (socket, control): (&OwnedFd, &OwnedFd), first: bool) -> Result<i32> {
        let cell = report_error(socket, self.prepare_run(socket, control))?;
        if first {
            wire::send(socket, FrameKind::Ready, 0, &[], &[])?;
        }
        let Some(frame) = wire::receive(socket)? else { return Ok(JUDGE_GONE) };
        let run = RequestedRun::try_from(frame)?;
        let number = run.number;
        let memory = cell.supervisor.counters.begin_memory()?;
        let reply = report_error(socket, cell.answer(run, memory))?;
        cell.supervisor.replies.add(NumberedReply { number, run: Some(reply) }, false)?;
        Ok(SERVED)
    }

    /// Mounts an empty scratch space and restricts the calling process, an init.
    fn prepare_run(&self, socket: &OwnedFd, control: &OwnedFd) -> Result<PreparedCell> {
        set_parent_process_death_signal(Some(Signal::KILL))?;
        let oom_score = OomScore::open(&self.proc);
        let scratch = rootfs::mount_scratch(&self.mounts, self.setup.scratch)?;
        if let Some(paths) = &self.paths {
            let processes = PathPermissions { read: vec!["/proc".into()], ..PathPermissions::default() };
            let processes = AllowedPaths::find(&processes)?;
            let rules = landlock::ruleset([paths, &processes], &scratch)?;
            sys::landlock_enter(rules.as_fd())?;
        }
        let counters = self.counters.reopen()?;
        if self.setup.filter {
            seccomp::install(&self.filters, self.setup.counter)?;
        }
        let tree = ProcessTree::Namespace { proc: Path::new("/proc").into() };
        let sockets = (UnsentReplies::new(socket.try_clone()?), control.try_clone()?);
        let supervisor = Supervisor { counters, processors: self.processors, ..Supervisor::begin(sockets, tree)? };
        Ok(PreparedCell {
            setup: self.setup.clone(),
            supervisor,
            scratch,
            user: self.mounts.user,
            ceilings: self.ceilings.clone(),
            oom_score,
            landlock: None,
        })
    }
}
