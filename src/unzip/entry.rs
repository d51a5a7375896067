//! The types of entries of a zip archive, and bounded extraction of their content.

use std::io::{self, Read, Write};

use zip::read::ZipFile;

/// The type of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryKind {
    /// A regular file.
    File {
        /// Whether the file has an executable bit.
        executable: bool,
    },
    /// A folder.
    Folder,
    /// A symbolic link; the content of the entry is its target.
    Link,
}

/// Returns the type of an entry.
///
/// # Errors
/// Returns the reason why the entry is refused, as the predicate of a sentence whose subject is the entry's name.
pub fn kind<R: Read + ?Sized>(entry: &ZipFile<'_, R>) -> Result<EntryKind, &'static str> {
    const TYPE: u32 = 0o170_000;
    if entry.encrypted() {
        return Err("is encrypted");
    }
    let mode = entry.unix_mode().unwrap_or(0);
    match mode & TYPE {
        0o120_000 => Ok(EntryKind::Link),
        0o040_000 => Ok(EntryKind::Folder),
        _ if entry.is_dir() => Ok(EntryKind::Folder),
        0 | 0o100_000 => Ok(EntryKind::File { executable: mode & 0o111 != 0 }),
        _ => Err("is neither a regular file nor a folder nor a symbolic link"),
    }
}

/// Copies the content of an entry to `to` and returns its length in bytes. If the content is longer than `most` bytes,
/// copies `most` + 1 bytes and returns `None`. The size that the archive declares is ignored, because it may be wrong.
///
/// # Errors
/// Fails if the content is damaged or `to` cannot be written.
pub fn copy<R: Read + ?Sized>(entry: &mut ZipFile<'_, R>, most: u64, to: &mut impl Write) -> io::Result<Option<u64>> {
    let copied = io::copy(&mut entry.take(most.saturating_add(1)), to)?;
    Ok((copied <= most).then_some(copied))
}
