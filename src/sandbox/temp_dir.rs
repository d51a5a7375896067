//! The sandbox's temporary files: the list of control groups to remove, and a directory with the private directories of
//! cells, which is created when the first of them is needed.
//!
//! Their names contain the identity of the judge's process. A killed judge cannot clean up, so the next judge removes the
//! files of processes that have certainly ended.

use std::fs::{File, OpenOptions};
use std::io::{Error, ErrorKind, Read, Result, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use rustix::fs::{Mode, OFlags, open};

use super::process_id::ProcessId;
use crate::model::{Fault, FaultKind};

const PREFIX: &str = "nimatron-";
/// What follows the name of the temporary directory in the name of the file that lists the control groups of its judge,
/// one path per line.
const GROUPS: &str = ".groups";

/// The temporary files of this process, which are removed when dropped.
#[derive(Debug)]
pub(super) struct TempDirs {
    /// The path of the temporary directory, which exists if `has_dir` is true.
    path: PathBuf,
    has_dir: Mutex<bool>,
    /// The list of control groups, if the judge uses them. On a disk, creating and removing a file is faster than a directory.
    groups: Option<File>,
    next: AtomicU64,
}

impl TempDirs {
    /// Chooses a name in the system's temporary directory, and removes the files of judges that no longer run.
    pub(super) fn new() -> std::result::Result<TempDirs, Fault> {
        let parent = std::env::temp_dir();
        TempDirs::inside(&parent).map_err(|error| failed(&parent, &error))
    }

    /// Like [`TempDirs::new`], and creates the list of control groups.
    pub(super) fn with_groups() -> std::result::Result<TempDirs, Fault> {
        let mut dirs = TempDirs::new()?;
        dirs.create_list().map_err(|error| failed(&std::env::temp_dir(), &error))?;
        Ok(dirs)
    }

    fn create_list(&mut self) -> Result<()> {
        // The call fails if the file already exists, since another user may have created it.
        let list = OpenOptions::new().append(true).create_new(true).mode(0o600).open(list_of(&self.path))?;
        self.groups = Some(list);
        Ok(())
    }

    fn inside(parent: &Path) -> Result<TempDirs> {
        static CREATED: AtomicU64 = AtomicU64::new(0);
        remove_stale(parent)?;
        let number = CREATED.fetch_add(1, Ordering::Relaxed);
        let path = parent.join(format!("{PREFIX}{}-{number}", ProcessId::current()));
        Ok(TempDirs { path, has_dir: Mutex::new(false), groups: None, next: AtomicU64::new(0) })
    }

    /// Returns the path of the temporary directory, and creates it if it does not exist.
    fn dir(&self) -> Result<&Path> {
        let mut has_dir = self.has_dir.lock().unwrap_or_else(PoisonError::into_inner);
        if !*has_dir {
            make_dir(&self.path)?;
            *has_dir = true;
        }
        Ok(&self.path)
    }

    /// Creates an empty directory in the temporary directory.
    pub(super) fn create_dir(&self) -> Result<PathBuf> {
        let path = self.dir()?.join(self.next.fetch_add(1, Ordering::Relaxed).to_string());
        make_dir(&path)?;
        Ok(path)
    }

    /// Returns a new name that is unique on this host, also across processes.
    pub(super) fn unique_name(&self) -> String {
        let name = self.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        format!("{name}-{}", self.next.fetch_add(1, Ordering::Relaxed))
    }

    /// Records a control group with a [unique name](TempDirs::unique_name), so that a later judge can remove it. Must be called
    /// before the group is created, and requires [`TempDirs::with_groups`].
    pub(super) fn record_cgroup(&self, group: &Path) -> Result<()> {
        let mut list = self.groups.as_ref().ok_or_else(|| Error::other("there is no list of control groups"))?;
        // One call writes the whole line, because several threads create groups at the same time.
        list.write_all(format!("{}\n", group.display()).as_bytes())
    }
}

impl Drop for TempDirs {
    fn drop(&mut self) {
        if self.groups.is_some() {
            remove_groups(&list_of(&self.path));
        }
        if *self.has_dir.get_mut().unwrap_or_else(PoisonError::into_inner) {
            remove_dir(&self.path);
        }
    }
}

/// Creates the fault for an error in the creation of temporary files in `parent`.
fn failed(parent: &Path, error: &Error) -> Fault {
    Fault::io(FaultKind::Sandbox, error).context(format!("cannot create temporary files in `{}`", parent.display()))
}

/// Returns the path of the list of control groups that belongs to a temporary directory.
fn list_of(temp_dir: &Path) -> PathBuf {
    let mut path = temp_dir.as_os_str().to_owned();
    path.push(GROUPS);
    path.into()
}

/// Creates a directory that only this user can read. Fails if it already exists, since another user may have created it.
fn make_dir(path: &Path) -> Result<()> {
    let made = std::fs::DirBuilder::new().mode(0o700).create(path);
    made.map_err(|error| Error::new(error.kind(), format!("`{}`: {error}", path.display())))
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
        let dirs = TempDirs::new()?;
        dirs.dir().map_err(|error| failed(&std::env::temp_dir(), &error))?;
        Ok(TempFolder(dirs))
    }

    /// Returns the path of the folder.
    pub fn path(&self) -> &Path {
        &self.0.path
    }
}

/// Removes from `parent` the temporary files of this user's judges that no longer run.
fn remove_stale(parent: &Path) -> Result<()> {
    let me = rustix::process::geteuid().as_raw();
    for entry in fs_err::read_dir(parent)?.flatten() {
        let name = entry.file_name();
        let Some(owner) = name.to_str().and_then(owner) else { continue };
        let Ok(data) = entry.metadata() else { continue };
        if data.uid() != me || !owner.is_gone() {
            continue;
        }
        match (data.is_dir(), name.to_string_lossy().ends_with(GROUPS)) {
            (true, false) => remove_dir(&entry.path()),
            (false, true) => remove_groups(&entry.path()),
            _ => {}
        }
    }
    Ok(())
}

/// Parses the identity of the judge's process from the name of a temporary directory or list. Returns `None` if the name
/// has another form.
fn owner(name: &str) -> Option<ProcessId> {
    let name = name.strip_suffix(GROUPS).unwrap_or(name);
    let (owner, number) = name.rsplit_once('-')?;
    number.parse::<u64>().ok()?;
    let process = ProcessId::parse(owner, PREFIX)?;
    (owner.len() == PREFIX.len() + process.to_string().len()).then_some(process)
}

/// Removes the control groups of a list, and the list. If a group cannot be removed, the list is not removed either, and
/// the next judge tries again.
fn remove_groups(list: &Path) {
    let Ok(groups) = read_list(list) else { return };
    // Other lines are not from a judge.
    let judge = list.file_name().and_then(|name| name.to_str()?.strip_suffix(GROUPS)).unwrap_or_default();
    let is_ours = |group: &&Path| {
        let number = group.file_name().and_then(|name| name.to_str()?.strip_prefix(judge)?.strip_prefix('-'));
        number.is_some_and(|number| number.parse::<u64>().is_ok())
    };
    let mut left = false;
    for group in groups.lines().rev().map(Path::new).filter(is_ours) {
        left |= !super::cgroup::remove_path(group);
    }
    if !left {
        _ = fs_err::remove_file(list);
    }
}

/// Reads a list of control groups. Fails if it is not a regular file of this user with only one name: anybody can create
/// links and other files in a common temporary directory.
fn read_list(list: &Path) -> Result<String> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let mut file = File::from(open(list, flags, Mode::empty())?);
    let about = file.metadata()?;
    if !about.is_file() || about.nlink() != 1 || about.uid() != rustix::process::geteuid().as_raw() {
        return Err(Error::other("not the list of a judge"));
    }
    let mut text = String::new();
    file.read_to_string(&mut text)?;
    Ok(text)
}

/// Removes a temporary directory with its contents.
fn remove_dir(temp_dir: &Path) {
    /// The maximum number of attempts, which are 10 ms apart. A cell of a killed judge may still be exiting, and its
    /// programs may write files until it has exited.
    const TRIES: u32 = 100;
    for _ in 0..TRIES {
        if let Ok(dir) = open(temp_dir, super::cell::OPEN_DIR, Mode::empty()) {
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
        let mut temp_dir = TempDirs::inside(parent.path()).unwrap();
        temp_dir.create_list().unwrap();
        let groups_of = |thread: usize| (0..250).map(move |number| PathBuf::from(format!("/none/{thread}/{number}")));
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let temp_dir = &temp_dir;
                scope.spawn(move || groups_of(thread).for_each(|group| temp_dir.record_cgroup(&group).unwrap()));
            }
        });
        let list = fs_err::read_to_string(list_of(&temp_dir.path)).unwrap();
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
        let name = dead.file_name().unwrap().to_str().unwrap();
        let [group, unrelated] =
            [format!("{name}-0"), "group".to_owned()].map(|name| parent.path().join("inner").join(name));
        fs_err::create_dir_all(&group).unwrap();
        fs_err::create_dir(&unrelated).unwrap();
        fs_err::write(list_of(&dead), format!("{}\n{}\n", group.display(), unrelated.display())).unwrap();
        let other = parent.path().join("nimatron-notes");
        fs_err::create_dir(&other).unwrap();
        let temp_dir = TempDirs::inside(parent.path()).unwrap();
        let folder = temp_dir.create_dir().unwrap();
        assert!(folder.is_dir());
        assert!(!dead.exists(), "the killed judge's directory is still there");
        assert!(!group.exists() && !list_of(&dead).exists(), "the killed judge's control group is still there");
        assert!(other.exists() && unrelated.exists(), "an unrelated directory was removed");
        let second = TempDirs::inside(parent.path()).unwrap();
        assert!(folder.is_dir(), "a running judge's directory was removed");
        drop((temp_dir, second));
        assert_eq!(fs_err::read_dir(parent.path()).unwrap().count(), 2);
    }

    #[test]
    fn only_regular_files_of_a_judge_are_read_as_lists() {
        let parent = tempfile::tempdir().unwrap();
        let killed = ProcessId::current().to_string().replacen(&format!("-{}-", std::process::id()), "-999999999-", 1);
        let list = |number: u32| list_of(&parent.path().join(format!("nimatron-{killed}-{number}")));
        let group = |number: u32| parent.path().join(format!("inner/nimatron-{killed}-{number}-0"));
        let text = |number: u32| format!("{}\n", group(number).display());
        (0..4).for_each(|number| fs_err::create_dir_all(group(number)).unwrap());
        let (linked, target) = (parent.path().join("linked"), parent.path().join("target"));
        fs_err::write(list(0), text(0)).unwrap();
        fs_err::write(&linked, text(1)).unwrap();
        std::fs::hard_link(&linked, list(1)).unwrap();
        fs_err::write(&target, text(2)).unwrap();
        fs_err::os::unix::fs::symlink(&target, list(2)).unwrap();
        rustix::fs::mknodat(rustix::fs::CWD, list(3), rustix::fs::FileType::Fifo, Mode::RWXU, 0).unwrap();
        drop(TempDirs::inside(parent.path()).unwrap());
        let exist = [0, 1, 2, 3].map(|number| group(number).exists());
        assert_eq!(exist, [false, true, true, true]);
        remove_groups(&list(2));
        remove_groups(&list(3));
        assert!(group(2).exists() && target.exists() && list(3).exists());
    }

    #[test]
    fn only_names_of_temporary_directories_are_parsed() {
        let me = ProcessId::current();
        for name in [format!("nimatron-{me}-0"), format!("nimatron-{me}-0.groups")] {
            assert_eq!(owner(&name).as_ref(), Some(&me), "{name}");
        }
        let others = ["nimatron-a-12-345", "nimatron-a-12-345-0-1", "nimatron-x-y-1-2", "nim-a-1-2-3", "nimatron-"];
        for name in others {
            assert_eq!(owner(name), None, "{name}");
        }
    }
}
