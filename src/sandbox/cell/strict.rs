//! Strict mode: each run gets its own init, PID, IPC and mount namespaces, and an empty scratch space.
//!
//! The cell itself stays unrestricted and starts no programs; it only forks one init after the other. An init restricts
//! itself, serves one request and exits, which ends all processes of the run. The next init is forked while the judge
//! handles the reply, so that the next run does not wait for it.

use std::io::{Error, ErrorKind, Result};
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;

use rustix::process::{Signal, set_parent_process_death_signal};

use super::clone_ns::{self, Luggage};
use super::landlock::{self, Permissions, Places};
use super::oom::Score;
use super::rootfs::{self, Built};
use super::seccomp::{self, Walls};
use super::serve::{Ceilings, House, inside, pin};
use super::supervise::Watch;
use super::usage::{Counters, Tree};
use crate::sandbox::message::Setup;
use crate::sandbox::sys;
use crate::sandbox::wire::{self, Kind};

/// Exit codes of an init.
const SERVED: i32 = 0;
const FAILED: i32 = 1;
const JUDGE_GONE: i32 = 2;

/// The process from which inits are forked.
pub(super) struct Shell {
    setup: Setup,
    luggage: Luggage,
    /// A writable /proc.
    proc: OwnedFd,
    /// The allowed paths that are the same in every run; `None` without Landlock.
    places: Option<Places>,
    filters: Vec<seccompiler::BpfProgram>,
    counters: Counters,
    processors: u32,
    ceilings: Ceilings,
}

impl Shell {
    /// Prepares everything that runs share.
    pub(super) fn prepare(setup: Setup, counters: Counters) -> Result<Shell> {
        let processors = pin(&setup)?;
        let luggage = clone_ns::enter(&setup)?;
        let Built { proc, .. } = rootfs::build(&luggage, None)?;
        rustix::system::sethostname(b"nimatron")?;
        let places = setup.landlock.then(|| Places::find(&inside(&luggage))).transpose()?;
        let walls = Walls { own_user: luggage.user.is_some(), group: setup.counter };
        let filters = if setup.filter { seccomp::programs(walls)? } else { Vec::new() };
        sys::forgo_privileges()?;
        Ok(Shell { setup, luggage, proc, places, filters, counters, processors, ceilings: Ceilings::set()? })
    }

    /// Forks inits until the judge closes the socket.
    pub(super) fn serve(&self, socket: &OwnedFd) -> Result<()> {
        let mut first = true;
        loop {
            let Some(init) = sys::fork_into(libc::CLONE_NEWPID | libc::CLONE_NEWIPC | libc::CLONE_NEWNS)? else {
                sys::quit(self.live(socket, first).unwrap_or(FAILED))
            };
            first = false;
            let ended = sys::reap(Some(init), true)?.map(|ended| ended.status);
            match ended.filter(|status| libc::WIFEXITED(*status)).map(|status| libc::WEXITSTATUS(status)) {
                Some(SERVED) => {}
                Some(JUDGE_GONE) => return Ok(()),
                _ => return Err(Error::other("the init of a run failed")),
            }
        }
    }

    /// The main function of an init. Returns its exit code.
    fn live(&self, socket: &OwnedFd, first: bool) -> Result<i32> {
        let house = super::serve::told(socket, self.renew(socket))?;
        if first {
            wire::send(socket, Kind::Ready, 0, &[], &[])?;
        }
        loop {
            let Some(frame) = wire::receive(socket)? else { return Ok(JUDGE_GONE) };
            let number = frame.number;
            match frame.kind {
                Kind::Stop => continue,
                Kind::Request => {}
                _ => return Err(Error::new(ErrorKind::InvalidData, "expected a request")),
            }
            let reply = super::serve::told(socket, house.answer(frame))?;
            wire::send(socket, Kind::Reply, number, &reply.encode(), &[])?;
            return Ok(SERVED);
        }
    }

    /// Mounts an empty scratch space and restricts the init.
    fn renew(&self, socket: &OwnedFd) -> Result<House> {
        set_parent_process_death_signal(Some(Signal::KILL))?;
        let score = Score::open(&self.proc);
        let scratch = rootfs::renew(&self.luggage, self.setup.scratch)?;
        if let Some(places) = &self.places {
            let processes = Permissions { read: vec!["/proc".into()], ..Permissions::default() };
            let processes = Places::find(&processes)?;
            let rules = landlock::ruleset([places, &processes], &scratch)?;
            sys::landlock_enter(rules.as_fd())?;
        }
        let counters = self.counters.again()?;
        seccomp::put_on(&self.filters)?;
        let tree = Tree::Namespace { proc: Path::new("/proc").into() };
        let watch = Watch { socket: socket.try_clone()?, tree, counters, processors: self.processors };
        Ok(House {
            setup: self.setup.clone(),
            watch,
            scratch,
            user: self.luggage.user,
            ceilings: self.ceilings.clone(),
            score,
            landlock: None,
        })
    }
}
