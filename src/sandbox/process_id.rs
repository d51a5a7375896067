//! Process identities that stay unique across reboots and machines. The name of a temporary file contains the identity
//! of the process that created it, so that the files of a killed process can be removed.

use std::fmt;

use crate::model::Digest;

/// Identifies a process of this or another machine.
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
        ProcessId { space: space(), pid, started: start_time(pid).unwrap_or(0) }
    }

    /// Parses the identity from a name of the form `prefix` followed by the identity's `Display` form. Returns `None`
    /// if `name` has another form.
    pub fn parse(name: &str, prefix: &str) -> Option<ProcessId> {
        let mut parts = name.strip_prefix(prefix)?.split('-');
        let space = parts.next()?.to_owned();
        Some(ProcessId { space, pid: parts.next()?.parse().ok()?, started: parts.next()?.parse().ok()? })
    }

    /// Returns true if the process has ended. Returns false for processes of other boots, machines and PID namespaces,
    /// whose state is unknown.
    pub fn is_gone(&self) -> bool {
        self.space == space() && start_time(self.pid) != Some(self.started)
    }
}

impl fmt::Display for ProcessId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}-{}", self.space, self.pid, self.started)
    }
}

fn space() -> String {
    let boot = fs_err::read("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let processes = fs_err::read_link("/proc/self/ns/pid").unwrap_or_default();
    Digest::of_parts([&boot[..], processes.as_os_str().as_encoded_bytes()]).to_string().chars().take(8).collect()
}

/// Returns the start time of a process, in clock ticks since boot, or `None` if the process does not exist.
pub(super) fn start_time(pid: u32) -> Option<u64> {
    let stat = fs_err::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (_, after_name) = stat.rsplit_once(')')?;
    after_name.split_ascii_whitespace().nth(19)?.parse().ok()
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
        assert!(!ProcessId { space: "elsewhere".into(), ..dead }.is_gone());
    }
}
