//! Reads the commit times of files in a Git repository. A repository's settings may start programs, so these settings
//! are overridden, and git runs in the sandbox without a network and with read-only files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::lang::HostEnvironment;
use crate::model::{ByteSize, Exit, Limits, TimeSpan};
use crate::sandbox::{CellCommand, CellSpec, Input, Mount, Output, Sandbox};

use super::super::roster::composed;

/// Limits of a git process that reads the history of one repository.
const LIMITS: Limits = Limits {
    cpu: TimeSpan::seconds(20),
    wall: TimeSpan::seconds(60),
    memory: ByteSize::mib(1024),
    output: ByteSize::mib(32),
    processes: 8,
};

/// The git program and the sandbox that runs it.
pub struct Git<'a> {
    program: PathBuf,
    sandbox: &'a dyn Sandbox,
}

impl Git<'_> {
    /// Finds git on the PATH. Returns `None` if it is not installed.
    pub fn find(sandbox: &dyn Sandbox) -> Option<Git<'_>> {
        Some(Git { program: HostEnvironment::current().program("git")?, sandbox })
    }

    /// Returns the time of the last commit of each file in the history of a repository, in seconds since the Unix
    /// epoch. Returns `None` if git fails; the modification times of the files are then used instead.
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
            read_only: Vec::new(),
            take_files: false,
            stdin: Input::Empty,
            stdout: Output::Collect,
            more_pipes: Vec::new(),
            prestart: false,
            limits: LIMITS,
            early_stop: None,
            address_space: None,
            keep_stderr: 1 << 10,
        };
        let run = self.sandbox.open(&room).ok()?.run(task).ok()?;
        let well = run.execution.breach.is_none() && run.execution.exit == Exit::Code(0);
        well.then(|| times(&run.stdout))
    }
}

/// Settings that override the settings of the repository.
const SETTINGS: [&str; 5] = [
    "safe.directory=*",
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "log.showSignature=false",
    "log.mailmap=false",
];
/// Arguments of a command that lists the commits reachable from HEAD with their times and files, separated by zero
/// bytes.
const LOG: [&str; 7] =
    ["log", "-z", "--name-only", "--no-renames", "--no-ext-diff", "--no-textconv", "--format=tformat:%x01%ct"];
/// Environment variables for git commands. Apart from `PATH`, they disable system and user settings, network access,
/// replacement objects and prompts.
const ENVIRONMENT: [(&str, &str); 7] = [
    ("PATH", "/usr/local/bin:/usr/bin:/bin"),
    ("GIT_CONFIG_NOSYSTEM", "1"),
    ("GIT_CONFIG_GLOBAL", "/dev/null"),
    ("GIT_ALLOW_PROTOCOL", ""),
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_NO_REPLACE_OBJECTS", "1"),
    ("GIT_TERMINAL_PROMPT", "0"),
];

/// Returns the time of the newest commit of each file. The log starts with the newest commit.
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
    fn newest_commit_of_file_counts() {
        let log = b"\x01200\0\na.py\0\x01100\0\na.py\0d \xc3\xa9/b.py\0\x0150\0\0";
        let times = times(log);
        assert_eq!(times.get("a.py"), Some(&200));
        assert_eq!(times.get("d \u{e9}/b.py"), Some(&100));
        assert_eq!(times.len(), 2);
    }
}
