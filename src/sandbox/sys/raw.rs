//! Small wrappers, each around one system call.
#![expect(unsafe_code, reason = "these calls have no safe wrapper in the crates we use")]

use std::io::{Error, Result};
use std::mem::MaybeUninit;

use libc::{c_int, pid_t};

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
