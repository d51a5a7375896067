//! Files that are named by the hashes of their contents.

use std::path::PathBuf;

use crate::data::write_whole;
use crate::model::{Digest, Failure};

use super::storage_limit::{StorageLimit, note_use};

/// A folder of files that are named by the hashes of their contents. A damaged file is removed when it is read.
#[derive(Debug)]
pub(super) struct BlobStore {
    folder: PathBuf,
}

impl BlobStore {
    pub(super) fn new(folder: PathBuf) -> BlobStore {
        BlobStore { folder }
    }

    /// Returns the path of the file whose content has the hash `digest`.
    pub(super) fn path(&self, digest: Digest) -> PathBuf {
        let name = digest.to_string();
        self.folder.join(&name[..2]).join(&name[2..])
    }

    /// Stores `content` in a file that is named by its hash, unless that file exists and has the same size. Returns the
    /// hash.
    pub(super) fn put(&self, content: &[u8]) -> Result<Digest, Failure> {
        let digest = Digest::of(content);
        let path = self.path(digest);
        let known = fs_err::metadata(&path).is_ok_and(|about| about.len() == content.len() as u64);
        if known {
            note_use(&path);
        } else {
            if let Some(folder) = path.parent() {
                fs_err::create_dir_all(folder).map_err(|error| Failure::unwritable(&path, &error))?;
            }
            write_whole(&path, content).map_err(|error| Failure::unwritable(&path, &error))?;
        }
        Ok(digest)
    }

    /// Removes the least recently used files if the total size of all files exceeds a limit.
    pub(super) fn shrink(&self, limit: &StorageLimit) {
        limit.shrink(&self.folder, 2);
    }

    /// Returns the content of the file with the hash `digest`; `None` if the file is missing or damaged. A damaged file
    /// is removed.
    pub(super) fn get(&self, digest: Digest) -> Option<Vec<u8>> {
        let path = self.path(digest);
        let content = fs_err::read(&path).ok()?;
        if Digest::of(&content) == digest {
            note_use(&path);
            return Some(content);
        }
        // If the file can't be removed, the next read detects the damage again.
        _ = fs_err::remove_file(&path);
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_file_is_removed_and_can_be_added_again() {
        let folder = tempfile::tempdir().unwrap();
        let store = BlobStore::new(folder.path().to_owned());
        let digest = store.put(b"1 2\n").unwrap();
        assert_eq!(store.get(digest).as_deref(), Some(&b"1 2\n"[..]));
        fs_err::write(store.path(digest), "1 3\n").unwrap();
        assert_eq!(store.get(digest), None);
        assert!(!store.path(digest).exists());
        store.put(b"1 2\n").unwrap();
        assert_eq!(store.get(digest).as_deref(), Some(&b"1 2\n"[..]));
        assert_eq!(store.get(Digest::of(b"other")), None);
    }

    #[test]
    fn a_full_store_loses_what_was_used_the_longest_ago() {
        let folder = tempfile::tempdir().unwrap();
        let store = BlobStore::new(folder.path().to_owned());
        let digests: Vec<Digest> = (0..4_u8).map(|byte| store.put(&[byte; 10]).unwrap()).collect();
        // File timestamps may have a coarse resolution.
        std::thread::sleep(std::time::Duration::from_millis(50));
        store.put(&[0; 10]).unwrap();
        store.get(digests[2]).unwrap();
        store.shrink(&StorageLimit { bytes: 40, kept: std::time::Duration::ZERO });
        assert!(digests.iter().all(|digest| store.path(*digest).exists()), "the limit is not exceeded");
        store.shrink(&StorageLimit { bytes: 28, kept: std::time::Duration::ZERO });
        let left: Vec<bool> = digests.iter().map(|digest| store.path(*digest).exists()).collect();
        assert_eq!(left, [true, false, true, false]);
    }
}
