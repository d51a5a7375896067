//! A content-addressed store, whose blobs are written once and never changed. Several processes may use it at the same
//! time, even if one of them is killed.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, FileType, Mode, OFlags, open, statat};
use serde::{Deserialize, Serialize};

use crate::model::{Digest, Failure, Fault, FaultKind, folder_of};
use crate::sandbox::ProcessId;

/// The prefix of the names of unfinished files.
const UNFINISHED: &str = ".new-";

/// A blob of the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Blob {
    /// The hash of the content.
    pub digest: Digest,
    /// The size of the content in bytes.
    pub size: u64,
}

/// Returns the path of a blob relative to the store's folder.
fn name(digest: &Digest) -> String {
    let mut name = digest.to_string();
    name.insert(2, '/');
    name
}

/// A folder of files named by the hash of their content.
#[derive(Debug, Clone)]
pub struct Store {
    root: PathBuf,
}

impl Store {
    /// Creates a store in the folder `root`, which is created when the first blob is stored.
    pub fn new(root: impl Into<PathBuf>) -> Store {
        Store { root: root.into() }
    }

    /// Returns the path of a blob, whether or not the store has the blob.
    pub fn path(&self, digest: &Digest) -> PathBuf {
        self.root.join(name(digest))
    }

    /// Returns true if the store has a file of the blob's size. A file that was truncated by a full disk has another
    /// size.
    pub fn has(&self, blob: &Blob) -> bool {
        self.lookup()(blob)
    }

    /// Returns a function that returns the same as [`Store::has`]. It keeps the folder open, which saves half the time.
    pub fn lookup(&self) -> impl Fn(&Blob) -> bool {
        let root = open(&self.root, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty()).ok();
        move |blob| {
            let stat = |root| statat(root, name(&blob.digest), AtFlags::empty()).ok();
            root.as_ref().and_then(stat).is_some_and(|file| {
                let is_file = FileType::from_raw_mode(file.st_mode) == FileType::RegularFile;
                is_file && u64::try_from(file.st_size) == Ok(blob.size)
            })
        }
    }

    /// Removes the unfinished files of processes that are no longer running.
    pub fn remove_unfinished(&self) {
        remove_unfinished(&self.unfinished());
    }

    /// Returns the folder of unfinished files.
    fn unfinished(&self) -> PathBuf {
        self.root.join("new")
    }

    /// Writes a blob into the store, unless the store already contains the blob.
    ///
    /// # Errors
    /// Returns [`Failure::Fault`] if the file can't be written, for example because the disk is full.
    pub fn put(&self, content: &[u8]) -> Result<Blob, Failure> {
        let blob = Blob { digest: Digest::of(content), size: content.len() as u64 };
        if !self.has(&blob) {
            let path = self.path(&blob.digest);
            write_by_way_of(&self.unfinished(), &path, |file| file.write_all(content))
                .map_err(|error| unwritable(&path, &error))?;
        }
        Ok(blob)
    }

    /// Reads a blob.
    ///
    /// # Errors
    /// Returns [`Failure::Fault`] if the blob is missing, can't be read, or does not match its hash.
    pub fn get(&self, digest: &Digest) -> Result<Vec<u8>, Failure> {
        let path = self.path(digest);
        let content = fs_err::read(&path).map_err(|error| Fault::io(FaultKind::Data, &error))?;
        if Digest::of(&content) != *digest {
            let message = format!(
                "the file `{}` of the cache does not match its hash; delete the file, so that its content is generated again",
                path.display()
            );
            return Err(Failure::fault(FaultKind::Data, message));
        }
        Ok(content)
    }
}

fn unwritable(path: &Path, error: &io::Error) -> Failure {
    let place = path.display();
    Failure::fault(
        FaultKind::Data,
        format!(
            "cannot write `{place}`: {error}; if the cache folder is not writable or is full, set `NIMATRON_CACHE` to another folder"
        ),
    )
}

/// Writes a file atomically: other processes see either the previous state or the complete new file.
///
/// # Errors
/// Fails if the file can't be written.
pub fn write_whole(path: &Path, content: &[u8]) -> io::Result<()> {
    write_in_pieces(path, |file| file.write_all(content))
}

/// Writes a file atomically like [`write_whole`], but with the content that `emit` writes piece by piece, so that the
/// content need not fit in memory.
///
/// # Errors
/// Fails if the file can't be written, or if `emit` fails.
pub fn write_in_pieces(path: &Path, emit: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    write_by_way_of(folder_of(path), path, |file| {
        let mut buffered = io::BufWriter::new(file);
        emit(&mut buffered)?;
        buffered.flush()
    })
}

/// Writes a file atomically: `emit` writes, unbuffered, to a temporary file in the folder `way`, and the temporary file
/// is then renamed to `path`. `way` and `path` must be on the same file system.
fn write_by_way_of(
    way: &Path,
    path: &Path,
    emit: impl FnOnce(&mut tempfile::NamedTempFile) -> io::Result<()>,
) -> io::Result<()> {
    fs_err::create_dir_all(way)?;
    fs_err::create_dir_all(folder_of(path))?;
    let name = format!("{UNFINISHED}{}-", ProcessId::current());
    let mut file = tempfile::Builder::new().prefix(&name).tempfile_in(way)?;
    emit(&mut file)?;
    file.flush()?;
    set_readable(file.path())?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// Removes the unfinished files in `dir` that belong to processes that are no longer running.
pub fn remove_unfinished(dir: &Path) {
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        if entry
            .file_name()
            .to_str()
            .and_then(|name| ProcessId::parse(name, UNFINISHED))
            .is_some_and(|owner| owner.is_gone())
        {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// Makes a file readable by all users, so that programs in cells can read it. A new temporary file is readable only by
/// its owner.
pub(super) fn set_readable(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o644))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_is_found_again_and_a_cut_file_is_written_anew() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::new(dir.path().join("blobs"));
        let blob = store.put(b"2\n2 3\n").unwrap();
        assert!(store.has(&blob) && store.lookup()(&blob));
        assert_eq!(store.put(b"2\n2 3\n").unwrap(), blob);
        fs_err::write(store.path(&blob.digest), b"2").unwrap();
        assert!(!store.has(&blob) && !store.lookup()(&blob));
        store.put(b"2\n2 3\n").unwrap();
        assert_eq!(store.get(&blob.digest).unwrap(), b"2\n2 3\n");
    }

    #[test]
    fn what_the_killed_left_unfinished_goes() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::new(dir.path());
        let blob = store.put(b"1\n").unwrap();
        let mine = dir.path().join("new").join(format!("{UNFINISHED}{}-a", ProcessId::current()));
        let text = ProcessId::current().to_string();
        let dead = text.replacen(&format!("-{}-", std::process::id()), "-999999999-", 1);
        let left = dir.path().join("new").join(format!("{UNFINISHED}{dead}-b"));
        for path in [&mine, &left] {
            fs_err::write(path, b"1").unwrap();
        }
        store.remove_unfinished();
        assert!(mine.exists() && !left.exists() && store.has(&blob));
    }

    #[test]
    fn a_store_that_cannot_be_written_says_where() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("file");
        fs_err::write(&file, b"").unwrap();
        let error = Store::new(&file).put(b"x").unwrap_err();
        assert!(error.to_string().contains(&file.display().to_string()), "{error}");
    }
}
