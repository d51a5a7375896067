//! Limits on folders of files that can be fetched or created again.

use std::fs::{FileTimes, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use walkdir::WalkDir;

/// A file or a folder that may be removed as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct StoredEntry {
    pub path: PathBuf,
    /// The size in bytes; for a folder, the total size of all files in it and its subfolders.
    pub bytes: u64,
    /// The time of the last use.
    pub used: SystemTime,
}

/// The limit on the entries of a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct StorageLimit {
    /// Maximum total size of the entries, in bytes. It may be exceeded by entries that were used within `kept`.
    pub bytes: u64,
    /// The time for which an entry is retained after its last use.
    pub kept: Duration,
}

impl StorageLimit {
    /// Returns the entries to remove: none if the total size does not exceed the limit, otherwise the least recently
    /// used entries, until the remaining entries occupy at most three quarters of the limit or were all used within
    /// `kept`.
    pub(super) fn surplus(&self, mut entries: Vec<StoredEntry>, now: SystemTime) -> Vec<PathBuf> {
        let mut bytes: u64 = entries.iter().map(|entry| entry.bytes).sum();
        if bytes <= self.bytes {
            return Vec::new();
        }
        entries.sort_by_key(|entry| entry.used);
        let mut removed = Vec::new();
        for entry in entries {
            // A time in the future results from a clock that was set back.
            let age = now.duration_since(entry.used).unwrap_or_default();
            if bytes <= self.bytes / 4 * 3 || age < self.kept {
                break;
            }
            bytes -= entry.bytes;
            removed.push(entry.path);
        }
        removed
    }

    /// Removes the least recently used entries at the depth `depth` in a folder if the total size of these entries
    /// exceeds the limit.
    pub(super) fn shrink(&self, folder: &Path, depth: usize) {
        self.surplus(entries_of(folder, depth), SystemTime::now()).iter().for_each(|path| remove(path));
    }
}

/// Returns the entries at the depth `depth` in a folder. Unreadable entries are left out. The last use of a folder is
/// determined from the timestamps of the folder itself.
pub(super) fn entries_of(folder: &Path, depth: usize) -> Vec<StoredEntry> {
    let found = WalkDir::new(folder).min_depth(depth).max_depth(depth).into_iter().flatten();
    let entry = |entry: walkdir::DirEntry| {
        let about = entry.metadata().ok()?;
        // When a file is read, most systems update its access time only if that time is more than a day old.
        let used = [about.modified().ok(), about.accessed().ok()].into_iter().flatten().max()?;
        let files = WalkDir::new(entry.path()).into_iter().flatten().filter_map(|file| file.metadata().ok());
        let bytes = files.filter(|about| about.is_file()).map(|about| about.len()).sum();
        Some(StoredEntry { path: entry.into_path(), bytes, used })
    };
    found.filter_map(entry).collect()
}

/// Records the current time as the time of a file's last use. If this fails, the file may be removed too early and must
/// then be created again.
pub(super) fn note_use(path: &Path) {
    if let Ok(file) = fs_err::OpenOptions::new().write(true).open(path) {
        let now = SystemTime::now();
        _ = file.file().set_times(FileTimes::new().set_modified(now).set_accessed(now));
    }
}

/// Removes a file or a folder. If the removal fails, the next pass tries again.
pub(super) fn remove(path: &Path) {
    if !path.is_dir() {
        _ = fs_err::remove_file(path);
        return;
    }
    // Built programs are in folders that are not writable.
    for folder in WalkDir::new(path).into_iter().flatten().filter(|entry| entry.file_type().is_dir()) {
        _ = fs_err::set_permissions(folder.path(), Permissions::from_mode(0o700));
    }
    _ = fs_err::remove_dir_all(path);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_recently_used_entries_are_removed_first() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000);
        let entry = |name: &str, bytes: u64, age: u64| StoredEntry {
            path: name.into(),
            bytes,
            used: now - Duration::from_secs(age),
        };
        let limit = StorageLimit { bytes: 100, kept: Duration::from_secs(60) };
        let surplus = |entries: &[StoredEntry]| limit.surplus(entries.to_vec(), now);
        let (old, middle, new) = (entry("old", 40, 900), entry("middle", 30, 600), entry("new", 50, 10));
        assert_eq!(surplus(&[new.clone(), middle.clone()]), Vec::<PathBuf>::new(), "within the limit");
        let all = [new.clone(), old.clone(), middle.clone()];
        assert_eq!(surplus(&all), [PathBuf::from("old"), "middle".into()], "until three quarters are left");
        let large = entry("large", 500, 59);
        assert_eq!(surplus(&[large, old]), [PathBuf::from("old")], "what is in use remains");
    }

    #[test]
    fn a_use_is_noted_and_folders_count_with_their_files() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("aa/entry/file");
        fs_err::create_dir_all(file.parent().unwrap()).unwrap();
        fs_err::write(&file, "12345").unwrap();
        let old = SystemTime::UNIX_EPOCH + Duration::from_secs(5);
        let opened = fs_err::OpenOptions::new().write(true).open(&file).unwrap();
        opened.file().set_times(FileTimes::new().set_modified(old).set_accessed(old)).unwrap();
        assert_eq!(entries_of(folder.path(), 3)[0].used, old);
        note_use(&file);
        assert!(entries_of(folder.path(), 3)[0].used > old);
        let entries = entries_of(folder.path(), 2);
        assert_eq!((entries.len(), entries[0].bytes), (1, 5));
        remove(&entries[0].path);
        assert_eq!(entries_of(folder.path(), 2), []);
    }
}
