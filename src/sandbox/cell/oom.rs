//! Sets `oom_score_adj` so that the OOM killer chooses the program and not the cell.

use std::io::Read;
use std::os::fd::{AsFd, AsRawFd, OwnedFd, RawFd};

use rustix::fs::{Mode, OFlags, openat};
use rustix::process::{DumpableBehavior, set_dumpable_behavior};

/// The cell's own `oom_score_adj`. Programs start with a higher value; see
/// [`Launch::oom_score`](crate::sys::Launch).
#[derive(Debug)]
pub(super) struct OomScore {
    file: OwnedFd,
    own: Vec<u8>,
}

impl OomScore {
    /// Opens the file with the score of this process in `proc`, a writable /proc. Must be called before the process is
    /// restricted. Returns `None` if the score cannot be set. The score matters only with a control group, since
    /// otherwise the cell detects that the memory limit is exceeded before the OOM killer acts.
    pub(super) fn open(proc: impl AsFd) -> Option<OomScore> {
        // After a change of its user id, a process cannot open its own files in /proc unless it is dumpable. The
        // process is made dumpable temporarily.
        let before = rustix::process::dumpable_behavior().ok()?;
        set_dumpable_behavior(DumpableBehavior::Dumpable).ok()?;
        let opened = openat(proc, "self/oom_score_adj", OFlags::RDWR | OFlags::CLOEXEC, Mode::empty());
        // A process can't set the third state (readable by root only). With respect to access to the files in /proc,
        // that state is equivalent to `NotDumpable`.
        set_dumpable_behavior(match before {
            DumpableBehavior::Dumpable => DumpableBehavior::Dumpable,
            _ => DumpableBehavior::NotDumpable,
        })
        .ok()?;
        let mut file = std::fs::File::from(opened.ok()?);
        let mut own = Vec::new();
        file.read_to_end(&mut own).ok()?;
        Some(OomScore { file: file.into(), own })
    }

    /// Returns the descriptor of the score's file and the cell's own score, for [`spawn`](crate::sys::spawn).
    pub(super) fn for_launch(&self) -> (RawFd, Vec<u8>) {
        (self.file.as_raw_fd(), self.own.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn score_is_read_and_writable() {
        let proc = rustix::fs::open("/proc", OFlags::PATH | OFlags::CLOEXEC, Mode::empty()).unwrap();
        let score = OomScore::open(&proc).expect("a writable /proc");
        let ours = || fs_err::read("/proc/self/oom_score_adj").unwrap();
        assert_eq!(score.own, ours());
        rustix::io::pwrite(&score.file, &score.own, 0).unwrap();
        assert_eq!(score.own, ours());
    }
}
