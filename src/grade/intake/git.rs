//! When the files of a Git repository were last committed. A repository says by its own settings which programs git runs,
//! so git is given none of its say, and works in the sandbox: without a network, and with everything read-only.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::lang::HostEnvironment;
use crate::model::{ByteSize, Exit, Limits, TimeSpan};
use crate::sandbox::{CellCommand, CellSpec, Input, Mount, Output, Sandbox};

use super::super::roster::composed;

/// What git may use to tell the history of one repository.
const LIMITS: Limits = Limits {
    cpu: TimeSpan::seconds(20),
    wall: TimeSpan::seconds(60),
    memory: ByteSize::mib(1024),
    output: ByteSize::mib(32),
    processes: 8,
};

/// Git as it is asked, wherever repositories lie.
pub struct Git<'a> {
    program: PathBuf,
    sandbox: &'a dyn Sandbox,
}

impl Git<'_> {
    /// The git that is on the PATH, if there is one.
    pub fn find(sandbox: &dyn Sandbox) -> Option<Git<'_>> {
        Some(Git { program: HostEnvironment::current().program("git")?, sandbox })
    }

    /// For each file that a repository ever had when its last commit was made, in seconds since 1970. None if git can't
    /// tell: then a file's own time must do.
    pub fn committed(&self, repository: &Path) -> Option<BTreeMap<String, i64>> {
        let repository = fs_err::canonicalize(repository).ok()?;
        let mut argv = vec![self.program.clone().into_os_string(), "--no-optional-locks".into()];
        for setting in SETTINGS {
            argv.extend(["-c".into(), setting.into()]);
        }
        argv.extend(["--git-dir".into(), repository.join(".git").into_os_string()]);
        argv.extend(LOG.map(Into::into));
        let room = CellSpec { slot: 0, mounts: vec![Mount::read(&repository)], scratch: ByteSize::mib(1) };
        let task = CellCommand {
            argv,
            env: ENVIRONMENT.iter().map(|(name, value)| (name.into(), value.into())).collect(),
            dir: None,
            files: Vec::new(),
            take_files: false,
            stdin: Input::Empty,
            stdout: Output::Collect,
            limits: LIMITS,
            bound_address_space: false,
            keep_stderr: 1 << 10,
        };
        let run = self.sandbox.open(&room).ok()?.run(task).ok()?;
        let well = run.execution.breach.is_none() && run.execution.exit == Exit::Code(0);
        well.then(|| times(&run.stdout))
    }
}

/// What a repository may not decide.
const SETTINGS: [&str; 5] = [
    "safe.directory=*",
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "log.showSignature=false",
    "log.mailmap=false",
];
/// Every commit behind the head with its time and its files; ends are zero bytes.
const LOG: [&str; 7] =
    ["log", "-z", "--name-only", "--no-renames", "--no-ext-diff", "--no-textconv", "--format=tformat:%x01%ct"];
/// No settings of a machine or a person, and nothing fetched.
const ENVIRONMENT: [(&str, &str); 7] = [
    ("PATH", "/usr/local/bin:/usr/bin:/bin"),
    ("GIT_CONFIG_NOSYSTEM", "1"),
    ("GIT_CONFIG_GLOBAL", "/dev/null"),
    ("GIT_ALLOW_PROTOCOL", ""),
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_NO_REPLACE_OBJECTS", "1"),
    ("GIT_TERMINAL_PROMPT", "0"),
];

/// The newest time of each file: the log begins with the newest commit.
fn times(log: &[u8]) -> BTreeMap<String, i64> {
    let mut times = BTreeMap::new();
    let mut at = None;
    for entry in log.split(|byte| *byte == 0) {
        let entry = String::from_utf8_lossy(entry.strip_prefix(b"\n").unwrap_or(entry)).into_owned();
        match (entry.strip_prefix('\u{1}'), at) {
            (Some(time), _) => at = time.parse().ok(),
            (None, Some(at)) if !entry.is_empty() => {
                times.entry(composed(&entry)).or_insert(at);
            }
            (None, _) => {}
        }
    }
    times
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_commit_of_a_file_counts() {
        let log = b"\x01200\0\na.py\0\x01100\0\na.py\0d \xc3\xa9/b.py\0\x0150\0\0";
        let times = times(log);
        assert_eq!(times.get("a.py"), Some(&200));
        assert_eq!(times.get("d \u{e9}/b.py"), Some(&100));
        assert_eq!(times.len(), 2);
    }
}
