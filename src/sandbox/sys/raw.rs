//! Wrappers around single system calls.
#![expect(unsafe_code, reason = "these calls have no safe wrapper in the crates that this project uses")]

use std::io::{Error, Result};
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::os::unix::thread::JoinHandleExt;
use std::thread::JoinHandle;

use libc::{c_int, c_long, pid_t};
use rustix::thread::CpuSet;

#[derive(Debug, Clone, Copy)]
pub(in super::super) struct ReapedProcess {
    /// The id of the process.
    pub(in super::super) pid: i32,
    /// The wait status of the process.
    pub(in super::super) status: c_int,
    /// CPU time of the process and of the descendants that it waited for, in microseconds.
    pub(in super::super) cpu_micros: u64,
    /// The largest resident set of the process or of a descendant that it waited for, in bytes.
    pub(in super::super) resident: u64,
}

/// Reaps the child `pid`, or any child if `pid` is `None`. If `block` is true, waits for the exit. Otherwise, returns
/// `Ok(None)` if no such child has exited.
pub(in super::super) fn reap(pid: Option<i32>, block: bool) -> Result<Option<ReapedProcess>> {
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
        return Ok(Some(ReapedProcess {
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

/// Returns the CPU time of all threads of a live process, without its children, in microseconds.
pub(in super::super) fn process_cpu(pid: pid_t) -> Result<u64> {
    // The kernel encodes the id of a process's CPU clock as the inverted process id, followed by the three bits of the
    // scheduler's clock (2).
    clock_micros((!pid << 3) | 2)
}

/// Returns the CPU time of this process, in microseconds.
pub(in super::super) fn own_cpu() -> Result<u64> {
    clock_micros(libc::CLOCK_PROCESS_CPUTIME_ID)
}

/// Sends a signal to a process, to a process group (negative id), or to all processes that this process may signal
/// (-1). Returns true if at least one process was signaled.
pub(in super::super) fn send_signal(pid: pid_t, signal: c_int) -> bool {
    // SAFETY: the call takes no pointers.
    unsafe { libc::kill(pid, signal) == 0 }
}

/// Resets all signals to their default actions and unblocks all signals. Children inherit this state.
///
/// Rust's runtime ignores SIGPIPE. A program that inherited this setting would not be killed when it writes to a closed
/// pipe.
pub(in super::super) fn reset_signals() {
    for signal in 1..=64 {
        // SAFETY: the default action runs no user code; failures (SIGKILL, SIGSTOP, signals of the C library) are
        // harmless.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
    }
    let mut none = MaybeUninit::<libc::sigset_t>::uninit();
    // SAFETY: `sigemptyset` initializes the set that `sigprocmask` then reads.
    unsafe {
        libc::sigemptyset(none.as_mut_ptr());
        libc::sigprocmask(libc::SIG_SETMASK, none.as_ptr(), std::ptr::null_mut());
    }
}

/// Blocks SIGCHLD, and returns a descriptor from which it can be read. The descriptor is non-blocking.
pub(in super::super) fn child_signals() -> Result<OwnedFd> {
    let set = change_child_signals(libc::SIG_BLOCK)?;
    // SAFETY: the call reads the set. A descriptor that it returns is new, and nothing else owns it.
    unsafe {
        match libc::signalfd(-1, &raw const set, libc::SFD_CLOEXEC | libc::SFD_NONBLOCK) {
            descriptor if descriptor >= 0 => Ok(OwnedFd::from_raw_fd(descriptor)),
            _ => Err(Error::last_os_error()),
        }
    }
}

/// Blocks or unblocks SIGCHLD (`SIG_BLOCK` or `SIG_UNBLOCK`), and returns the set with this signal. May be called between
/// `vfork` and `exec`.
pub(super) fn change_child_signals(how: c_int) -> Result<libc::sigset_t> {
    let mut set = MaybeUninit::<libc::sigset_t>::uninit();
    // SAFETY: `sigemptyset` initializes the set that the other calls read.
    unsafe {
        libc::sigemptyset(set.as_mut_ptr());
        libc::sigaddset(set.as_mut_ptr(), libc::SIGCHLD);
        match libc::sigprocmask(how, set.as_ptr(), std::ptr::null_mut()) {
            0 => Ok(set.assume_init()),
            _ => Err(Error::last_os_error()),
        }
    }
}

/// Forks this process into new namespaces, if any. The process must be single-threaded. Returns the child's id, or `None`
/// in the child.
pub(in super::super) fn clone_into(namespaces: c_int) -> Result<Option<i32>> {
    fork(namespaces)
}

/// Forks this process, and makes its parent the parent of the new process. The process must be single-threaded. Returns
/// the id of the new process, or `None` in the new process.
pub(in super::super) fn fork_sibling() -> Result<Option<i32>> {
    fork(libc::CLONE_PARENT)
}

/// Forks this process like [`fork_sibling`], into the control group (version 2) whose directory is `group`. Linux 5.7 is
/// required.
pub(in super::super) fn fork_sibling_into(group: BorrowedFd<'_>) -> Result<Option<i32>> {
    const CLONE_INTO_CGROUP: u64 = 1 << 33;
    /// The places of the flags and of the control group in `struct clone_args`, which consists of eleven words.
    const FLAGS: usize = 0;
    const GROUP: usize = 10;
    let mut arguments = [0_u64; 11];
    arguments[FLAGS] = libc::CLONE_PARENT as u64 | CLONE_INTO_CGROUP;
    arguments[GROUP] = group.as_raw_fd() as u64;
    // SAFETY: the words live during the call and have the given size. Without CLONE_VM the child has its own copy of the
    // memory; there are no other threads that could hold locks.
    match unsafe { libc::syscall(libc::SYS_clone3, arguments.as_ptr(), size_of_val(&arguments)) } {
        0 => Ok(None),
        pid if pid > 0 => Ok(Some(pid as i32)),
        _ => Err(Error::last_os_error()),
    }
}

fn fork(flags: c_int) -> Result<Option<i32>> {
    let flags = c_long::from(flags | libc::SIGCHLD);
    // SAFETY: without CLONE_VM the child has its own copy of the memory; there are no other threads that could hold
    // locks.
    match unsafe { libc::syscall(libc::SYS_clone, flags, 0_u64, 0_u64, 0_u64, 0_u64) } {
        0 => Ok(None),
        pid if pid > 0 => Ok(Some(pid as i32)),
        _ => Err(Error::last_os_error()),
    }
}

/// The changes to apply to all mounts of a detached mount tree.
#[derive(Debug, Default, Clone, Copy)]
pub(in super::super) struct MountChange<'a> {
    /// The `MOUNT_ATTR_*` flags to set.
    pub(in super::super) attributes: u64,
    /// The user namespace that maps the owners of files, for ID-mapped mounts; `None` to keep the owners.
    pub(in super::super) owners: Option<BorrowedFd<'a>>,
}

/// Applies `change` to all mounts of a tree, and makes them private, so that mount events no longer propagate between
/// them and the original mounts.
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
    // SAFETY: the path is a C string, the structure has the given size, and both live during the call.
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

/// The event that a performance counter counts.
#[derive(Debug, Clone, Copy)]
pub(in super::super) enum CounterEvent {
    /// Instructions executed in user mode. Hardware counters are required.
    Instructions,
    /// Nanoseconds on a CPU. Every kernel with performance events supports this event, so tests use it.
    #[cfg(test)]
    Clock,
}

/// The processes that a counter counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum CountedProcesses {
    /// The programs that future descendants of this process execute, each from its `exec` on, with all threads and
    /// processes that they create.
    Programs,
    /// No processes.
    None,
}

/// Opens a performance counter. Reading the descriptor returns the number of events so far, as a 64-bit number.
pub(in super::super) fn open_counter(event: CounterEvent, counted: CountedProcesses) -> Result<OwnedFd> {
    /// The first version of `struct perf_event_attr`.
    #[repr(C)]
    struct PerfEventAttr {
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
        // These are PERF_TYPE_HARDWARE with PERF_COUNT_HW_INSTRUCTIONS, and PERF_TYPE_SOFTWARE with
        // PERF_COUNT_SW_TASK_CLOCK.
        CounterEvent::Instructions => (0, 1),
        #[cfg(test)]
        CounterEvent::Clock => (1, 1),
    };
    const DISABLED: u64 = 1;
    const INHERITED: u64 = 1 << 1;
    const NOT_IN_THE_KERNEL: u64 = 1 << 5;
    const NOT_BELOW_IT: u64 = 1 << 6;
    const ENABLED_BY_EXEC: u64 = 1 << 12;
    const CLOSE_ON_EXEC: c_long = 8;
    let programs = if counted == CountedProcesses::Programs { INHERITED | ENABLED_BY_EXEC } else { 0 };
    let attributes = PerfEventAttr {
        kind,
        size: size_of::<PerfEventAttr>() as u32,
        config,
        period: 0,
        sample: 0,
        read: 0,
        flags: DISABLED | NOT_IN_THE_KERNEL | NOT_BELOW_IT | programs,
        rest: [0; 2],
    };
    let (this_process, any_processor, no_group): (c_long, c_long, c_long) = (0, -1, -1);
    // SAFETY: the `size` field is the size of the structure, which lives during the call.
    let counter = unsafe {
        let attributes = &raw const attributes;
        libc::syscall(libc::SYS_perf_event_open, attributes, this_process, any_processor, no_group, CLOSE_ON_EXEC)
    };
    if counter < 0 {
        return Err(Error::last_os_error());
    }
    // SAFETY: the call returned a new descriptor that nothing else owns.
    Ok(unsafe { OwnedFd::from_raw_fd(counter as c_int) })
}

/// Returns the kernel's Landlock ABI version, or 0 if the kernel does not support Landlock.
pub(in super::super) fn landlock_version() -> u32 {
    /// The flag `LANDLOCK_CREATE_RULESET_VERSION`, with which the call returns the ABI version.
    const VERSION: c_long = 1;
    // SAFETY: with this flag the kernel reads no user memory.
    let version = unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, 0_u64, 0_u64, VERSION) };
    u32::try_from(version).unwrap_or(0)
}

/// Permanently prevents this process and its descendants from gaining privileges by `exec`, and drops its ambient
/// and bounding capabilities.
pub(in super::super) fn drop_privileges() -> Result<()> {
    rustix::thread::set_no_new_privs(true)?;
    // SAFETY: all arguments of `prctl` are numbers. The loop ends at the first capability that the kernel does not
    // support, or immediately if the process lacks CAP_SETPCAP, and then it has no capabilities to pass on.
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

/// Closes all descriptors above the standard streams except `kept`. No code that runs later may own any of the closed
/// descriptors.
pub(in super::super) fn close_other_descriptors(kept: &OwnedFd) -> Result<()> {
    let kept = kept.as_raw_fd().unsigned_abs();
    let ranges = [(3, kept.saturating_sub(1)), (kept + 1, u32::MAX)];
    for (first, last) in ranges.into_iter().filter(|(first, last)| first <= last) {
        // SAFETY: the arguments are numbers.
        let closed = unsafe { libc::syscall(libc::SYS_close_range, c_long::from(first), c_long::from(last), 0) };
        if closed < 0 {
            return Err(Error::last_os_error());
        }
    }
    Ok(())
}

/// Overwrites the command line of this process with `line`, whose arguments end with a zero byte, and its environment
/// with zeros. The process must be single-threaded. Returns false if the kernel does not report where they are.
pub(in super::super) fn replace_command_line(line: &[u8]) -> bool {
    // The fields 48 to 51 are the bounds of the command line and of the environment. The second field, the name of the
    // executable, ends with the last parenthesis.
    let stat = fs_err::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields).split_ascii_whitespace();
    let bounds: Vec<usize> = fields.skip(45).take(4).map_while(|field| field.parse().ok()).collect();
    let &[first_argument, after_arguments, first_variable, after_variables] = bounds.as_slice() else {
        return false;
    };
    for (first, after, text) in [(first_argument, after_arguments, line), (first_variable, after_variables, &[][..])] {
        let Some(bytes) = after.checked_sub(first).filter(|bytes| first > 0 && *bytes > 0) else { continue };
        // SAFETY: the kernel mapped this part of the stack at the start of the process, no reference to it exists, and no
        // other thread can read it. The strings stay terminated by zeros, since the part ends with the last string.
        unsafe {
            let area = std::ptr::with_exposed_provenance_mut::<u8>(first);
            area.write_bytes(0, bytes);
            area.copy_from_nonoverlapping(text.as_ptr(), text.len().min(bytes - 1));
        }
    }
    first_argument > 0
}

/// Sets the CPUs on which a thread may run. An error has no effect.
pub(in super::super) fn set_thread_affinity<T>(thread: &JoinHandle<T>, processors: &CpuSet) {
    let mut set = MaybeUninit::<libc::cpu_set_t>::zeroed();
    // SAFETY: all bit patterns are valid for the set, both sets have the same size, and the thread exists, since its handle
    // was neither joined nor dropped.
    unsafe {
        for processor in (0..CpuSet::MAX_CPU).filter(|processor| processors.is_set(*processor)) {
            libc::CPU_SET(processor, set.assume_init_mut());
        }
        libc::pthread_setaffinity_np(
            thread.as_pthread_t() as libc::pthread_t,
            size_of::<libc::cpu_set_t>(),
            set.as_ptr(),
        );
    }
}

/// Exits immediately, without running destructors.
pub(in super::super) fn quit(code: c_int) -> ! {
    // SAFETY: the call does not return and accesses no memory.
    unsafe { libc::_exit(code) }
}

/// Permanently restricts the calling thread and its future children by a Landlock ruleset.
pub(in super::super) fn landlock_enter(ruleset: BorrowedFd<'_>) -> Result<()> {
    // SAFETY: the arguments are a descriptor and a number.
    let done =
        unsafe { libc::syscall(libc::SYS_landlock_restrict_self, c_long::from(ruleset.as_raw_fd()), 0 as c_long) };
    if done == 0 { Ok(()) } else { Err(Error::last_os_error()) }
}
