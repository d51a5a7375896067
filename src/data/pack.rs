//! Writes files into a folder or a zip. The output depends only on the order, names and contents of the files.

use std::io::{self, Seek, Write};
use std::path::Path;

use crate::model::{Diagnostic, Digest, Failure, folder_of};

use super::store::{Store, set_readable, write_whole};

/// A file to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The path in the folder or zip, with `/` between components.
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
    /// Returns the errors of [`Store::get`].
    pub fn bytes(&self, store: &Store) -> Result<Vec<u8>, Failure> {
        match &self.content {
            Content::Bytes(bytes) => Ok(bytes.clone()),
            Content::Stored(digest) => store.get(digest),
        }
    }
}

/// Returns true if [`write_entries`] writes `out` as a zip, which is the case if its extension is `zip`.
pub fn is_zip(out: &Path) -> bool {
    out.extension().is_some_and(|end| end == "zip")
}

/// Writes files to `out` in the order of `entries`: into a zip if its name ends in `.zip`, replacing an existing one,
/// otherwise into a folder, which must be new or empty.
///
/// # Errors
/// Fails if the folder is not empty, or if a file can't be read or written.
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
    for entry in entries {
        let path = out.join(&entry.path);
        write_whole(&path, &entry.bytes(store)?).map_err(|error| Failure::unwritable(&path, &error))?;
    }
    Ok(())
}

/// Writes a zip to `out` and returns `out`. Error messages call the zip `name`. All files have the same timestamp,
/// compression and mode.
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
