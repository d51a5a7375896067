//! Who makes temporary files: a process by its id and start time, so that what a killed one left is known for that.

use std::fmt;

use crate::model::Digest;

/// A process of this or another machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProcessId {
    /// Where its id means something: one boot of one machine, and one process namespace in it.
    space: String,
    pid: u32,
    /// In the kernel's ticks since boot.
    started: u64,
}

impl ProcessId {
    /// This process.
    pub fn current() -> ProcessId {
        let pid = std::process::id();
        ProcessId { space: space(), pid, started: start_time(pid).unwrap_or(0) }
    }

    /// The process in a name that [`ProcessId`] was written into, behind `prefix`.
    pub fn parse(name: &str, prefix: &str) -> Option<ProcessId> {
        let mut parts = name.strip_prefix(prefix)?.split('-');
        let space = parts.next()?.to_owned();
        Some(ProcessId { space, pid: parts.next()?.parse().ok()?, started: parts.next()?.parse().ok()? })
    }

    /// Whether it is known to have ended. Of a process elsewhere nothing is known.
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

/// When a process started, in the kernel's ticks since boot; `None` if there is none.
pub(super) fn start_time(pid: u32) -> Option<u64> {
    let stat = fs_err::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (_, after_name) = stat.rsplit_once(')')?;
    after_name.split_ascii_whitespace().nth(19)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn owners_are_read_back_and_only_the_dead_of_this_place_are_gone() {
        let me = ProcessId::current();
        assert_eq!(ProcessId::parse(&format!(".new-{me}-x7"), ".new-"), Some(me.clone()));
        assert_eq!(ProcessId::parse(".new-x7", ".new-"), None);
        assert!(!me.is_gone());
        let dead = ProcessId { pid: 999_999_999, ..me.clone() };
        assert!(dead.is_gone());
        assert!(ProcessId { started: me.started + 1, ..me }.is_gone(), "its id was given out again");
        assert!(!ProcessId { space: "elsewhere".into(), ..dead }.is_gone());
    }
}
