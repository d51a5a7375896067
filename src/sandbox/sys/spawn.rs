//! Starting a program from the cell: a child that shares the cell's memory until it executes (as `vfork` does).
//!
//! The child uses raw system calls only: no allocation, no lock, no destructor, since its memory is the cell's.
#![expect(unsafe_code, reason = "clone and what a child does between clone and exec have no safe form")]

use std::ffi::CString;
use std::io::{Error, Result};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::ptr;

use libc::{c_char, c_int, c_long, c_void};

/// What is started and how, made ready before the child exists.
#[derive(Debug)]
pub(in super::super) struct Launch {
    /// The program's path.
    pub(in super::super) program: CString,
    /// Its arguments, the name first.
    pub(in super::super) argv: Vec<CString>,
    /// `NAME=value`.
    pub(in super::super) env: Vec<CString>,
    /// The working directory.
    pub(in super::super) dir: CString,
    /// Standard input, output and error. All above 2.
    pub(in super::super) streams: [OwnedFd; 3],
    /// Resource, and its soft and hard limit.
    pub(in super::super) limits: Vec<(u32, u64, u64)>,
    /// The user and group to become.
    pub(in super::super) user: Option<u32>,
    /// Whether every capability is dropped.
    pub(in super::super) drop_capabilities: bool,
    /// A Landlock ruleset to enter.
    pub(in super::super) landlock: Option<RawFd>,
    /// Whether the child dies with the cell. Useless in a process namespace, where it does anyway.
    pub(in super::super) die_with_parent: bool,
    /// The open file of the starter's score for want of memory, and what the score is; none where it cannot be set.
    ///
    /// A child begins with its starter's score. So the starter raises its own for the moment of the start, and the
    /// child, which has the higher one then, sets its starter's back before the program runs: two writes to an open
    /// file, where the child would have to look its own file up. At no time does a program run beside a starter
    /// that the kernel might choose in its place.
    pub(in super::super) score: Option<(RawFd, Vec<u8>)>,
}

/// The step at which a start failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u64)]
pub(in super::super) enum Step {
    Group = 1,
    Streams,
    Directory,
    Limits,
    Landlock,
    Capabilities,
    User,
    Execute,
}

/// Why a program did not start: the step and the error number.
pub(in super::super) type Failure = (u64, i32);

/// What a step is called in a message.
pub(in super::super) fn step_name(step: u64) -> &'static str {
    const NAMES: [&str; 9] = [
        "start",
        "make a process group for",
        "connect the streams of",
        "enter the working directory of",
        "limit the resources of",
        "put Landlock on",
        "drop the capabilities of",
        "change the user of",
        "execute",
    ];
    NAMES.get(step as usize).copied().unwrap_or("start")
}

/// What the child reads, in plain pointers.
struct Child<'a> {
    launch: &'a Launch,
    argv: *const *const c_char,
    env: *const *const c_char,
    /// Where the child says why it failed; it shares this memory.
    failure: Failure,
}

/// Arguments of variadic calls must have a register's width.
const ZERO: c_long = 0;
const ONE: c_long = 1;
/// The first descriptor that a program does not get.
const FIRST: c_long = 3;

const STACK_BYTES: usize = 64 * 1024;

/// Starts the program; the inner error says at which step the child failed.
pub(in super::super) fn spawn(launch: &Launch) -> Result<std::result::Result<(i32, OwnedFd), Failure>> {
    let pointers = |list: &[CString]| -> Vec<*const c_char> {
        list.iter().map(|text| text.as_ptr()).chain([ptr::null()]).collect()
    };
    let (argv, env) = (pointers(&launch.argv), pointers(&launch.env));
    let mut child = Child { launch, argv: argv.as_ptr(), env: env.as_ptr(), failure: (0, 0) };
    let mut stack = Vec::<u128>::with_capacity(STACK_BYTES / 16);
    let mut pidfd: c_int = -1;
    let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::CLONE_PIDFD | libc::SIGCHLD;
    if let Some((file, _)) = &launch.score {
        // SAFETY: the file lives as long as the cell, and the text for ever.
        unsafe { write_score(*file, FIRST_TO_GO) };
    }
    // SAFETY: the stack is large enough, aligned and lives until the child has executed or ended, since CLONE_VFORK
    // holds us until then; so do `child` and what it points to. `run_child` touches only these.
    let pid = unsafe {
        let top = stack.as_mut_ptr().add(STACK_BYTES / 16).cast::<c_void>();
        libc::clone(run_child, top, flags, (&raw mut child).cast::<c_void>(), &raw mut pidfd)
    };
    if pid < 0 {
        let error = Error::last_os_error();
        if let Some((file, own)) = &launch.score {
            // SAFETY: as above, and `own` outlives the call.
            unsafe { write_score(*file, own) };
        }
        return Err(error);
    }
    // SAFETY: clone succeeded, so it stored a new descriptor that nobody else owns.
    let pidfd = unsafe { OwnedFd::from_raw_fd(pidfd) };
    // SAFETY: a plain read of our own variable; volatile because the child wrote it behind the compiler's back.
    let failure = unsafe { ptr::read_volatile(&raw const child.failure) };
    if failure.0 != 0 {
        super::raw::reap(Some(pid), true)?;
        return Ok(Err(failure));
    }
    Ok(Ok((pid, pidfd)))
}

/// Everything a child does before the program runs. Runs on a borrowed stack, in the cell's memory.
extern "C" fn run_child(argument: *mut c_void) -> c_int {
    let child = argument.cast::<Child<'_>>();
    // SAFETY: `spawn` passes a `Child` that outlives this function, and is not running meanwhile.
    unsafe {
        let step = prepare(&*child);
        (&raw mut (*child).failure).write_volatile((step as u64, *libc::__errno_location()));
        libc::_exit(127)
    }
}

/// Does the steps in order; returns the one that failed.
unsafe fn prepare(child: &Child<'_>) -> Step {
    let launch = child.launch;
    // SAFETY: each call gets descriptors and pointers that `launch` owns; none allocates or locks.
    unsafe {
        if let Some((file, own)) = &launch.score {
            write_score(*file, own);
        }
        if launch.die_with_parent {
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL as c_long);
        }
        // A group, not a session: the cell leads a session already, and the kernel's scheduler weighs each session anew,
        // which delays its first program by a slice of time on a busy machine.
        if libc::setpgid(0, 0) < 0 {
            return Step::Group;
        }
        for (target, stream) in launch.streams.iter().enumerate() {
            if libc::dup2(stream.as_raw_fd(), target as c_int) < 0 {
                return Step::Streams;
            }
        }
        for &(resource, soft, hard) in &launch.limits {
            let limit = libc::rlimit64 { rlim_cur: soft, rlim_max: hard };
            if libc::setrlimit64(resource, &raw const limit) < 0 {
                return Step::Limits;
            }
        }
        if libc::chdir(launch.dir.as_ptr()) < 0 {
            return Step::Directory;
        }
        if let Some(ruleset) = launch.landlock
            && (libc::prctl(libc::PR_SET_NO_NEW_PRIVS, ONE, ZERO, ZERO, ZERO) < 0
                || libc::syscall(libc::SYS_landlock_restrict_self, ruleset as c_long, ZERO) < 0)
        {
            return Step::Landlock;
        }
        if let Some(user) = launch.user
            && become_user(user) < 0
        {
            return Step::User;
        }
        if launch.drop_capabilities && drop_capabilities() < 0 {
            return Step::Capabilities;
        }
        if libc::syscall(libc::SYS_close_range, FIRST, c_long::from(u32::MAX), ZERO) < 0 {
            return Step::Streams;
        }
        libc::execve(launch.program.as_ptr(), child.argv, child.env);
        Step::Execute
    }
}

/// The score of whoever the kernel should end first when memory runs out.
const FIRST_TO_GO: &[u8] = b"1000";

/// Writes a score. It may fail: nothing depends on it then.
unsafe fn write_score(file: RawFd, score: &[u8]) {
    // SAFETY: the caller has the file open, and the text is as long as it says.
    unsafe { libc::pwrite(file, score.as_ptr().cast(), score.len(), 0) };
}

/// Becomes this user and group. Raw calls: the C library's would signal threads that the cell does not have.
unsafe fn become_user(user: u32) -> c_long {
    let user = c_long::from(user);
    // SAFETY: plain numbers.
    unsafe {
        match libc::syscall(libc::SYS_setresgid, user, user, user) {
            0 => libc::syscall(libc::SYS_setresuid, user, user, user),
            failed => failed,
        }
    }
}

#[repr(C)]
struct CapabilityHeader {
    version: u32,
    pid: c_int,
}

/// Empties the permitted, effective and inheritable sets.
unsafe fn drop_capabilities() -> c_long {
    /// `_LINUX_CAPABILITY_VERSION_3`: two words for each of the three sets.
    const VERSION: u32 = 0x2008_0522;
    // SAFETY: the header and the six words are laid out as the call expects and live during it.
    unsafe {
        let mut header = CapabilityHeader { version: VERSION, pid: 0 };
        let sets = [0_u32; 6];
        libc::syscall(libc::SYS_capset, &raw mut header, sets.as_ptr())
    }
}
