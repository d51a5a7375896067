//! The judge's own place for what must outlive nothing: private folders, and a list of what else to remove.
//!
//! Its name holds the process id and start time of its judge. A judge that was killed cannot clean up; the next one
//! finds the den, sees that its owner is gone, and removes what is in it.

use std::io::{ErrorKind, Result};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::process_id::start_time;
use crate::model::{Fault, FaultKind};

const PREFIX: &str = "nimatron-";
/// In a den: one control group's path a line.
const GROUPS: &str = "groups";

/// A private folder of this process, removed when dropped.
#[derive(Debug)]
pub(super) struct TempDirs {
    path: PathBuf,
    next: AtomicU64,
}

impl TempDirs {
    /// Makes a den in the system's folder for temporary files, and cleans up behind judges that were killed.
    pub(super) fn new() -> std::result::Result<TempDirs, Fault> {
        TempDirs::inside(&std::env::temp_dir()).map_err(|error| {
            Fault::new(FaultKind::Sandbox, format!("cannot make a folder for temporary files: {error}"))
        })
    }

    fn inside(parent: &Path) -> Result<TempDirs> {
        static CREATED: AtomicU64 = AtomicU64::new(0);
        clean_up_behind_the_dead(parent)?;
        let pid = std::process::id();
        let started = start_time(pid).unwrap_or(0);
        let number = CREATED.fetch_add(1, Ordering::Relaxed);
        let path = parent.join(format!("{PREFIX}{pid}-{started}-{number}"));
        // Fails if somebody made one of that name before us: never use what another user prepared.
        std::fs::DirBuilder::new().mode(0o700).create(&path)?;
        Ok(TempDirs { path, next: AtomicU64::new(0) })
    }

    /// A new empty folder in it.
    pub(super) fn folder(&self) -> Result<PathBuf> {
        let path = self.path.join(self.next.fetch_add(1, Ordering::Relaxed).to_string());
        std::fs::DirBuilder::new().mode(0o700).create(&path)?;
        Ok(path)
    }

    /// A number nobody else in this process gets, for naming things.
    pub(super) fn tag(&self) -> String {
        let name = self.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        format!("{name}-{}", self.next.fetch_add(1, Ordering::Relaxed))
    }

    /// Notes a control group that must go if we cannot remove it ourselves. Call it before making the group.
    pub(super) fn note_group(&self, group: &Path) -> Result<()> {
        use std::io::Write;
        let mut list = fs_err::OpenOptions::new().create(true).append(true).open(self.path.join(GROUPS))?;
        writeln!(list, "{}", group.display())
    }
}

impl Drop for TempDirs {
    fn drop(&mut self) {
        remove(&self.path);
    }
}

/// Removes the dens of judges that are gone.
fn clean_up_behind_the_dead(parent: &Path) -> Result<()> {
    let me = rustix::process::geteuid().as_raw();
    for entry in fs_err::read_dir(parent)?.flatten() {
        let name = entry.file_name();
        let Some((pid, started)) = name.to_str().and_then(owner) else { continue };
        let ours = entry.metadata().is_ok_and(|data| data.is_dir() && data.uid() == me);
        if ours && start_time(pid) != Some(started) {
            remove(&entry.path());
        }
    }
    Ok(())
}

/// The process id and start time in a den's name.
fn owner(name: &str) -> Option<(u32, u64)> {
    let mut parts = name.strip_prefix(PREFIX)?.split('-');
    let owner = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    parts.next()?.parse::<u64>().ok()?;
    parts.next().is_none().then_some(owner)
}

/// Removes a den with the control groups it lists. What cannot go stays for the next start.
fn remove(den: &Path) {
    let groups = fs_err::read_to_string(den.join(GROUPS)).unwrap_or_default();
    let mut left = false;
    for group in groups.lines().rev() {
        left |= !super::cgroup::remove_path(Path::new(group));
    }
    if left {
        return;
    }
    /// A cell of the dead judge may be about to end, and write until then.
    const TRIES: u32 = 100;
    for _ in 0..TRIES {
        if let Ok(dir) = rustix::fs::open(den, super::cell::FOLDER, rustix::fs::Mode::empty()) {
            _ = super::cell::empty(&dir, super::cell::PRIVATE);
        }
        match std::fs::remove_dir(den) {
            Err(error) if error.kind() == ErrorKind::DirectoryNotEmpty => {
                std::thread::sleep(std::time::Duration::from_millis(10));
            }
            _ => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_den_goes_with_its_owner_and_a_dead_judges_den_at_the_next_start() {
        let parent = tempfile::tempdir().unwrap();
        let dead = parent.path().join("nimatron-999999999-5-0");
        fs_err::create_dir_all(dead.join("0/deep")).unwrap();
        let other = parent.path().join("nimatron-notes");
        fs_err::create_dir(&other).unwrap();
        let den = TempDirs::inside(parent.path()).unwrap();
        let folder = den.folder().unwrap();
        assert!(folder.is_dir());
        assert!(!dead.exists(), "the dead judge's den is still there");
        assert!(other.exists(), "something that is no den was removed");
        let second = TempDirs::inside(parent.path()).unwrap();
        assert!(folder.is_dir(), "a living judge's den was removed");
        drop((den, second));
        assert_eq!(fs_err::read_dir(parent.path()).unwrap().count(), 1);
    }

    #[test]
    fn names_of_dens_are_told_from_others() {
        assert_eq!(owner("nimatron-12-345-0"), Some((12, 345)));
        for name in ["nimatron-12-345", "nimatron-12-345-0-1", "nimatron-x-1-2", "nim-1-2-3", "nimatron-"] {
            assert_eq!(owner(name), None, "{name}");
        }
    }
}
