//! Writes files into a folder or a zip file. The output depends only on the order, names and contents of the files.

use std::io::{self, Seek, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::model::{Diagnostic, Digest, Failure, folder_of};

use super::store::{Store, set_readable, write_whole};

/// A file to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The path in the folder or zip file, with `/` between components.
    pub path: String,
    /// The content of the file.
    pub content: Content,
}

/// The content of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// Bytes in memory.
    Bytes(Vec<u8>),
    /// A blob of the store.
    Stored(Digest),
}

impl Entry {
    /// Creates an entry with the content `content`.
    pub fn new(path: impl Into<String>, content: impl Into<Vec<u8>>) -> Entry {
        Entry { path: path.into(), content: Content::Bytes(content.into()) }
    }

    /// Creates an entry whose content is a blob of the store.
    pub fn stored(path: impl Into<String>, digest: Digest) -> Entry {
        Entry { path: path.into(), content: Content::Stored(digest) }
    }

    /// Returns the content of the file as bytes.
    ///
    /// # Errors
    /// Fails under the same conditions as [`Store::get`].
    pub fn bytes(&self, store: &Store) -> Result<Vec<u8>, Failure> {
        match &self.content {
            Content::Bytes(bytes) => Ok(bytes.clone()),
            Content::Stored(digest) => store.get(digest),
        }
    }
}

/// Returns true if [`write_entries`] writes `out` as a zip file, which is the case if its extension is `zip`.
pub fn is_zip(out: &Path) -> bool {
    out.extension().is_some_and(|end| end == "zip")
}

/// Writes files to `out` in the order of `entries`. If the name of `out` ends in `.zip`, creates or replaces a zip
/// file; otherwise writes into a folder, which must be new or empty.
///
/// # Errors
/// Fails if the folder is not empty, or if a file can't be read or written. After an error, files that were already
/// written are removed, so that the call can be repeated.
pub fn write_entries(entries: &[Entry], store: &Store, out: &Path) -> Result<(), Failure> {
    if !is_zip(out) {
        return write_folder(entries, store, out);
    }
    let unwritable = |error: io::Error| Failure::unwritable(out, &error);
    let dir = folder_of(out);
    fs_err::create_dir_all(dir).map_err(unwritable)?;
    let file = tempfile::Builder::new().prefix(".new-").tempfile_in(dir).map_err(unwritable)?;
    let file = write_zip(entries, store, out, file)?;
    set_readable(file.path()).map_err(unwritable)?;
    file.persist(out).map_err(|error| unwritable(error.error))?;
    Ok(())
}

fn write_folder(entries: &[Entry], store: &Store, out: &Path) -> Result<(), Failure> {
    let occupied = out.exists() && !out.read_dir().is_ok_and(|mut entries| entries.next().is_none());
    if occupied {
        let message = format!("`{}` already exists and is not an empty folder", out.display());
        return Err(Diagnostic::new(message).help("choose a new or empty folder").into());
    }
    let unwritable = |error: io::Error| Failure::unwritable(out, &error);
    if out.exists() {
        // The folder is not replaced, since it may be a mount point or the working directory.
        return write_files(entries, store, out, out).inspect_err(|_| empty(out));
    }
    let parent = folder_of(out);
    fs_err::create_dir_all(parent).map_err(unwritable)?;
    // The temporary folder has the permissions of an ordinary new folder, which the umask restricts.
    let all = std::fs::Permissions::from_mode(0o777);
    let folder = tempfile::Builder::new().prefix(".new-").permissions(all).tempdir_in(parent).map_err(unwritable)?;
    write_files(entries, store, folder.path(), out)?;
    fs_err::rename(folder.path(), out).map_err(unwritable)?;
    let _moved = folder.keep();
    Ok(())
}

/// Writes files into `folder`. Error messages refer to the folder as `name`.
fn write_files(entries: &[Entry], store: &Store, folder: &Path, name: &Path) -> Result<(), Failure> {
    entries.iter().try_for_each(|entry| {
        let write = |error: io::Error| Failure::unwritable(&name.join(&entry.path), &error);
        write_whole(&folder.join(&entry.path), &entry.bytes(store)?).map_err(write)
    })
}

/// Removes the contents of a folder, as far as possible.
fn empty(folder: &Path) {
    for entry in folder.read_dir().into_iter().flatten().flatten() {
        let path = entry.path();
        let _ = if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            std::fs::remove_dir_all(&path)
        } else {
            std::fs::remove_file(&path)
        };
    }
}

/// Writes a zip file to `out` and returns `out`. Error messages refer to the zip file as `name`. All files have the
/// same timestamp, compression and mode.
///
/// # Errors
/// Fails if a file can't be read or written.
pub fn write_zip<W: Write + Seek>(entries: &[Entry], store: &Store, name: &Path, out: W) -> Result<W, Failure> {
    let options = zip::write::SimpleFileOptions::default()
        .compression_method(zip::CompressionMethod::Deflated)
        .last_modified_time(zip::DateTime::default())
        .unix_permissions(0o644);
    let unwritable = |error: io::Error| Failure::unwritable(name, &error);
    let mut zip = zip::ZipWriter::new(out);
    for entry in entries {
        let bytes = entry.bytes(store)?;
        zip.start_file(entry.path.as_str(), options).map_err(|error| unwritable(error.into()))?;
        zip.write_all(&bytes).map_err(unwritable)?;
    }
    zip.finish().map_err(|error| unwritable(error.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_cannot_be_written_completely_has_no_files() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::new(dir.path().join("blobs"));
        let lost = [Entry::new("a/1.in", "1\n"), Entry::stored("a/2.in", Digest::of(b"not stored"))];
        let parts = dir.path().join("parts");
        fs_err::create_dir_all(parts.join("empty")).unwrap();
        for name in ["new", "empty"] {
            assert!(write_entries(&lost, &store, &parts.join(name)).is_err());
        }
        let names = |folder: &Path| fs_err::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        let (left, inside): (Vec<_>, Vec<_>) = (names(&parts), names(&parts.join("empty")));
        assert_eq!((left, inside), (vec!["empty".into()], vec![]));
        for name in ["new", "empty"] {
            write_entries(&lost[..1], &store, &parts.join(name)).unwrap();
            assert_eq!(fs_err::read(parts.join(name).join("a/1.in")).unwrap(), b"1\n");
        }
        let umask = parts.join("empty").metadata().unwrap().permissions();
        assert_eq!(parts.join("new").metadata().unwrap().permissions(), umask, "as for any other new folder");
    }
}
