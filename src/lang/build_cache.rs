//! The cache of builds: a folder for each key, made aside and put in its place in one step. No locks: of two
//! processes that build the same thing at once the second finds it there and takes it.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::TempDir;

use crate::model::Digest;
use crate::sandbox::ProcessId;

use super::artifact::Artifact;

/// How often we try to put an entry in its place while others do the same.
const TRIES: usize = 8;

/// How a folder to build in is called.
const WORK: &str = ".work-";
/// After this time nobody builds in such a folder any more: whoever made it was killed.
const FORGOTTEN: Duration = Duration::from_secs(24 * 60 * 60);

/// A folder to build in; it goes when the value goes.
pub(super) struct WorkDir(TempDir);

impl WorkDir {
    /// The folder.
    pub(super) fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for WorkDir {
    fn drop(&mut self) {
        open_up(self.0.path());
    }
}

/// Makes every folder writable, so that what a compiler locked up can be removed.
fn open_up(folder: &Path) {
    // What cannot be opened cannot be removed either; the next sweep tries again.
    let _ = std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o700));
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            open_up(&entry.path());
        }
    }
}

/// The cache of builds.
pub(super) struct BuildCache {
    folder: PathBuf,
}

impl BuildCache {
    /// The cache in this folder, which is made if it is not there.
    pub(super) fn open(folder: &Path) -> std::io::Result<BuildCache> {
        let folder = folder.join("builds");
        fs_err::create_dir_all(&folder)?;
        // Programs are mounted by their absolute paths.
        let cache = BuildCache { folder: fs_err::canonicalize(folder)? };
        cache.sweep();
        Ok(cache)
    }

    /// What was built under this key, if it is whole.
    pub(super) fn load(&self, key: Digest) -> Option<(PathBuf, Artifact)> {
        let entry = self.place(key);
        let artifact = Artifact::read(&entry, key)?;
        Some((entry, artifact))
    }

    /// A folder to build in, on the same disk.
    pub(super) fn work_dir(&self) -> std::io::Result<WorkDir> {
        tempfile::Builder::new()
            .prefix(&format!("{WORK}{}-", ProcessId::current()))
            .tempdir_in(&self.folder)
            .map(WorkDir)
    }

    /// Removes what killed builders left; what nothing is known about, only after a long time.
    fn sweep(&self) {
        for entry in std::fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let age = entry.metadata().and_then(|about| about.modified()).ok().and_then(|time| time.elapsed().ok());
            let name = entry.file_name().to_string_lossy().into_owned();
            let gone = ProcessId::parse(&name, WORK).is_some_and(|owner| owner.is_gone());
            if gone || (name.starts_with(WORK) && age.is_some_and(|age| age > FORGOTTEN)) {
                open_up(&entry.path());
                let _ = std::fs::remove_dir_all(entry.path());
            }
        }
    }

    /// Puts a finished entry in its place. What is there already stays, if it is whole.
    pub(super) fn store(&self, key: Digest, fresh: &Path, aside: &Path) -> std::io::Result<(PathBuf, Artifact)> {
        let place = self.place(key);
        place.parent().map(fs_err::create_dir_all).transpose()?;
        let mut last = None;
        for attempt in 0..TRIES {
            let error = fs_err::rename(fresh, &place).err();
            if let Some(found) = self.load(key) {
                return Ok(found);
            }
            // A damaged entry is in the way. If somebody else moves it first, there is nothing to move.
            let _ = fs_err::rename(&place, aside.join(format!("damaged-{attempt}")));
            last = error;
        }
        Err(last.unwrap_or_else(|| std::io::Error::other(format!("{} is damaged again and again", place.display()))))
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
    fn the_first_of_two_builds_stays_and_a_damaged_one_is_replaced() {
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
        assert_eq!(left.count(), 1, "no workplace stays");
    }

    #[test]
    fn what_a_killed_builder_left_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let old = folder.path().join("builds/.work-old");
        let young = folder.path().join("builds/.work-young");
        for work in [&old, &young] {
            fs_err::create_dir_all(work.join("locked")).unwrap();
        }
        let yesterday = std::time::SystemTime::now() - FORGOTTEN - Duration::from_secs(60);
        std::fs::File::open(&old).unwrap().set_modified(yesterday).unwrap();
        fs_err::set_permissions(old.join("locked"), std::fs::Permissions::from_mode(0o0)).unwrap();
        let dead = ProcessId::current().to_string().replacen(&format!("-{}-", std::process::id()), "-999999999-", 1);
        let killed = folder.path().join(format!("builds/{WORK}{dead}-x"));
        fs_err::create_dir(&killed).unwrap();
        drop(BuildCache::open(folder.path()).unwrap().work_dir().unwrap());
        assert!(!old.exists() && young.exists() && !killed.exists());
    }

    #[test]
    fn many_builders_at_once_agree() {
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
