//! Whom the kernel ends first when memory runs out: the program, not the cell.

use std::io::Read;
use std::os::fd::{AsFd, OwnedFd};

use rustix::fs::{Mode, OFlags, openat};
use rustix::process::{DumpableBehavior, set_dumpable_behavior};

/// The score of whoever should go first.
const FIRST_TO_GO: &[u8] = b"1000";

/// The cell's own score, which a program has from its start. So the cell raises it for the moment of a start: that
/// takes two writes to an open file, where the new process would have to look its own file up.
#[derive(Debug)]
pub(super) struct Score {
    file: OwnedFd,
    own: Vec<u8>,
}

impl Score {
    /// The score of this process, by a /proc that may be written; before any wall. `None` where it cannot be set:
    /// nothing depends on it there, since only a control group runs out of memory without the judge's seeing it come.
    pub(super) fn open(proc: impl AsFd) -> Option<Score> {
        // With its change of users a process lost the right to its own files in /proc; this gives it back for now.
        let before = rustix::process::dumpable_behavior().ok()?;
        set_dumpable_behavior(DumpableBehavior::Dumpable).ok()?;
        let opened = openat(proc, "self/oom_score_adj", OFlags::RDWR | OFlags::CLOEXEC, Mode::empty());
        // What else it may have been cannot be asked for; it is the same to us.
        set_dumpable_behavior(match before {
            DumpableBehavior::Dumpable => DumpableBehavior::Dumpable,
            _ => DumpableBehavior::NotDumpable,
        })
        .ok()?;
        let mut file = std::fs::File::from(opened.ok()?);
        let mut own = Vec::new();
        file.read_to_end(&mut own).ok()?;
        Some(Score { file: file.into(), own })
    }

    /// Does something that starts a program, which gets the highest score.
    pub(super) fn raised<T>(&self, start: impl FnOnce() -> T) -> T {
        self.write(FIRST_TO_GO);
        let started = start();
        self.write(&self.own);
        started
    }

    fn write(&self, score: &[u8]) {
        _ = rustix::io::pwrite(&self.file, score, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_started_meanwhile_has_the_highest_score_and_we_have_our_own_again() {
        let proc = rustix::fs::open("/proc", OFlags::PATH | OFlags::CLOEXEC, Mode::empty()).unwrap();
        let score = Score::open(&proc).expect("a /proc that may be written");
        let ours = || fs_err::read_to_string("/proc/self/oom_score_adj").unwrap();
        let before = ours();
        let child = || std::process::Command::new("cat").arg("/proc/self/oom_score_adj").output().unwrap();
        let told = score.raised(child);
        assert_eq!(String::from_utf8(told.stdout).unwrap().trim(), "1000");
        assert_eq!(ours(), before);
    }
}
