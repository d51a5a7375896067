//! Starts a program from the cell. The child shares the cell's memory until `exec`, as after `vfork`.
//!
//! The child makes only system calls, directly or through thin wrappers of the C library. It must not allocate, lock or
//! run destructors, since its memory is the cell's.
#![expect(unsafe_code, reason = "clone, and the code between clone and exec, have no safe wrapper")]

use std::ffi::CString;
use std::io::{Error, Result};
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::ptr;

use libc::{c_char, c_int, c_long, c_void};

/// The parameters of a program start, allocated before the child exists.
#[derive(Debug)]
pub(in super::super) struct Launch {
    /// The path of the program.
    pub(in super::super) program: CString,
    /// The arguments, including the program's name.
    pub(in super::super) argv: Vec<CString>,
    /// The environment, as `NAME=value`.
    pub(in super::super) env: Vec<CString>,
    /// The working directory.
    pub(in super::super) dir: CString,
    /// Standard input, output and error, and then the descriptors that become 3, 4, … in the program. All numbers of
    /// these descriptors are at least the length of the list.
    pub(in super::super) streams: Vec<OwnedFd>,
    /// The resource limits as (resource, soft limit, hard limit).
    pub(in super::super) limits: Vec<(u32, u64, u64)>,
    /// The user and group id of the program; `None` if they are those of the cell.
    pub(in super::super) user: Option<u32>,
    /// Whether to drop all capabilities.
    pub(in super::super) drop_capabilities: bool,
    /// The Landlock ruleset that is enforced on the program, if any.
    pub(in super::super) landlock: Option<RawFd>,
    /// Whether the program and its descendants cannot use restartable sequences (`rseq`).
    pub(in super::super) without_rseq: bool,
    /// Whether the kernel kills the child when the cell exits. In a PID namespace the kernel kills it in any case.
    pub(in super::super) die_with_parent: bool,
    /// The cell's open `oom_score_adj` file and the cell's own score; `None` if the score cannot be set.
    ///
    /// A child inherits its parent's score. Therefore the cell raises its own score before the clone, and the child,
    /// which has inherited the higher score, resets the score of the cell before the program runs. This requires only
    /// two writes to one open file. Otherwise, the child would have to open its own file. While a program runs, the
    /// cell never has a score at which the OOM killer could choose the cell.
    pub(in super::super) oom_score: Option<(RawFd, Vec<u8>)>,
}

/// The steps of a program start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u64)]
pub(in super::super) enum LaunchStep {
    Group = 1,
    Streams,
    Directory,
    Limits,
    Landlock,
    Capabilities,
    User,
    Rseq,
    Execute,
}

/// The number of the [`LaunchStep`] that failed, and its `errno`.
pub(in super::super) type LaunchFailure = (u64, i32);

/// Returns the description of a step for messages, as a verb phrase whose object is the program.
pub(in super::super) fn step_description(step: u64) -> &'static str {
    const NAMES: [&str; 10] = [
        "start",
        "create a process group for",
        "connect the streams of",
        "enter the working directory of",
        "limit the resources of",
        "apply Landlock to",
        "drop the capabilities of",
        "change the user of",
        "disable restartable sequences for",
        "execute",
    ];
    NAMES.get(step as usize).copied().unwrap_or("start")
}

/// The data in the cell's memory that the child reads and writes.
struct ChildContext<'a> {
    launch: &'a Launch,
    argv: *const *const c_char,
    env: *const *const c_char,
    /// The failure, which the child writes; `(0, 0)` if there is none.
    failure: LaunchFailure,
}

/// The value 0 as an argument of a variadic function, which may read the full width of a register.
const ZERO: c_long = 0;
/// The value 1 as an argument of a variadic function.
const ONE: c_long = 1;
/// The number of standard streams.
pub(in super::super) const STANDARD_STREAMS: usize = 3;

const STACK_BYTES: usize = 64 * 1024;

/// The result of starting a program.
pub(in super::super) enum Spawned {
    /// The program is running. The field is its process id.
    Running(i32),
    /// The child failed before it executed the program.
    Failed(LaunchFailure),
}

/// Starts the program. Returns once the child has called `execve` successfully, or has failed before that.
pub(in super::super) fn spawn(launch: &Launch) -> Result<Spawned> {
    let pointers = |list: &[CString]| -> Vec<*const c_char> {
        list.iter().map(|text| text.as_ptr()).chain([ptr::null()]).collect()
    };
    let (argv, env) = (pointers(&launch.argv), pointers(&launch.env));
    let mut child = ChildContext { launch, argv: argv.as_ptr(), env: env.as_ptr(), failure: (0, 0) };
    let mut stack = Vec::<u128>::with_capacity(STACK_BYTES / 16);
    // No pidfd is requested, since the kernel takes longer to create one than to send SIGCHLD.
    let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD;
    if let Some((file, _)) = &launch.oom_score {
        // SAFETY: the file stays open during the call, and the text is static.
        unsafe { write_oom_score(*file, OOM_SCORE_PROGRAM) };
    }
    // SAFETY: the stack is large enough, aligned, and lives until the child has executed or exited, since CLONE_VFORK
    // suspends this thread until then; `child` and everything it points to live as long. `run_child` accesses nothing
    // else.
    let pid = unsafe {
        let top = stack.as_mut_ptr().add(STACK_BYTES / 16).cast::<c_void>();
        libc::clone(run_child, top, flags, (&raw mut child).cast::<c_void>())
    };
    if pid < 0 {
        let error = Error::last_os_error();
        if let Some((file, own)) = &launch.oom_score {
            // SAFETY: the file stays open and `own` lives during the call.
            unsafe { write_oom_score(*file, own) };
        }
        return Err(error);
    }
    // SAFETY: the call reads a local variable. The read is volatile, because the child wrote the variable without the
    // compiler's knowledge.
    let failure = unsafe { ptr::read_volatile(&raw const child.failure) };
    if failure.0 != 0 {
        super::raw::reap(Some(pid), true)?;
        return Ok(Spawned::Failed(failure));
    }
    Ok(Spawned::Running(pid))
}

/// The code of the child until `exec`. It runs on its own stack, in the cell's memory.
extern "C" fn run_child(argument: *mut c_void) -> c_int {
    let child = argument.cast::<ChildContext<'_>>();
    // SAFETY: `spawn` passes a `ChildContext` that outlives this function, and is suspended while this function runs.
    unsafe {
        let step = prepare(&*child);
        (&raw mut (*child).failure).write_volatile((step as u64, *libc::__errno_location()));
        libc::_exit(127)
    }
}

/// Performs the steps of the start. If a step fails, returns that step. Otherwise, does not return.
unsafe fn prepare(child: &ChildContext<'_>) -> LaunchStep {
    let launch = child.launch;
    // SAFETY: all descriptors and pointers are owned by `launch`; no call allocates or locks.
    unsafe {
        if let Some((file, own)) = &launch.oom_score {
            write_oom_score(*file, own);
        }
        // The cell has blocked the signal; see `child_signals`.
        _ = super::raw::change_child_signals(libc::SIG_UNBLOCK);
        if launch.die_with_parent {
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL as c_long);
        }
        // The program becomes the leader of its own process group, but not of a session. The cell already leads a
        // session, and the scheduler gives each session a new autogroup, which delays the first program by a time slice
        // on a busy machine.
        if libc::setpgid(0, 0) < 0 {
            return LaunchStep::Group;
        }
        if !connect(launch, 0..STANDARD_STREAMS) {
            return LaunchStep::Streams;
        }
        for &(resource, soft, hard) in &launch.limits {
            let limit = libc::rlimit64 { rlim_cur: soft, rlim_max: hard };
            if libc::syscall(libc::SYS_prlimit64, ZERO, c_long::from(resource), &raw const limit, ZERO) < 0 {
                return LaunchStep::Limits;
            }
        }
        if libc::chdir(launch.dir.as_ptr()) < 0 {
            return LaunchStep::Directory;
        }
        if let Some(ruleset) = launch.landlock
            && (libc::prctl(libc::PR_SET_NO_NEW_PRIVS, ONE, ZERO, ZERO, ZERO) < 0
                || libc::syscall(libc::SYS_landlock_restrict_self, ruleset as c_long, ZERO) < 0)
        {
            return LaunchStep::Landlock;
        }
        if let Some(user) = launch.user
            && become_user(user) < 0
        {
            return LaunchStep::User;
        }
        if launch.drop_capabilities && drop_capabilities() < 0 {
            return LaunchStep::Capabilities;
        }
        if launch.without_rseq && disable_rseq() < 0 {
            return LaunchStep::Rseq;
        }
        // From here on, the other descriptors of the cell, such as that of the Landlock ruleset, are not needed.
        let first_closed = launch.streams.len();
        if !connect(launch, STANDARD_STREAMS..first_closed)
            || libc::syscall(libc::SYS_close_range, first_closed as c_long, c_long::from(u32::MAX), ZERO) < 0
        {
            return LaunchStep::Streams;
        }
        libc::execve(launch.program.as_ptr(), child.argv, child.env);
        LaunchStep::Execute
    }
}

/// Duplicates the descriptors of `launch` at the indices `range` to the numbers that equal the indices. Returns false on
/// failure.
unsafe fn connect(launch: &Launch, range: std::ops::Range<usize>) -> bool {
    let streams = launch.streams.iter().enumerate().take(range.end).skip(range.start);
    for (target, stream) in streams {
        // SAFETY: both arguments are numbers, and `launch` owns the descriptor.
        if unsafe { libc::dup2(stream.as_raw_fd(), target as c_int) } < 0 {
            return false;
        }
    }
    true
}

/// The `oom_score_adj` of programs, which the OOM killer should choose first.
const OOM_SCORE_PROGRAM: &[u8] = b"1000";

/// Writes a score to an open `oom_score_adj` file. Errors are ignored.
unsafe fn write_oom_score(file: RawFd, score: &[u8]) {
    // SAFETY: the caller keeps the file open, and pointer and length belong to the same slice.
    unsafe { libc::pwrite(file, score.as_ptr().cast(), score.len(), 0) };
}

/// Changes the user and group id. The functions of the C library would signal all threads, so this function makes raw
/// system calls. Returns a negative number on failure.
unsafe fn become_user(user: u32) -> c_long {
    let user = c_long::from(user);
    // SAFETY: all arguments are numbers.
    unsafe {
        match libc::syscall(libc::SYS_setresgid, user, user, user) {
            0 => libc::syscall(libc::SYS_setresuid, user, user, user),
            failed => failed,
        }
    }
}

/// Installs a filter with which the system call `rseq` fails with ENOSYS, as in kernels that do not provide it. The C
/// library does not need it. Returns a negative number on failure.
unsafe fn disable_rseq() -> c_long {
    const fn instruction(code: u32, jump_false: u8, value: u32) -> libc::sock_filter {
        libc::sock_filter { code: code as u16, jt: 0, jf: jump_false, k: value }
    }
    // The number of the system call is the first field of the data of a filter.
    let mut filter = [
        instruction(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0),
        instruction(libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K, 1, libc::SYS_rseq as u32),
        instruction(libc::BPF_RET | libc::BPF_K, 0, libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32),
        instruction(libc::BPF_RET | libc::BPF_K, 0, libc::SECCOMP_RET_ALLOW),
    ];
    let program = libc::sock_fprog { len: filter.len() as u16, filter: filter.as_mut_ptr() };
    let mode = c_long::from(libc::SECCOMP_SET_MODE_FILTER);
    // SAFETY: the program and its instructions live during the call.
    unsafe { libc::syscall(libc::SYS_seccomp, mode, ZERO, &raw const program) }
}

#[repr(C)]
struct CapabilityHeader {
    version: u32,
    pid: c_int,
}

/// Empties the permitted, effective and inheritable capability sets. Returns a negative number on failure.
unsafe fn drop_capabilities() -> c_long {
    /// The version `_LINUX_CAPABILITY_VERSION_3`, in which each of the three sets consists of two words.
    const VERSION: u32 = 0x2008_0522;
    // SAFETY: the header and the six words have the layout that the call expects, and live during it.
    unsafe {
        let mut header = CapabilityHeader { version: VERSION, pid: 0 };
        let sets = [0_u32; 6];
        libc::syscall(libc::SYS_capset, &raw mut header, sets.as_ptr())
    }
}
