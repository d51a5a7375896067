//! The strict mode: every run gets an init, process, IPC and mount namespaces and an empty scratch space of its own.
//!
//! The cell itself stays outside of the walls and never starts a program: it only makes one init after the other. An
//! init puts up the walls, takes one request, answers it and ends, and everything of its run ends with it. The next
//! one is made while the judge is busy with the reply, so that the next run does not wait for it.

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

/// An init's exit codes.
const SERVED: i32 = 0;
const FAILED: i32 = 1;
const JUDGE_GONE: i32 = 2;

/// What the inits are copied from.
pub(super) struct Shell {
    setup: Setup,
    luggage: Luggage,
    /// A /proc that may be written.
    proc: OwnedFd,
    /// What programs may open and is the same in every run; none without Landlock.
    places: Option<Places>,
    filters: Vec<seccompiler::BpfProgram>,
    counters: Counters,
    processors: u32,
    ceilings: Ceilings,
}

impl Shell {
    /// Makes everything that runs can share.
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

    /// Makes inits until the judge is gone.
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
                _ => return Err(Error::other("a run's own init failed")),
            }
        }
    }

    /// The life of an init, and the code it ends with.
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

    /// A fresh scratch space, and walls around it and us.
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
