//! Whom the kernel ends first when memory runs out: the program, not the cell.

use std::io::Read;
use std::os::fd::{AsFd, AsRawFd, OwnedFd, RawFd};

use rustix::fs::{Mode, OFlags, openat};
use rustix::process::{DumpableBehavior, set_dumpable_behavior};

/// The cell's own score. A program begins with a higher one: see [`Launch::score`](crate::sandbox::sys::Launch).
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

    /// For [starting](crate::sandbox::sys::spawn) a program.
    pub(super) fn for_launch(&self) -> (RawFd, Vec<u8>) {
        (self.file.as_raw_fd(), self.own.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_what_the_kernel_says_and_may_be_written() {
        let proc = rustix::fs::open("/proc", OFlags::PATH | OFlags::CLOEXEC, Mode::empty()).unwrap();
        let score = Score::open(&proc).expect("a /proc that may be written");
        let ours = || fs_err::read("/proc/self/oom_score_adj").unwrap();
        assert_eq!(score.own, ours());
        rustix::io::pwrite(&score.file, &score.own, 0).unwrap();
        assert_eq!(score.own, ours());
    }
}
