//! The cache of builds, with one folder per key. A folder is prepared at another path and then renamed, so no locks are
//! needed: if two processes build the same program concurrently, the second process uses the entry of the first.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::TempDir;

use crate::model::Digest;
use crate::sandbox::ProcessId;

use super::artifact::Artifact;

/// Maximum number of attempts to store an entry while other processes do the same.
const TRIES: usize = 8;

/// Prefix of the names of work folders.
const WORK: &str = ".work-";
/// Age above which a work folder is considered abandoned.
const ABANDONED_AGE: Duration = Duration::from_secs(24 * 60 * 60);

/// A temporary work folder, removed on drop.
pub(super) struct WorkDir(TempDir);

impl WorkDir {
    /// Returns the path of the work folder.
    pub(super) fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for WorkDir {
    fn drop(&mut self) {
        open_up(self.0.path());
    }
}

/// Makes this folder and all folders below it writable, so that they can be removed even if a compiler made them
/// read-only.
fn open_up(folder: &Path) {
    // If the mode of a folder cannot be changed, the folder may remain until the next call of `remove_work_folders`.
    let _ = std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o700));
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            open_up(&entry.path());
        }
    }
}

/// Returns the free space on the disk that contains a folder, in bytes.
pub(super) fn free_space(folder: &Path) -> Option<u64> {
    let about = rustix::fs::statvfs(folder).ok()?;
    Some(about.f_bavail.saturating_mul(about.f_frsize))
}

/// The cache of builds in a folder.
pub(super) struct BuildCache {
    folder: PathBuf,
}

impl BuildCache {
    /// Opens the build cache in the cache folder `folder`, creates it if it does not exist, and removes abandoned work
    /// folders.
    pub(super) fn open(folder: &Path) -> std::io::Result<BuildCache> {
        let folder = folder.join("builds");
        fs_err::create_dir_all(&folder)?;
        // The path must be absolute, because programs are mounted by their absolute paths.
        let cache = BuildCache { folder: fs_err::canonicalize(folder)? };
        cache.remove_work_folders();
        Ok(cache)
    }

    /// Returns the entry with this key if the entry is complete and unchanged.
    pub(super) fn load(&self, key: Digest) -> Option<(PathBuf, Artifact)> {
        let entry = self.place(key);
        let artifact = Artifact::read(&entry, key)?;
        Some((entry, artifact))
    }

    /// Returns the free space on the disk of the cache, in bytes, or 0 if it is unknown.
    pub(super) fn free_space(&self) -> u64 {
        free_space(&self.folder).unwrap_or(0)
    }

    /// Returns the path of a file beside the entry with this key, for a record about the entry.
    pub(super) fn record(&self, key: Digest) -> PathBuf {
        self.place(key).with_extension("record")
    }

    /// Moves an entry that is out of date to the folder `aside`.
    pub(super) fn discard(&self, key: Digest, aside: &Path) -> std::io::Result<()> {
        fs_err::rename(self.place(key), aside.join("discarded"))
    }

    /// Creates a work folder in the cache folder, so that it is on the same file system as the entries.
    pub(super) fn work_dir(&self) -> std::io::Result<WorkDir> {
        tempfile::Builder::new()
            .prefix(&format!("{WORK}{}-", ProcessId::current()))
            .tempdir_in(&self.folder)
            .map(WorkDir)
    }

    /// Removes work folders of processes that are known to have ended, and all work folders older than
    /// [`ABANDONED_AGE`].
    fn remove_work_folders(&self) {
        for entry in std::fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let age = entry.metadata().and_then(|about| about.modified()).ok().and_then(|time| time.elapsed().ok());
            let name = entry.file_name().to_string_lossy().into_owned();
            let gone = ProcessId::parse(&name, WORK).is_some_and(|owner| owner.is_gone());
            if gone || (name.starts_with(WORK) && age.is_some_and(|age| age > ABANDONED_AGE)) {
                open_up(&entry.path());
                let _ = std::fs::remove_dir_all(entry.path());
            }
        }
    }

    /// Moves a finished entry to its path in the cache. An existing entry is kept if it is complete and unchanged.
    /// Otherwise it is moved to the folder `aside`.
    pub(super) fn store(&self, key: Digest, fresh: &Path, aside: &Path) -> std::io::Result<(PathBuf, Artifact)> {
        let place = self.place(key);
        place.parent().map(fs_err::create_dir_all).transpose()?;
        let mut last = None;
        for attempt in 0..TRIES {
            let error = fs_err::rename(fresh, &place).err();
            if let Some(found) = self.load(key) {
                return Ok(found);
            }
            // The existing entry is damaged. If another process moves it first, this rename fails, which is harmless.
            let _ = fs_err::rename(&place, aside.join(format!("damaged-{attempt}")));
            last = error;
        }
        Err(last.unwrap_or_else(|| {
            std::io::Error::other(format!(
                "the cache entry `{}` is damaged and cannot be replaced; remove it",
                place.display()
            ))
        }))
    }

    fn place(&self, key: Digest) -> PathBuf {
        let name = key.to_string();
        self.folder.join(&name[..2]).join(name)
    }
}

#[cfg(test)]
mod tests {
    use super::super::artifact::OutputFile;
    use super::*;

    fn fresh(work: &Path, key: Digest, content: &str) -> PathBuf {
        let entry = work.join("entry");
        fs_err::create_dir(&entry).unwrap();
        let file = OutputFile { name: "program".into(), content: content.into(), executable: true };
        Artifact::write(&entry, key, None, &[file]).unwrap();
        entry
    }

    fn content(entry: &Path) -> String {
        fs_err::read_to_string(entry.join("files/program")).unwrap()
    }

    #[test]
    fn first_build_stays_and_damaged_entries_are_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let cache = BuildCache::open(folder.path()).unwrap();
        let key = Digest::of(b"key");
        let store = |text: &str| {
            let work = cache.work_dir().unwrap();
            cache.store(key, &fresh(work.path(), key, text), work.path()).unwrap().0
        };
        assert!(cache.load(key).is_none());
        let place = store("one");
        assert_eq!(content(&store("two")), "one");
        fs_err::remove_file(place.join("files/program")).unwrap();
        assert!(cache.load(key).is_none());
        assert_eq!(content(&store("three")), "three");
        let left = std::fs::read_dir(folder.path().join("builds")).unwrap();
        assert_eq!(left.count(), 1, "no work folder is left");
    }

    #[test]
    fn work_folders_of_killed_processes_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let old = folder.path().join("builds/.work-old");
        let young = folder.path().join("builds/.work-young");
        for work in [&old, &young] {
            fs_err::create_dir_all(work.join("locked")).unwrap();
        }
        let yesterday = std::time::SystemTime::now() - ABANDONED_AGE - Duration::from_secs(60);
        std::fs::File::open(&old).unwrap().set_modified(yesterday).unwrap();
        fs_err::set_permissions(old.join("locked"), std::fs::Permissions::from_mode(0o0)).unwrap();
        let dead = ProcessId::current().to_string().replacen(&format!("-{}-", std::process::id()), "-999999999-", 1);
        let killed = folder.path().join(format!("builds/{WORK}{dead}-x"));
        fs_err::create_dir(&killed).unwrap();
        drop(BuildCache::open(folder.path()).unwrap().work_dir().unwrap());
        assert!(!old.exists() && young.exists() && !killed.exists());
    }

    #[test]
    fn concurrent_builds_agree() {
        let folder = tempfile::tempdir().unwrap();
        let key = Digest::of(b"key");
        let build = |text: String| {
            let cache = BuildCache::open(folder.path()).unwrap();
            let work = cache.work_dir().unwrap();
            let (entry, _) = cache.store(key, &fresh(work.path(), key, &text), work.path()).unwrap();
            content(&entry)
        };
        let seen = std::thread::scope(|scope| {
            let threads = (0..16).map(|n| scope.spawn(move || build(n.to_string()))).collect::<Vec<_>>();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
        });
        assert!(seen.iter().all(|text| *text == seen[0]), "{seen:?}");
    }
}
