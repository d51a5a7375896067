//! Small wrappers, each around one system call.
#![expect(unsafe_code, reason = "these calls have no safe wrapper in the crates we use")]

use std::io::{Error, Result};
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};

use libc::{c_int, c_long, pid_t};

/// A process that has ended and was waited for.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Reaped {
    /// Its id.
    pub(in super::super) pid: i32,
    /// Its status, as `wait` gives it.
    pub(in super::super) status: c_int,
    /// CPU time in microseconds, of it and of the descendants it waited for.
    pub(in super::super) cpu_micros: u64,
    /// The largest resident set of any of them, in bytes.
    pub(in super::super) resident: u64,
}

/// Waits for any child (or for `pid`); `Ok(None)` when `block` is false and none has ended.
pub(in super::super) fn reap(pid: Option<i32>, block: bool) -> Result<Option<Reaped>> {
    let options = libc::__WALL | if block { 0 } else { libc::WNOHANG };
    let mut status = 0;
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    loop {
        // SAFETY: both pointers are valid for writes of their types during the call.
        let ended = unsafe { libc::wait4(pid.unwrap_or(-1), &raw mut status, options, usage.as_mut_ptr()) };
        if ended < 0 {
            let error = Error::last_os_error();
            if error.kind() == std::io::ErrorKind::Interrupted {
                continue;
            }
            return Err(error);
        }
        if ended == 0 {
            return Ok(None);
        }
        // SAFETY: all bit patterns are valid for `rusage`, and it was zeroed before the kernel filled it.
        let usage = unsafe { usage.assume_init() };
        return Ok(Some(Reaped {
            pid: ended,
            status,
            cpu_micros: micros(usage.ru_utime) + micros(usage.ru_stime),
            resident: (usage.ru_maxrss as u64).saturating_mul(1024),
        }));
    }
}

fn micros(time: libc::timeval) -> u64 {
    time.tv_sec as u64 * 1_000_000 + time.tv_usec as u64
}

fn clock_micros(clock: libc::clockid_t) -> Result<u64> {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is valid for a write of a `timespec`.
    match unsafe { libc::clock_gettime(clock, &raw mut time) } {
        0 => Ok(time.tv_sec as u64 * 1_000_000 + time.tv_nsec as u64 / 1_000),
        _ => Err(Error::last_os_error()),
    }
}

/// CPU time in microseconds of a living process with all its threads, without its children.
pub(in super::super) fn process_cpu(pid: pid_t) -> Result<u64> {
    // The kernel's encoding of "the CPU clock of that process": the inverted id, and 2 for the scheduler's clock.
    clock_micros((!pid << 3) | 2)
}

/// CPU time in microseconds of this process.
pub(in super::super) fn own_cpu() -> Result<u64> {
    clock_micros(libc::CLOCK_PROCESS_CPUTIME_ID)
}

/// Sends a signal; a negative id is a group, -1 everybody we may signal. Whether anybody was there.
pub(in super::super) fn send_signal(pid: pid_t, signal: c_int) -> bool {
    // SAFETY: takes no pointers.
    unsafe { libc::kill(pid, signal) == 0 }
}

/// Puts every signal back to its default and blocks none, so that children need not.
///
/// Rust's runtime ignores SIGPIPE; a program that inherits that never dies of a closed pipe.
pub(in super::super) fn reset_signals() {
    for signal in 1..=64 {
        // SAFETY: the default action runs no code of ours; failures (SIGKILL, SIGSTOP, the C library's own) are harmless.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
    }
    let mut none = MaybeUninit::<libc::sigset_t>::uninit();
    // SAFETY: `sigemptyset` initialises the set that `sigprocmask` then reads.
    unsafe {
        libc::sigemptyset(none.as_mut_ptr());
        libc::sigprocmask(libc::SIG_SETMASK, none.as_ptr(), std::ptr::null_mut());
    }
}

/// Copies this process, which must have a single thread, into new namespaces: the child's id, or `None` in the child.
pub(in super::super) fn fork_into(namespaces: c_int) -> Result<Option<i32>> {
    let flags = c_long::from(namespaces | libc::SIGCHLD);
    // SAFETY: without CLONE_VM the child has its own copy of everything; with one thread no lock can be held by another.
    match unsafe { libc::syscall(libc::SYS_clone, flags, 0_u64, 0_u64, 0_u64, 0_u64) } {
        0 => Ok(None),
        pid if pid > 0 => Ok(Some(pid as i32)),
        _ => Err(Error::last_os_error()),
    }
}

/// What is set on every mount of a detached tree.
#[derive(Debug, Default, Clone, Copy)]
pub(in super::super) struct MountChange<'a> {
    /// The attributes to add, as `MOUNT_ATTR_…`.
    pub(in super::super) attributes: u64,
    /// The user namespace whose map translates owners.
    pub(in super::super) owners: Option<BorrowedFd<'a>>,
}

/// Changes every mount of a tree, and cuts its ties to the mounts it came from.
pub(in super::super) fn change_mounts(tree: BorrowedFd<'_>, change: MountChange<'_>) -> Result<()> {
    let idmap = if change.owners.is_some() { libc::MOUNT_ATTR_IDMAP } else { 0 };
    let attributes = libc::mount_attr {
        attr_set: change.attributes | idmap,
        attr_clr: 0,
        propagation: libc::MS_PRIVATE,
        userns_fd: change.owners.map_or(0, |owners| owners.as_raw_fd() as u64),
    };
    let flags = (libc::AT_EMPTY_PATH | libc::AT_RECURSIVE) as c_long;
    let size = size_of::<libc::mount_attr>();
    // SAFETY: the path is a C string, the structure has the size we say, and both live during the call.
    let done = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            c_long::from(tree.as_raw_fd()),
            c"".as_ptr(),
            flags,
            &raw const attributes,
            size,
        )
    };
    if done == 0 { Ok(()) } else { Err(Error::last_os_error()) }
}

/// What a counter counts.
#[derive(Debug, Clone, Copy)]
pub(in super::super) enum Event {
    /// Instructions executed outside of the kernel.
    Instructions,
    /// Nanoseconds on a processor: every kernel counts them, so that tests can.
    #[cfg(test)]
    Clock,
}

/// Whom a counter counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Counted {
    /// All programs that this process starts from now on, and all that these start, each from its `exec` on.
    Programs,
    /// Nobody.
    Nobody,
}

/// Opens a counter. Reading it gives one number of eight bytes, which only grows.
pub(in super::super) fn open_counter(event: Event, counted: Counted) -> Result<OwnedFd> {
    /// `struct perf_event_attr` in its first version: type, size, configuration, two more words, flags, three more.
    #[repr(C)]
    struct Attributes {
        kind: u32,
        size: u32,
        config: u64,
        period: u64,
        sample: u64,
        read: u64,
        flags: u64,
        rest: [u64; 2],
    }
    let (kind, config) = match event {
        // Hardware's instructions, and software's clock of a task.
        Event::Instructions => (0, 1),
        #[cfg(test)]
        Event::Clock => (1, 1),
    };
    const DISABLED: u64 = 1;
    const INHERITED: u64 = 1 << 1;
    const NOT_IN_THE_KERNEL: u64 = 1 << 5;
    const NOT_BELOW_IT: u64 = 1 << 6;
    const ENABLED_BY_EXEC: u64 = 1 << 12;
    const CLOSE_ON_EXEC: c_long = 8;
    let programs = if counted == Counted::Programs { INHERITED | ENABLED_BY_EXEC } else { 0 };
    let attributes = Attributes {
        kind,
        size: size_of::<Attributes>() as u32,
        config,
        period: 0,
        sample: 0,
        read: 0,
        flags: DISABLED | NOT_IN_THE_KERNEL | NOT_BELOW_IT | programs,
        rest: [0; 2],
    };
    let (this_process, any_processor, no_group): (c_long, c_long, c_long) = (0, -1, -1);
    // SAFETY: the structure has the size that it says and lives during the call.
    let counter = unsafe {
        let attributes = &raw const attributes;
        libc::syscall(libc::SYS_perf_event_open, attributes, this_process, any_processor, no_group, CLOSE_ON_EXEC)
    };
    if counter < 0 {
        return Err(Error::last_os_error());
    }
    // SAFETY: the call gave us a new descriptor that nobody else owns.
    Ok(unsafe { OwnedFd::from_raw_fd(counter as c_int) })
}

/// The version of Landlock this kernel speaks; 0 if none.
pub(in super::super) fn landlock_version() -> u32 {
    /// `LANDLOCK_CREATE_RULESET_VERSION`.
    const VERSION: c_long = 1;
    // SAFETY: with this flag the kernel reads no memory of ours.
    let version = unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, 0_u64, 0_u64, VERSION) };
    u32::try_from(version).unwrap_or(0)
}

/// Bars this process and its children for ever from gaining a privilege by executing something.
pub(in super::super) fn forgo_privileges() -> Result<()> {
    rustix::thread::set_no_new_privs(true)?;
    // SAFETY: prctl with numbers only. Dropping ends at the first capability the kernel does not know, or at once if
    // we may not drop any; then we have none that could be passed on.
    unsafe {
        let zero: c_long = 0;
        libc::prctl(libc::PR_CAP_AMBIENT, libc::PR_CAP_AMBIENT_CLEAR_ALL as c_long, zero, zero, zero);
        for capability in 0..64 as c_long {
            if libc::prctl(libc::PR_CAPBSET_DROP, capability, zero, zero, zero) < 0 {
                break;
            }
        }
    }
    Ok(())
}

/// Ends this process at once, without running destructors.
pub(in super::super) fn quit(code: c_int) -> ! {
    // SAFETY: never returns and touches no memory.
    unsafe { libc::_exit(code) }
}

/// Enters a Landlock ruleset.
pub(in super::super) fn landlock_enter(ruleset: BorrowedFd<'_>) -> Result<()> {
    // SAFETY: takes a descriptor and a number.
    let done =
        unsafe { libc::syscall(libc::SYS_landlock_restrict_self, c_long::from(ruleset.as_raw_fd()), 0 as c_long) };
    if done == 0 { Ok(()) } else { Err(Error::last_os_error()) }
}
