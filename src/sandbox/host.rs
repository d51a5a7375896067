//! Properties of the host: system paths, the instruction counter and CPU load.

use std::ffi::OsStr;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::sys;
use crate::model::TimeSpan;

/// Directories with the system's programs and libraries. On Debian, /var/lib/ghc is the package database of GHC.
const FOLDERS: [&str; 9] =
    ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/lib32", "/libx32", "/nix/store", "/var/lib/ghc"];

/// The directory with the settings of the system.
const SETTINGS_FOLDER: &str = "/etc";

/// Prefixes of the names of entries of [`SETTINGS_FOLDER`] that programs may read: linker cache, alternatives, settings of
/// run-time systems and time zones. Entries that name users or hosts, or contain secrets, are excluded.
const SETTINGS: [&str; 15] = [
    "alternatives",
    "fpc",
    "ghc",
    "java-",
    "ld.so.cache",
    "ld.so.conf",
    "locale.alias",
    "localtime",
    "lua",
    "mime.types",
    "mono",
    "node",
    "python",
    "ruby",
    "timezone",
];

/// Returns the system paths that exist on this host, sorted. Programs may read them in every cell, in addition to its
/// mounts.
pub fn system_paths() -> Vec<PathBuf> {
    let folders = FOLDERS.iter().map(PathBuf::from).filter(|path| path.symlink_metadata().is_ok());
    let mut paths: Vec<PathBuf> = folders.collect();
    let entries =
        fs_err::read_dir(SETTINGS_FOLDER).map(|entries| entries.flatten().collect()).unwrap_or_else(|_| Vec::new());
    let settings = entries.iter().filter(|entry| is_setting(&entry.file_name()));
    paths.extend(settings.map(fs_err::DirEntry::path));
    paths.sort();
    paths
}

/// Returns whether programs may read the entry `name` of [`SETTINGS_FOLDER`].
fn is_setting(name: &OsStr) -> bool {
    name.to_str().is_some_and(|name| SETTINGS.iter().any(|start| name.starts_with(start)))
}

/// Returns true if `path`, which exists, is a system path or is located below a system path. These paths are visible in
/// cells without a mount.
pub fn is_system_path(path: &Path) -> bool {
    let setting = path.strip_prefix(SETTINGS_FOLDER).ok().and_then(|inner| inner.components().next());
    FOLDERS.iter().any(|folder| path.starts_with(folder)) || setting.is_some_and(|first| is_setting(first.as_os_str()))
}

/// Returns the reason why instructions cannot be counted, or `None` if they can. Without an instruction count, the work
/// of a run is measured only by its CPU time, which other programs can increase.
pub fn instruction_counter_error() -> Option<String> {
    let error = sys::open_counter(sys::CounterEvent::Instructions, sys::CountedProcesses::Programs).err()?;
    Some(match error.raw_os_error() {
        Some(libc::ENOENT | libc::EOPNOTSUPP | libc::ENODEV | libc::ENOSYS) => {
            "the CPU, the virtual machine or the kernel provides no instruction counter".to_owned()
        }
        Some(libc::EACCES | libc::EPERM) => {
            "permission denied; `/proc/sys/kernel/perf_event_paranoid` must be at most 2, and a container must allow \
             `perf_event_open`"
                .to_owned()
        }
        _ => error.to_string(),
    })
}

/// Returns the total non-idle time of all CPUs since boot, and the number of CPUs. The time has a resolution of one
/// clock tick (usually 10 ms), and includes time stolen by the hypervisor. Returns `None` if /proc/stat cannot be
/// read.
pub fn host_cpu_time() -> Option<(TimeSpan, usize)> {
    HostStat::open()?.cpu_time()
}

/// An open /proc/stat, which a cell opens before it enters its namespaces.
#[derive(Debug)]
pub(super) struct HostStat(OwnedFd);

impl HostStat {
    /// Opens /proc/stat. Returns `None` if it cannot be opened.
    pub(super) fn open() -> Option<HostStat> {
        Some(HostStat(fs_err::File::open("/proc/stat").ok()?.into_parts().0.into()))
    }

    /// Duplicates the descriptor.
    ///
    /// # Errors
    /// Fails if there are too many descriptors.
    pub(super) fn try_clone(&self) -> std::io::Result<HostStat> {
        self.0.try_clone().map(HostStat)
    }

    /// Returns the same as [`host_cpu_time`].
    pub(super) fn cpu_time(&self) -> Option<(TimeSpan, usize)> {
        // The lines of the CPUs are the first ones.
        let mut buffer = vec![0; STAT_BEGINNING];
        let count = rustix::io::pread(&self.0, &mut buffer, 0).ok()?;
        busy(&String::from_utf8_lossy(&buffer[..count]))
    }
}

/// The number of bytes of /proc/stat that contain the lines of the CPUs, for at least 1,000 of them.
const STAT_BEGINNING: usize = 128 << 10;

/// Raises this process's limit on file descriptors to the hard limit, if that is possible. Programs in cells have a limit
/// of their own.
pub fn raise_descriptor_limit() {
    let limit = getrlimit(Resource::Nofile);
    // If the limit cannot be raised, the current one applies.
    _ = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum });
}

/// Returns the number of threads of the whole machine that are running or runnable, including the calling thread. Returns
/// `None` if /proc/loadavg cannot be read.
pub fn runnable_threads() -> Option<usize> {
    runnable(&fs_err::read_to_string("/proc/loadavg").ok()?)
}

/// Returns the number of runnable threads in the contents of /proc/loadavg.
fn runnable(loadavg: &str) -> Option<usize> {
    loadavg.split_ascii_whitespace().nth(3)?.split('/').next()?.parse().ok()
}

/// Sums the columns user, nice, system, irq, softirq and steal of the contents of /proc/stat, and counts the CPUs.
/// Guest time is part of user and nice. Returns `None` if there is no line with the sums over all CPUs.
fn busy(stat: &str) -> Option<(TimeSpan, usize)> {
    let line = stat.lines().find_map(|line| line.strip_prefix("cpu "))?;
    let ticks: Vec<u64> = line.split_ascii_whitespace().map_while(|word| word.parse().ok()).collect();
    let columns = [0, 1, 2, 5, 6, 7].into_iter().filter_map(|column| ticks.get(column));
    let sum = columns.fold(0_u64, |sum, more| sum.saturating_add(*more));
    let numbered =
        |line: &&str| line.strip_prefix("cpu").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let spent = TimeSpan::millis(sum.saturating_mul(1_000 / rustix::param::clock_ticks_per_second().max(1)));
    (!ticks.is_empty()).then(|| (spent, stat.lines().filter(numbered).count().max(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_calling_thread_is_runnable() {
        assert_eq!(runnable("0.20 0.18 0.12 3/80 11206\n"), Some(3));
        for broken in ["", "0.20 0.18 0.12", "0.20 0.18 0.12 x/80 11206"] {
            assert_eq!(runnable(broken), None, "{broken}");
        }
        assert!(runnable_threads() >= Some(1));
    }

    #[test]
    fn host_time_excludes_idle_time() {
        let stat = "cpu  100 20 30 5000 700 4 5 600 90 8\ncpu0 1 2 3 4 5 6 7 8 9 10\nintr 1\n";
        assert_eq!(busy(stat), Some((TimeSpan::millis(7_590), 1)));
        let older = "cpu  100 20 30 5000\ncpu0 60 10 10 2000\ncpu1 40 10 20 3000\n";
        assert_eq!(busy(older), Some((TimeSpan::millis(1_500), 2)), "older systems have fewer columns");
        assert_eq!((busy(""), busy("cpu  many\n")), (None, None));
    }

    #[test]
    fn host_time_increases_under_load() {
        let Some(before) = host_cpu_time() else { return };
        let until = std::time::Instant::now() + std::time::Duration::from_secs(60);
        while host_cpu_time() == Some(before) && std::time::Instant::now() < until {}
        assert!(host_cpu_time() > Some(before));
    }

    #[test]
    fn instruction_counter_agrees_with_perf() {
        let perf =
            std::process::Command::new("perf").args(["stat", "-x", ",", "-e", "instructions:u", "true"]).output();
        let Ok(perf) = perf else { return };
        let said = String::from_utf8_lossy(&perf.stderr).into_owned();
        let counted =
            said.lines().any(|line| line.contains("instructions") && line.starts_with(|c: char| c.is_ascii_digit()));
        assert_eq!(instruction_counter_error().is_none(), counted, "{said}");
    }

    #[test]
    fn secrets_are_not_system_paths() {
        assert!(is_system_path(Path::new("/usr/bin/true")));
        assert!(system_paths().iter().all(|path| is_system_path(path) && is_system_path(&path.join("inner"))));
        for secret in [
            "/etc",
            "/etc/shadow",
            "/etc/passwd",
            "/etc/ssh/python",
            "/etc/ssh",
            "/root",
            "/home",
            "/var",
            "/tmp",
            "/usrx",
        ] {
            assert!(!is_system_path(Path::new(secret)), "{secret}");
        }
    }
}
