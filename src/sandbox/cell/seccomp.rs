//! The seccomp filter for system calls that submissions, compilers and checkers do not need.
//!
//! The filter is a deny list. An allow list would have to cover the run-time systems and compilers of all languages,
//! and an update of any of these could break programs. The isolation itself is provided by the namespaces. A call
//! that is made only by attacks kills the program. A call that ordinary software also makes fails with an error that
//! ordinary software can handle.

use std::io::{Error, Result};

use libc::c_long;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    sock_filter,
};

/// System calls that kill the program. The calls concern mounts, namespaces, modules, kernel settings and the memory of
/// other processes.
const KILL: &[c_long] = &[
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    SYS_OPEN_TREE_ATTR,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_reboot,
    libc::SYS_kexec_load,
    libc::SYS_kexec_file_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_quotactl_fd,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_open_by_handle_at,
    libc::SYS_bpf,
    libc::SYS_setns,
    libc::SYS_chroot,
    libc::SYS_vhangup,
    libc::SYS_nfsservctl,
    libc::SYS_process_vm_writev,
    libc::SYS_ptrace,
    libc::SYS_fanotify_init,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_iopl,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_ioperm,
];

/// System calls that fail with EPERM. Ordinary run-time systems and debuggers sometimes make these calls.
const DENY: &[c_long] = &[
    libc::SYS_process_vm_readv,
    libc::SYS_process_madvise,
    libc::SYS_kcmp,
    libc::SYS_pidfd_getfd,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_unshare,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_syslog,
    libc::SYS_adjtimex,
    libc::SYS_clock_adjtime,
    libc::SYS_name_to_handle_at,
    libc::SYS_move_pages,
    libc::SYS_migrate_pages,
    libc::SYS_mbind,
    libc::SYS_set_mempolicy,
    libc::SYS_lookup_dcookie,
    libc::SYS_mknodat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    SYS_SETXATTRAT,
    SYS_FILE_SETATTR,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_mknod,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_modify_ldt,
];

// The numbers of system calls that the crate `libc` does not define for all processors. They are the same on x86-64 and
// arm64.
const SYS_FCHMODAT2: c_long = 452;
const SYS_SETXATTRAT: c_long = 463;
const SYS_OPEN_TREE_ATTR: c_long = 467;
const SYS_FILE_SETATTR: c_long = 469;

/// System calls that fail with ENOSYS. Libraries then use an older call, which the filter can inspect, or do not use
/// the feature.
const NOT_IMPLEMENTED: &[c_long] = &[
    // The flags of `clone3` are passed by pointer, and a filter cannot read memory.
    libc::SYS_clone3,
    libc::SYS_openat2,
    SYS_FCHMODAT2,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_memfd_secret,
    // The objects that these calls create outlive the calling process: System V shared memory, semaphores and message
    // queues, POSIX message queues, keys.
    libc::SYS_shmget,
    libc::SYS_semget,
    libc::SYS_msgget,
    libc::SYS_mq_open,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
];

/// Scheduling calls, each with the arguments that make it concern only the caller: their indices and values. Run-time systems
/// pass the ids of their own threads, and some abort if the call fails. Other processes of the same user are the cell, if
/// programs have no user id of their own, and the prestarted process. Therefore a call with another value has no effect and
/// succeeds.
const IGNORE: &[(c_long, &[(u8, u64)])] = &[
    (libc::SYS_sched_setaffinity, &[(0, 0)]),
    (libc::SYS_sched_setscheduler, &[(0, 0)]),
    (libc::SYS_sched_setparam, &[(0, 0)]),
    (libc::SYS_sched_setattr, &[(0, 0)]),
    // The first argument can also select all processes of a group or a user.
    (libc::SYS_setpriority, &[(0, libc::PRIO_PROCESS as u64), (1, 0)]),
    (libc::SYS_ioprio_set, &[(0, IOPRIO_WHO_PROCESS), (1, 0)]),
];
/// The first argument of `ioprio_set` for a process or thread.
const IOPRIO_WHO_PROCESS: u64 = 1;

/// System calls that set the mode of a file, each with the index of the argument that is the mode.
const MODES: &[(c_long, u8)] = &[
    (libc::SYS_fchmod, 1),
    (libc::SYS_fchmodat, 2),
    (libc::SYS_openat, 3),
    (libc::SYS_mkdirat, 2),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_chmod, 1),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_open, 2),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_creat, 1),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_mkdir, 1),
];

/// Compiles the filters of all cells. They must be installed in the order in which they are returned.
pub(super) fn filters() -> Result<Vec<BpfProgram>> {
    let mut ignored = SyscallRules::new();
    for (call, own) in IGNORE {
        let others = own.iter().map(|(index, value)| argument_rule(*index, SeccompCmpOp::Ne, *value));
        ignored.push((*call, others.collect::<Result<_>>()?));
    }
    Ok(vec![
        compile(ignored, SeccompAction::Errno(0))?,
        compile(denied()?, SeccompAction::Errno(libc::EPERM as u32))?,
        compile(vec![(libc::SYS_socket, Vec::new())], SeccompAction::Errno(libc::EACCES as u32))?,
        compile(unconditional(NOT_IMPLEMENTED), SeccompAction::Errno(libc::ENOSYS as u32))?,
        reject_x32(compile(unconditional(KILL), SeccompAction::KillProcess)?),
    ])
}

/// Compiles the filter of cells without a control group that accounts for all memory. The pages of an unmapped memfd are in
/// no process's resident set, so only a control group can limit them.
pub(super) fn filter_without_group() -> Result<BpfProgram> {
    compile(unconditional(&[libc::SYS_memfd_create]), SeccompAction::Errno(libc::ENOSYS as u32))
}

type SyscallRules = Vec<(c_long, Vec<SeccompRule>)>;

fn unconditional(calls: &[c_long]) -> SyscallRules {
    calls.iter().map(|call| (*call, Vec::new())).collect()
}

fn compile(rules: SyscallRules, action: SeccompAction) -> Result<BpfProgram> {
    let arch = std::env::consts::ARCH
        .try_into()
        .map_err(|error| Error::other(format!("cannot set up the system call filter: {error}")))?;
    SeccompFilter::new(rules.into_iter().collect(), SeccompAction::Allow, action, arch)
        .and_then(BpfProgram::try_from)
        .map_err(|error| Error::other(format!("cannot set up the system call filter: {error}")))
}

/// Returns a rule that compares the low 32 bits of one argument with `value`.
fn argument_rule(index: u8, operator: SeccompCmpOp, value: u64) -> Result<SeccompRule> {
    SeccompCondition::new(index, SeccompCmpArgLen::Dword, operator, value)
        .and_then(|condition| SeccompRule::new(vec![condition]))
        .map_err(|error| Error::other(format!("cannot set up the system call filter: {error}")))
}

fn has_bits(index: u8, bits: u64) -> Result<SeccompRule> {
    argument_rule(index, SeccompCmpOp::MaskedEq(bits), bits)
}

/// The `ioctl` request that inserts a byte into the input of a terminal. The constants of the crate `libc` are not
/// used, since their type depends on the C library.
const TIOCSTI: u64 = 0x5412;
/// The `ioctl` request for functions of the virtual console, one of which inserts the selected text into the input.
const TIOCLINUX: u64 = 0x541C;

fn denied() -> Result<SyscallRules> {
    let mut rules = unconditional(DENY);
    rules.push((libc::SYS_prlimit64, vec![argument_rule(0, SeccompCmpOp::Ne, 0)?]));
    let namespaces = [
        libc::CLONE_NEWUSER,
        libc::CLONE_NEWPID,
        libc::CLONE_NEWNS,
        libc::CLONE_NEWNET,
        libc::CLONE_NEWIPC,
        libc::CLONE_NEWUTS,
        libc::CLONE_NEWCGROUP,
    ];
    let clone = namespaces.iter().map(|flag| has_bits(0, *flag as u64)).collect::<Result<_>>()?;
    rules.push((libc::SYS_clone, clone));
    // These requests can insert input into a terminal.
    let ioctl = [TIOCSTI, TIOCLINUX].map(|request| argument_rule(1, SeccompCmpOp::Eq, request)).into_iter();
    rules.push((libc::SYS_ioctl, ioctl.collect::<Result<_>>()?));
    // A set-user-id or set-group-id file in a writable mount would remain after the run, so calls that set these mode
    // bits are denied.
    for (call, index) in MODES {
        rules.push((*call, vec![has_bits(*index, 0o4000)?, has_bits(*index, 0o2000)?]));
    }
    // Programs may query the personality, set the default, and disable address space randomization. Ordinary programs
    // need no other personalities, such as one that limits addresses to 32 bits.
    const NO_RANDOMIZE: u64 = 0x004_0000;
    const QUERY: u64 = 0xffff_ffff;
    let odd = [0, NO_RANDOMIZE, QUERY].map(|value| {
        SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, value)
            .map_err(|error| Error::other(format!("cannot set up the system call filter: {error}")))
    });
    let odd = SeccompRule::new(odd.into_iter().collect::<Result<_>>()?)
        .map_err(|error| Error::other(format!("cannot set up the system call filter: {error}")))?;
    rules.push((libc::SYS_personality, vec![odd]));
    Ok(rules)
}

/// Prepends instructions that kill the program on system calls of the x32 ABI. The numbers of these calls have bit 30
/// set, so no rule would match them. System calls of other architectures need no rule, since the compiled filter
/// itself kills the program.
fn reject_x32(program: BpfProgram) -> BpfProgram {
    if !cfg!(target_arch = "x86_64") {
        return program;
    }
    const LOAD_WORD: u16 = 0x20;
    const JUMP_IF_AT_LEAST: u16 = 0x35;
    const RETURN: u16 = 0x06;
    const X32_BIT: u32 = 0x4000_0000;
    const KILL_PROCESS: u32 = 0x8000_0000;
    let mut whole = vec![
        sock_filter { code: LOAD_WORD, jt: 0, jf: 0, k: 0 },
        sock_filter { code: JUMP_IF_AT_LEAST, jt: 0, jf: 1, k: X32_BIT },
        sock_filter { code: RETURN, jt: 0, jf: 0, k: KILL_PROCESS },
    ];
    whole.extend(program);
    whole
}

/// Installs the filters in this process, and also [`filter_without_group`] unless `group` is true. Processes that it starts
/// inherit them.
pub(super) fn install(programs: &[BpfProgram], group: bool) -> Result<()> {
    let more = if group { None } else { Some(filter_without_group()?) };
    for program in more.iter().chain(programs) {
        seccompiler::apply_filter(program)
            .map_err(|error| Error::other(format!("cannot set up the system call filter: {error}")))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_compile_and_lists_are_disjoint() {
        assert_eq!(filters().unwrap().len(), 5);
        assert!(!filter_without_group().unwrap().is_empty());
        let mut all: Vec<c_long> = [KILL, DENY, NOT_IMPLEMENTED].concat();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
    }
}
