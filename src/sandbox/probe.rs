//! The test run that determines whether an isolation level works on this machine, and its cached result.
//!
//! A test run takes as long as judging a program on a small case, so a level that worked is not tried again under the
//! same conditions. The cached result replaces only the test run. Each cell still enforces its level or fails, so no
//! program runs with less isolation than is reported.

use std::io::Write;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::namespaced::unavailable;
use super::{CellCommand, CellSpec, Input, Output, Sandbox};
use crate::model::{ByteSize, Digest, Exit, Fault, Isolation, Limits, TimeSpan};

/// The version of the cache key. It must be changed when the host features that cells require change.
const VERSION: &str = "sandbox probe 1";

/// Files whose contents determine which isolation a process may use: the boot id, kernel settings that restrict user
/// namespaces, the security profile and the control groups. A file that this kernel lacks counts as empty.
const CONDITIONS: [&str; 14] = [
    "/proc/sys/kernel/random/boot_id",
    "/proc/sys/user/max_user_namespaces",
    "/proc/sys/user/max_mnt_namespaces",
    "/proc/sys/user/max_pid_namespaces",
    "/proc/sys/user/max_net_namespaces",
    "/proc/sys/user/max_ipc_namespaces",
    "/proc/sys/user/max_uts_namespaces",
    "/proc/sys/user/max_cgroup_namespaces",
    "/proc/sys/kernel/unprivileged_userns_clone",
    "/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
    "/proc/sys/kernel/apparmor_restrict_unprivileged_unconfined",
    "/sys/fs/selinux/enforce",
    "/proc/self/attr/current",
    "/proc/self/cgroup",
];
/// The namespaces of this process whose identities are part of the cache key.
const NAMESPACES: [&str; 5] = ["user", "mnt", "pid", "net", "cgroup"];
/// The prefixes of the lines of /proc/self/status that are part of the cache key: the user, the capabilities and the
/// seccomp filters of this process.
const STATUS: [&str; 8] =
    ["Uid:", "Gid:", "CapPrm:", "CapEff:", "CapBnd:", "NoNewPrivs:", "Seccomp:", "Seccomp_filters:"];

/// Runs `true` in a cell of `sandbox`. If the host has no such program, only the cell is opened.
///
/// # Errors
/// Returns a fault if the cell cannot be opened with the isolation of the sandbox, or if the program cannot be run or
/// does not exit with code 0.
pub(super) fn test_run(sandbox: &dyn Sandbox) -> Result<(), Fault> {
    let spec = CellSpec { slot: 0, mounts: Vec::new(), scratch: ByteSize::mib(1) };
    let mut cell = sandbox.open(&spec)?;
    let limits = Limits {
        cpu: TimeSpan::seconds(5),
        wall: TimeSpan::seconds(20),
        memory: ByteSize::mib(64),
        output: ByteSize::mib(1),
        processes: 4,
    };
    let program = ["/usr/bin/true", "/bin/true"].into_iter().find(|path| Path::new(path).exists());
    let Some(program) = program else { return Ok(()) };
    let run = cell.run(CellCommand {
        argv: vec![program.into()],
        env: Vec::new(),
        dir: None,
        files: Vec::new(),
        read_only: Vec::new(),
        take_files: false,
        stdin: Input::Empty,
        stdout: Output::Collect,
        more_pipes: Vec::new(),
        prestart: false,
        limits,
        early_stop: None,
        address_space: None,
        keep_stderr: 200,
    })?;
    match run.execution.exit {
        Exit::Code(0) => Ok(()),
        other => {
            Err(unavailable(sandbox.isolation().level, &format!("the test run of `{program}` ended with {other}")))
        }
    }
}

/// The cached result of a test run: a file with the conditions under which the test run succeeded.
#[derive(Debug)]
pub(super) struct ProbeRecord {
    file: PathBuf,
    key: String,
}

impl ProbeRecord {
    /// Returns the record for this isolation in `folder`. `exe` is the executable of the fork server.
    pub(super) fn new(folder: &Path, exe: &Path, isolation: &Isolation) -> ProbeRecord {
        let strict = if isolation.strict { "-strict" } else { "" };
        ProbeRecord { file: folder.join(format!("{}{strict}", isolation.level)), key: key(exe, isolation) }
    }

    /// Returns true if a test run succeeded under the current conditions, and if the record can be removed in case a
    /// cell fails.
    pub(super) fn holds(&self) -> bool {
        let folder = self.file.parent().unwrap_or(Path::new("."));
        rustix::fs::access(folder, rustix::fs::Access::WRITE_OK).is_ok()
            && fs_err::read_to_string(&self.file).is_ok_and(|kept| kept == self.key)
    }

    /// Records that the test run succeeded. If the file cannot be written, the next start performs a test run.
    pub(super) fn keep(&self) {
        let Some(folder) = self.file.parent() else { return };
        let write = || -> std::io::Result<()> {
            fs_err::create_dir_all(folder)?;
            let mut file = tempfile::NamedTempFile::new_in(folder)?;
            file.write_all(self.key.as_bytes())?;
            file.persist(&self.file)?;
            Ok(())
        };
        _ = write();
    }

    /// Removes the record, so that the next start performs a test run.
    pub(super) fn forget(&self) {
        _ = fs_err::remove_file(&self.file);
    }
}

/// Returns the hash of the conditions that determine whether the isolation works: the host, this process and the
/// executable of the fork server.
fn key(exe: &Path, isolation: &Isolation) -> String {
    let read = |path: &str| fs_err::read(path).unwrap_or_default();
    let mut parts = vec![VERSION.as_bytes().to_vec(), format!("{isolation:?}").into_bytes()];
    parts.extend(CONDITIONS.map(read));
    let namespace = |name| fs_err::read_link(format!("/proc/self/ns/{name}")).unwrap_or_default();
    parts.extend(NAMESPACES.map(|name| namespace(name).into_os_string().into_encoded_bytes()));
    let status = String::from_utf8_lossy(&read("/proc/self/status")).into_owned();
    let mounts = String::from_utf8_lossy(&read("/proc/self/mountinfo")).into_owned();
    let decisive = |line: &&str| line.contains(" /proc") || line.contains(" /sys/fs/cgroup");
    parts.extend(mounts.lines().filter(decisive).map(|line| line.as_bytes().to_vec()));
    let lines = status.lines().filter(|line| STATUS.iter().any(|name| line.starts_with(name)));
    parts.extend(lines.map(|line| line.as_bytes().to_vec()));
    parts.push(exe.as_os_str().as_encoded_bytes().to_vec());
    if let Ok(file) = fs_err::metadata(exe) {
        parts
            .push(format!("{:?}", (file.dev(), file.ino(), file.size(), file.ctime(), file.ctime_nsec())).into_bytes());
    }
    Digest::of_parts(parts.iter().map(Vec::as_slice)).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Level;

    #[test]
    fn a_record_holds_for_the_same_conditions_only() {
        let folder = tempfile::tempdir().unwrap();
        let exe = folder.path().join("exe");
        fs_err::write(&exe, "one").unwrap();
        let record = |level: Level, strict| {
            ProbeRecord::new(&folder.path().join("kept"), &exe, &Isolation { strict, ..Isolation::of(level) })
        };
        assert!(!record(Level::A, false).holds());
        record(Level::A, false).keep();
        assert!(record(Level::A, false).holds());
        assert!(!record(Level::A, true).holds() && !record(Level::B, false).holds());
        fs_err::rename(folder.path().join("kept/A"), folder.path().join("kept/B")).unwrap();
        assert!(!record(Level::B, false).holds(), "a record of another level was accepted");
        record(Level::A, false).keep();
        fs_err::write(&exe, "another").unwrap();
        assert!(!record(Level::A, false).holds(), "the executable was replaced");
        record(Level::A, false).keep();
        record(Level::A, false).forget();
        assert!(!record(Level::A, false).holds());
        assert_eq!(fs_err::read_dir(folder.path().join("kept")).unwrap().count(), 1);
    }
}
