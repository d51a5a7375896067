//! The sandbox's temporary directory. It contains the private directories of cells and the list of control groups to
//! remove.
//!
//! The directory's name contains the identity of the judge's process. A killed judge cannot clean up, so the next judge
//! removes the directories whose process has certainly ended.

use std::io::{Error, ErrorKind, Result};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::process_id::ProcessId;
use crate::model::{Fault, FaultKind};

const PREFIX: &str = "nimatron-";
/// The name of the file in the temporary directory that lists the control groups of its judge, one path per line.
const GROUPS: &str = "groups";

/// A temporary directory of this process, which is removed with its contents when dropped.
#[derive(Debug)]
pub(super) struct TempDirs {
    path: PathBuf,
    next: AtomicU64,
}

impl TempDirs {
    /// Creates a directory in the system's temporary directory, and removes the directories of judges that no longer
    /// run.
    pub(super) fn new() -> std::result::Result<TempDirs, Fault> {
        let parent = std::env::temp_dir();
        TempDirs::inside(&parent).map_err(|error| {
            let doing = format!("cannot create a temporary directory in `{}`", parent.display());
            Fault::io(FaultKind::Sandbox, &error).context(doing)
        })
    }

    fn inside(parent: &Path) -> Result<TempDirs> {
        static CREATED: AtomicU64 = AtomicU64::new(0);
        remove_stale(parent)?;
        let number = CREATED.fetch_add(1, Ordering::Relaxed);
        let path = parent.join(format!("{PREFIX}{}-{number}", ProcessId::current()));
        // The call fails if the directory already exists, since another user may have created it.
        std::fs::DirBuilder::new().mode(0o700).create(&path)?;
        Ok(TempDirs { path, next: AtomicU64::new(0) })
    }

    /// Creates an empty directory in the temporary directory.
    pub(super) fn create_dir(&self) -> Result<PathBuf> {
        let path = self.path.join(self.next.fetch_add(1, Ordering::Relaxed).to_string());
        std::fs::DirBuilder::new()
            .mode(0o700)
            .create(&path)
            .map_err(|error| Error::new(error.kind(), format!("`{}`: {error}", path.display())))?;
        Ok(path)
    }

    /// Returns a new name that is unique on this host, also across processes.
    pub(super) fn unique_name(&self) -> String {
        let name = self.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        format!("{name}-{}", self.next.fetch_add(1, Ordering::Relaxed))
    }

    /// Records a control group, so that a later judge can remove it. Must be called before the group is created.
    pub(super) fn record_cgroup(&self, group: &Path) -> Result<()> {
        use std::io::Write;
        let mut list = fs_err::OpenOptions::new().create(true).append(true).open(self.path.join(GROUPS))?;
        // One call writes the whole line, because several threads create groups at the same time.
        list.write_all(format!("{}\n", group.display()).as_bytes())
    }
}

impl Drop for TempDirs {
    fn drop(&mut self) {
        remove(&self.path);
    }
}

/// A temporary folder for files that are not those of a sandbox. It is removed with its contents when dropped. If this
/// process is killed, the next judge removes it.
#[derive(Debug)]
pub struct TempFolder(TempDirs);

impl TempFolder {
    /// Creates a folder in the system's temporary directory.
    ///
    /// # Errors
    /// Fails if the folder can't be created.
    pub fn new() -> std::result::Result<TempFolder, Fault> {
        TempDirs::new().map(TempFolder)
    }

    /// Returns the path of the folder.
    pub fn path(&self) -> &Path {
        &self.0.path
    }
}

/// Removes from `parent` the temporary directories of this user's judges that no longer run.
fn remove_stale(parent: &Path) -> Result<()> {
    let me = rustix::process::geteuid().as_raw();
    for entry in fs_err::read_dir(parent)?.flatten() {
        let name = entry.file_name();
        let Some(owner) = name.to_str().and_then(owner) else { continue };
        let ours = entry.metadata().is_ok_and(|data| data.is_dir() && data.uid() == me);
        if ours && owner.is_gone() {
            remove(&entry.path());
        }
    }
    Ok(())
}

/// Parses the identity of the judge's process from the name of a temporary directory. Returns `None` if the name has
/// another form.
fn owner(name: &str) -> Option<ProcessId> {
    let (owner, number) = name.rsplit_once('-')?;
    number.parse::<u64>().ok()?;
    let process = ProcessId::parse(owner, PREFIX)?;
    (owner.len() == PREFIX.len() + process.to_string().len()).then_some(process)
}

/// Removes a temporary directory and the control groups that it lists. If a group cannot be removed, the directory is
/// not removed either, and the next judge tries again.
fn remove(temp_dir: &Path) {
    let groups = match fs_err::read_to_string(temp_dir.join(GROUPS)) {
        Ok(groups) => groups,
        Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
        // The directory is kept, since the control groups could not be removed without its list.
        Err(_) => return,
    };
    let mut left = false;
    for group in groups.lines().rev() {
        left |= !super::cgroup::remove_path(Path::new(group));
    }
    if left {
        return;
    }
    /// The maximum number of attempts, which are 10 ms apart. A cell of a killed judge may still be exiting, and its
    /// programs may write files until it has exited.
    const TRIES: u32 = 100;
    for _ in 0..TRIES {
        if let Ok(dir) = rustix::fs::open(temp_dir, super::cell::OPEN_DIR, rustix::fs::Mode::empty()) {
            _ = super::cell::empty(&dir, super::cell::PRIVATE);
        }
        match std::fs::remove_dir(temp_dir) {
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
    fn groups_are_recorded_by_several_threads() {
        let parent = tempfile::tempdir().unwrap();
        let temp_dir = TempDirs::inside(parent.path()).unwrap();
        let groups_of = |thread: usize| (0..250).map(move |number| PathBuf::from(format!("/none/{thread}/{number}")));
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let temp_dir = &temp_dir;
                scope.spawn(move || groups_of(thread).for_each(|group| temp_dir.record_cgroup(&group).unwrap()));
            }
        });
        let list = fs_err::read_to_string(temp_dir.path.join(GROUPS)).unwrap();
        let mut recorded: Vec<PathBuf> = list.lines().map(PathBuf::from).collect();
        recorded.sort_unstable();
        let mut expected: Vec<PathBuf> = (0..4).flat_map(groups_of).collect();
        expected.sort_unstable();
        assert_eq!(recorded, expected);
    }

    #[test]
    fn directories_of_killed_judges_are_removed_at_the_next_start() {
        let parent = tempfile::tempdir().unwrap();
        let me = ProcessId::current().to_string();
        let killed = me.replacen(&format!("-{}-", std::process::id()), "-999999999-", 1);
        let dead = parent.path().join(format!("nimatron-{killed}-0"));
        fs_err::create_dir_all(dead.join("0/deep")).unwrap();
        let other = parent.path().join("nimatron-notes");
        fs_err::create_dir(&other).unwrap();
        let temp_dir = TempDirs::inside(parent.path()).unwrap();
        let folder = temp_dir.create_dir().unwrap();
        assert!(folder.is_dir());
        assert!(!dead.exists(), "the killed judge's directory is still there");
        assert!(other.exists(), "an unrelated directory was removed");
        let second = TempDirs::inside(parent.path()).unwrap();
        assert!(folder.is_dir(), "a running judge's directory was removed");
        drop((temp_dir, second));
        assert_eq!(fs_err::read_dir(parent.path()).unwrap().count(), 1);
    }

    #[test]
    fn only_names_of_temporary_directories_are_parsed() {
        let me = ProcessId::current();
        assert_eq!(owner(&format!("nimatron-{me}-0")), Some(me));
        let others = ["nimatron-a-12-345", "nimatron-a-12-345-0-1", "nimatron-x-y-1-2", "nim-a-1-2-3", "nimatron-"];
        for name in others {
            assert_eq!(owner(name), None, "{name}");
        }
    }
}
