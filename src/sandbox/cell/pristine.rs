//! Checks that the code of a program's author, which may run before the start hook, cannot make runs depend on earlier ones.
//!
//! The author controls everything that happens before the hook, for example in the resolver of an indirect function, but
//! not what happens later: the process then executes only the code of the hook. No run may learn anything from an earlier
//! one, or use CPU time that does not count. Therefore the process must wait in the unchanged and unchangeable code of the
//! hook, with the memory that the hook has given to the system call and little CPU time used, and must hold nothing that
//! changes later:
//!
//! * It is the only process, and has one thread, no signal handlers, no ignored or blocked signals, and no timers.
//! * None of its memory is shared, or belongs to a file that programs can write.
//! * It has no open files except those with which it was executed, and is in its first working directory. A socket, for
//!   example, would keep what programs send to it.
//! * It has not installed a system call filter, which could replace the system calls of the hook. Restartable sequences,
//!   with which the kernel would leave the code of the hook, are disabled.
//!
//! In each new process the hook closes all descriptors except the three of the run.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{Read, Result};
use std::ops::Range;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::fs::{OFlags, fcntl_getfl, fstat};

use super::prestart::START_MAX;
use super::usage::{CpuCounter, ProcessTree, status_field};
use crate::is_system_path;
use crate::sys::{HOOK_DESCRIPTOR, HOOK_HEADER, STANDARD_STREAMS, StartHook, waiting_hook_memory};

/// CPU time within which the hook must be reached. Dynamic linking takes about a third of this time.
const START_CPU_MAX: Duration = Duration::from_millis(5);
/// The interval between checks whether the process waits.
const WAIT_TICK: Duration = Duration::from_micros(20);
/// Largest resident memory of the process that is not backed by files, in KiB. It stays in use between runs.
const MEMORY_MAX_KIB: u64 = 512;

/// What a prestarted process must still have when it waits in the hook.
pub(super) struct StartState {
    pub(super) hook: StartHook,
    /// The path of the program.
    pub(super) program: PathBuf,
    /// The working directory.
    pub(super) dir: PathBuf,
    /// The descriptor [`HOOK_DESCRIPTOR`] of the process.
    pub(super) socket: OwnedFd,
    /// The CPU time of the control group before the start, in microseconds.
    pub(super) cpu_micros: u64,
}

/// Returns whether the process `pid`, which the hook has announced to be ready, waits in the hook, and holds nothing that
/// changes later; see the description of this module. `cpu` is the CPU time counter of the control group, and `tree`
/// consists of the processes of the cell.
pub(super) fn is_pristine(pid: i32, state: StartState, (cpu, tree): (&CpuCounter, &ProcessTree)) -> Result<bool> {
    let place = PathBuf::from(format!("/proc/{pid}"));
    let text = |name: &str| fs_err::read_to_string(place.join(name));
    let deadline = Instant::now() + START_MAX;
    let HookWait { stack, end } = loop {
        if let Some(wait) = HookWait::parse(&text("syscall")?) {
            break wait;
        }
        if Instant::now() > deadline {
            return Ok(false);
        }
        std::thread::sleep(WAIT_TICK);
    };
    let StartState { hook, program, dir, socket, cpu_micros } = state;
    let Some(start) = end.checked_sub(hook.wait_end as u64) else { return Ok(false) };
    let (mut code, mut message) = (vec![0; hook.code.len()], waiting_hook_memory(stack));
    let memory = File::open(place.join("mem"))?;
    memory.read_exact_at(&mut code, start)?;
    memory.read_exact_at(&mut message, stack.saturating_add(8))?;
    let cpu = Duration::from_micros(cpu.micros()?.saturating_sub(cpu_micros));
    Ok(code == hook.code
        && message == waiting_hook_memory(stack)
        && tree.members() == [pid]
        && cpu <= START_CPU_MAX
        && has_plain_status(&text("status")?, &fs_err::read_to_string("/proc/self/status")?)
        && text("timers")?.is_empty()
        && has_private_memory(&fs_err::read(place.join("maps"))?, &program, start..start + code.len() as u64)
        && fs_err::read_link(place.join("cwd"))? == dir
        && has_first_descriptors(&place, &socket)?)
}

/// The state of a process that waits for a message to the hook.
#[derive(Debug, PartialEq, Eq)]
struct HookWait {
    /// The stack pointer.
    stack: u64,
    /// The address at which the process continues after the system call.
    end: u64,
}

impl HookWait {
    /// Parses the contents of /proc/PID/syscall. Returns `None` unless the process waits in the system call of the hook, with
    /// its arguments.
    fn parse(syscall: &str) -> Option<HookWait> {
        let (number, rest) = syscall.trim_end().split_once(' ')?;
        let hexadecimal = |text: &str| u64::from_str_radix(text.strip_prefix("0x")?, 16).ok();
        let fields: Vec<u64> = rest.split(' ').map(hexadecimal).collect::<Option<_>>()?;
        // Six arguments, the stack pointer and the instruction pointer.
        let &[descriptor, header, flags, _, _, _, stack, end] = fields.as_slice() else { return None };
        let is_hook = number.parse() == Ok(libc::SYS_recvmsg)
            && descriptor == HOOK_DESCRIPTOR as u64
            && header == stack.wrapping_add(HOOK_HEADER)
            && flags == 0;
        is_hook.then_some(HookWait { stack, end })
    }
}

/// Returns whether the executable `program` was linked with the GNU C library, whose start code is marked by a note. Other
/// libraries do not call the hook.
pub(super) fn has_gnu_start(program: &Path) -> Result<bool> {
    /// The note `NT_GNU_ABI_TAG` for Linux: the lengths of its name and content, its type, its name, and the system.
    const NOTE: &[u8] = b"\x04\0\0\0\x10\0\0\0\x01\0\0\0GNU\0\0\0\0\0";
    // Notes follow the headers at the start of the file.
    let mut start = Vec::new();
    File::open(program)?.take(4_096).read_to_end(&mut start)?;
    Ok(start.windows(NOTE.len()).any(|bytes| bytes == NOTE))
}

/// Returns whether a process has one thread, no signal handlers, no blocked signals, little memory, and no ignored signals and
/// system call filters except those of the cell and the filter of [`Launch::without_rseq`](crate::sys::Launch). The parameters are the
/// contents of its /proc/PID/status and of that of the cell.
fn has_plain_status(status: &str, cell: &str) -> bool {
    let number = |status: &str, name: &str| status_field(status, name)?.parse::<u64>().ok();
    let is_zero = |name: &str| status_field(status, name).is_some_and(|mask| mask.bytes().all(|digit| digit == b'0'));
    // Kernels before Linux 5.9 do not report the number of filters.
    let filters = number(cell, "Seccomp_filters:").map(|count| count + 1);
    number(status, "Threads:") == Some(1)
        && ["SigCgt:", "SigBlk:"].into_iter().all(is_zero)
        // The C library does not let the cell change the actions of the two signals that it reserves.
        && status_field(status, "SigIgn:") == status_field(cell, "SigIgn:")
        && number(status, "RssAnon:").is_some_and(|kib| kib <= MEMORY_MAX_KIB)
        && filters.is_some()
        && number(status, "Seccomp_filters:") == filters
}

/// Returns whether all memory of a process is private, and belongs to no files except `program` and those of the system,
/// from the contents of /proc/PID/maps. Programs cannot write to these files. The memory with the addresses `code` must be
/// executable and not writable, so that no system call of the hook can change it.
fn has_private_memory(maps: &[u8], program: &Path, code: Range<u64>) -> bool {
    let mut has_code = false;
    for line in maps.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let Some(Mapping { addresses, permissions, path }) = Mapping::parse(line) else { return false };
        let is_known = path.is_empty() || path.starts_with(b"[") || path == program.as_os_str().as_bytes();
        let is_of_system = !path.ends_with(b" (deleted)") && is_system_path(Path::new(OsStr::from_bytes(path)));
        if permissions[3] != b'p' || !(is_known || is_of_system) {
            return false;
        }
        if addresses.contains(&code.start) {
            has_code = code.end <= addresses.end && permissions == b"r-xp";
        }
    }
    has_code
}

/// A line of /proc/PID/maps.
struct Mapping<'a> {
    addresses: Range<u64>,
    permissions: &'a [u8; 4],
    /// The path of the file, a name in brackets, or nothing.
    path: &'a [u8],
}

impl Mapping<'_> {
    /// Parses a line: the addresses, permissions, offset, device and inode number, and then the path, if any.
    fn parse(line: &[u8]) -> Option<Mapping<'_>> {
        let mut fields = line.splitn(6, |byte| *byte == b' ');
        let (first, last) = std::str::from_utf8(fields.next()?).ok()?.split_once('-')?;
        let address = |text| u64::from_str_radix(text, 16).ok();
        let permissions = fields.next()?.try_into().ok()?;
        let path = fields.nth(3).unwrap_or_default().trim_ascii_start();
        Some(Mapping { addresses: address(first)?..address(last)?, permissions, path })
    }
}

/// Returns whether a process has only the descriptors with which it was executed: three of /dev/null, and `socket` as
/// [`HOOK_DESCRIPTOR`], which sends no signals. `place` is the folder of the process in /proc.
fn has_first_descriptors(place: &Path, socket: &OwnedFd) -> Result<bool> {
    let mut found = Vec::new();
    for entry in fs_err::read_dir(place.join("fd"))? {
        let entry = entry?;
        let number = entry.file_name().to_str().and_then(|name| name.parse::<usize>().ok());
        found.push((number, fs_err::read_link(entry.path())?));
    }
    found.sort();
    let null = (0..STANDARD_STREAMS).map(|number| (Some(number), PathBuf::from("/dev/null")));
    let hook = PathBuf::from(format!("socket:[{}]", fstat(socket)?.st_ino));
    let first: Vec<_> = null.chain([(Some(HOOK_DESCRIPTOR), hook)]).collect();
    Ok(found == first && !fcntl_getfl(socket)?.contains(OFlags::from_bits_retain(libc::O_ASYNC as u32)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_system_call_of_the_hook_is_recognized() {
        let wait = |number: i64, arguments: &str| {
            HookWait::parse(&format!("{number} {arguments} 0x0 0x0 0x0 0x7ffd00 0x401a2b\n"))
        };
        let recvmsg = libc::SYS_recvmsg;
        assert_eq!(wait(recvmsg, "0x3 0x7ffd18 0x0"), Some(HookWait { stack: 0x7f_fd00, end: 0x40_1a2b }));
        assert_eq!(wait(recvmsg, "0x4 0x7ffd18 0x0"), None, "another descriptor");
        assert_eq!(wait(recvmsg, "0x3 0x7ffd20 0x0"), None, "another buffer");
        assert_eq!(wait(recvmsg, "0x3 0x7ffd18 0x2"), None, "the message would stay in the socket");
        assert_eq!(wait(libc::SYS_recvfrom, "0x3 0x7ffd18 0x0"), None);
        for other in ["running\n", "-1 0x7ffd00 0x401a2b\n", ""] {
            assert_eq!(HookWait::parse(other), None, "{other}");
        }
    }

    #[test]
    fn programs_of_the_gnu_c_library_are_recognized() {
        assert!(cfg!(target_env = "musl") || has_gnu_start(&std::env::current_exe().unwrap()).unwrap());
        assert!(!has_gnu_start(Path::new("/proc/self/status")).unwrap());
    }

    #[test]
    fn threads_signals_filters_and_memory_are_noticed() {
        const NONE: &str = "0000000000000000";
        let status = |threads: u64, filters: u64, memory: u64| {
            format!(
                "Name:\ta\nRssAnon:\t {memory} kB\nThreads:\t{threads}\nSigBlk:\t{NONE}\nSigIgn:\t{NONE}\n\
                 SigCgt:\t{NONE}\nSeccomp:\t2\nSeccomp_filters:\t{filters}\n"
            )
        };
        let is_plain = |status: String| has_plain_status(&status, &format!("SigIgn:\t{NONE}\nSeccomp_filters:\t5\n"));
        assert!(is_plain(status(1, 6, 100)));
        for changed in [status(2, 6, 100), status(1, 7, 100), status(1, 5, 100), status(1, 6, MEMORY_MAX_KIB + 1)] {
            assert!(!is_plain(changed.clone()), "{changed}");
        }
        for mask in ["SigBlk:\t", "SigIgn:\t", "SigCgt:\t"] {
            let changed = status(1, 6, 100).replace(&format!("{mask}{NONE}"), &format!("{mask}0000000000000200"));
            assert!(!is_plain(changed), "{mask}");
        }
        assert!(
            !has_plain_status(&status(1, 6, 100), &format!("SigIgn:\t{NONE}\n")),
            "the kernel does not report the filters"
        );
        assert!(!is_plain(String::new()));
    }

    #[test]
    fn only_private_memory_of_known_files_is_accepted() {
        let program = Path::new("/cache/builds/a b/program");
        let holds = |code: &str, line: &str| {
            let part = |range: &str, permissions: &str| {
                format!("{range} {permissions} 00000000 fe:00 12                 {}\n", program.display())
            };
            let maps = [part("00400000-00401000", "r--p"), part("00401000-00402000", code), format!("{line}\n")];
            has_private_memory(maps.concat().as_bytes(), program, 0x40_1010..0x40_1100)
        };
        for line in [
            "7f00-7f10 rw-p 00000000 00:00 0 ",
            "7f00-7f10 rw-p 00000000 00:00 0                          [heap]",
            "7f00-7f10 r-xp 00000000 fe:00 77                         /usr/lib/x86_64-linux-gnu/libc.so.6",
            "ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0                  [vsyscall]",
        ] {
            assert!(holds("r-xp", line), "{line}");
            assert!(!holds("rwxp", line) && !holds("rw-p", line), "the code can be changed");
        }
        for line in [
            "7f00-7f10 rw-s 00000000 00:01 5                          /dev/zero (deleted)",
            "7f00-7f10 rw-p 00000000 00:30 5                          /tmp/state (deleted)",
            "7f00-7f10 rw-p 00000000 00:30 5                          /box/state",
            "7f00-7f10 r--p 00000000 00:01 5                          /memfd:state (deleted)",
            "7f00-7f10 r--p 00000000 fe:00 5                          /cache/builds/a b/program2",
            "7f00-7f10 rw-s 00000000 00:00 0 ",
            "7f00-7f10",
        ] {
            assert!(!holds("r-xp", line), "{line}");
        }
        let anonymous = b"00500000-00501000 r-xp 00000000 00:00 0 \n";
        assert!(has_private_memory(anonymous, program, 0x50_0ff0..0x50_1000));
        assert!(!has_private_memory(anonymous, program, 0x50_0ff0..0x50_1010), "a part is not executable");
        assert!(
            !has_private_memory(anonymous, program, 0x40_1010..0x40_1100) && !has_private_memory(b"", program, 1..2)
        );
    }
}
