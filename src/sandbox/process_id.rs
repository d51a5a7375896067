//! Process identities that stay unique across reboots and machines. The name of a temporary file contains the identity
//! of the process that created it, so that the files of a killed process can be removed.

use std::fmt;
use std::io::{Error, ErrorKind, Result};

use crate::model::Digest;

/// The value of `space` if it could not be determined. A process with this value is never considered ended.
const UNKNOWN_SPACE: &str = "unknown";
/// The value of `started` if it could not be read. A process with this value is never considered ended.
const UNKNOWN_START: u64 = u64::MAX;

/// The identity of a process of this or another machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProcessId {
    /// A hash that identifies the boot and the PID namespace in which the process id is valid.
    space: String,
    pid: u32,
    /// The start time, in clock ticks since boot.
    started: u64,
}

impl ProcessId {
    /// Returns the identity of the calling process.
    pub fn current() -> ProcessId {
        let pid = std::process::id();
        ProcessId {
            space: space().unwrap_or_else(|_| UNKNOWN_SPACE.to_owned()),
            pid,
            started: start_time(pid).ok().flatten().unwrap_or(UNKNOWN_START),
        }
    }

    /// Parses the identity from a name of the form `prefix` followed by the identity's `Display` form. Returns `None`
    /// if `name` has another form.
    pub fn parse(name: &str, prefix: &str) -> Option<ProcessId> {
        let mut parts = name.strip_prefix(prefix)?.split('-');
        let space = parts.next()?.to_owned();
        Some(ProcessId { space, pid: parts.next()?.parse().ok()?, started: parts.next()?.parse().ok()? })
    }

    /// Returns true if the process is known to have ended. Returns false if its state is unknown: if it belongs to
    /// another boot, machine or PID namespace, or if its state can't be read, for example because no file descriptor is
    /// available.
    pub fn is_gone(&self) -> bool {
        let is_local = || space().is_ok_and(|space| space == self.space);
        let has_ended = || start_time(self.pid).is_ok_and(|started| started != Some(self.started));
        self.started != UNKNOWN_START && is_local() && has_ended()
    }
}

impl fmt::Display for ProcessId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}-{}", self.space, self.pid, self.started)
    }
}

fn space() -> Result<String> {
    let boot = fs_err::read("/proc/sys/kernel/random/boot_id")?;
    let processes = fs_err::read_link("/proc/self/ns/pid")?;
    let digest = Digest::of_parts([&boot[..], processes.as_os_str().as_encoded_bytes()]);
    Ok(digest.to_string().chars().take(8).collect())
}

/// Returns the start time of a process, in clock ticks since boot, or `None` if the process does not exist.
fn start_time(pid: u32) -> Result<Option<u64>> {
    let path = format!("/proc/{pid}/stat");
    let stat = match fs_err::read_to_string(&path) {
        Ok(stat) => stat,
        // Opening the file fails if the process does not exist. Reading it fails with ESRCH if the process has ended
        // after the file was opened.
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) if error.raw_os_error() == Some(rustix::io::Errno::SRCH.raw_os_error()) => return Ok(None),
        Err(error) => return Err(error),
    };
    let started = stat.rsplit_once(')').and_then(|(_, fields)| fields.split_ascii_whitespace().nth(19)?.parse().ok());
    started.map(Some).ok_or_else(|| Error::new(ErrorKind::InvalidData, format!("`{path}` contains no start time")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_round_trip_and_only_ended_local_processes_are_gone() {
        let me = ProcessId::current();
        assert_eq!(ProcessId::parse(&format!(".new-{me}-x7"), ".new-"), Some(me.clone()));
        assert_eq!(ProcessId::parse(".new-x7", ".new-"), None);
        assert!(!me.is_gone());
        let dead = ProcessId { pid: 999_999_999, ..me.clone() };
        assert!(dead.is_gone());
        assert!(ProcessId { started: me.started + 1, ..me }.is_gone(), "the process id was reused");
        assert!(!ProcessId { space: "elsewhere".into(), ..dead.clone() }.is_gone());
        assert!(!ProcessId { space: UNKNOWN_SPACE.into(), ..dead.clone() }.is_gone());
        assert!(!ProcessId { started: UNKNOWN_START, ..dead }.is_gone());
    }
}
