//! What an entry of a zip is, and its content as far as it may go.

use std::io::{self, Read, Write};

use zip::read::ZipFile;

/// What an entry becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A file.
    File {
        /// Whether it may be run.
        executable: bool,
    },
    /// A folder.
    Folder,
    /// A symbolic link; its content is the target.
    Link,
}

/// What an entry is.
///
/// # Errors
/// Why it can be nothing, as the end of a sentence that begins with its name.
pub fn kind<R: Read + ?Sized>(entry: &ZipFile<'_, R>) -> Result<Kind, &'static str> {
    const TYPE: u32 = 0o170_000;
    if entry.encrypted() {
        return Err("is encrypted");
    }
    let mode = entry.unix_mode().unwrap_or(0);
    match mode & TYPE {
        0o120_000 => Ok(Kind::Link),
        _ if entry.is_dir() => Ok(Kind::Folder),
        0 | 0o100_000 => Ok(Kind::File { executable: mode & 0o111 != 0 }),
        _ => Err("is a device, a pipe or a socket"),
    }
}

/// Copies the content of an entry and returns its length in bytes; none if it has more than `most`, of which one byte too
/// many is then copied. What the zip says of the size may be a lie, and does not count.
///
/// # Errors
/// The content is damaged, or `to` can't be written.
pub fn copy<R: Read + ?Sized>(entry: &mut ZipFile<'_, R>, most: u64, to: &mut impl Write) -> io::Result<Option<u64>> {
    let copied = io::copy(&mut entry.take(most.saturating_add(1)), to)?;
    Ok((copied <= most).then_some(copied))
}
