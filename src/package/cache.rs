//! Caches files that a package lacks, or contains in a form that can't be used. The name of a cached file identifies
//! its content.

use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use crate::model::{Digest, Failure};

/// A cache of adapted files of packages. The value is the folder of the whole cache, whose subfolder `packages`
/// contains the files.
#[derive(Debug, Clone, Copy)]
pub(super) struct PackageCache<'a>(&'a Path);

/// The treatment of a last line that has no line terminator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LastLine {
    /// A `\n` is appended to the line.
    Terminated,
    /// The line is left without a terminator.
    Unchanged,
}

impl<'a> PackageCache<'a> {
    /// Creates a `PackageCache` that stores files below `cache`.
    pub(super) fn new(cache: &'a Path) -> PackageCache<'a> {
        PackageCache(cache)
    }

    /// Returns the path of the file if its line terminators are all `\n`, or otherwise the path of a copy in the cache
    /// with converted line terminators. `last` selects how a last line without a terminator is treated.
    ///
    /// # Errors
    /// Fails if the file can't be read or the cache can't be written.
    pub(super) fn with_unix_line_ends(self, path: &Path, last: LastLine) -> Result<PathBuf, Failure> {
        let unreadable = |error: io::Error| Failure::complaint(format!("{}: {error}", path.display()));
        if has_unix_line_ends(path, last).map_err(unreadable)? {
            return Ok(path.to_owned());
        }
        let digest = fs_err::File::open(path).and_then(Digest::of_reader).map_err(unreadable)?.to_string();
        let ending = match last {
            LastLine::Terminated => "Ended",
            LastLine::Unchanged => "AsItIs",
        };
        self.store(&format!("lines-{}-{ending}", &digest[..32]), |out| rewrite(path, last, out))
    }

    /// Writes an input or an answer to a file that is named after the hash of the content.
    ///
    /// # Errors
    /// Fails if the cache can't be written.
    pub(super) fn sample_file(self, content: &str) -> Result<PathBuf, Failure> {
        let digest = Digest::of(content.as_bytes()).to_string();
        self.store(&format!("sample-{}", &digest[..32]), |out| out.write_all(content.as_bytes()))
    }

    /// Returns the path of an empty file.
    ///
    /// # Errors
    /// Fails if the cache can't be written.
    pub(super) fn empty_file(self) -> Result<PathBuf, Failure> {
        self.store("empty", |_| Ok(()))
    }

    /// Writes the files of a program to a folder whose name is derived from the names and contents of the files, and
    /// returns the path of the folder.
    ///
    /// # Errors
    /// Fails if the cache can't be written.
    pub(super) fn write_program(self, files: &[(String, Vec<u8>)]) -> Result<PathBuf, Failure> {
        let parts = files.iter().flat_map(|(name, content)| [name.as_bytes(), content.as_slice()]);
        let digest = Digest::of_parts(parts).to_string();
        let place = self.0.join("packages").join(format!("program-{}", &digest[..32]));
        for (name, content) in files {
            let file = place.join(name);
            if fs_err::read(&file).ok().as_deref() != Some(content) {
                self.store(&format!("program-{}/{name}", &digest[..32]), |out| out.write_all(content))?;
            }
        }
        Ok(place)
    }

    /// Returns the path of a file in the cache. If the file does not exist, `fill` writes a temporary file, which is
    /// then renamed.
    fn store(self, name: &str, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<PathBuf, Failure> {
        let place = self.0.join("packages").join(name);
        if place.is_file() {
            return Ok(place);
        }
        let write = || -> io::Result<()> {
            let parent = place.parent().unwrap_or(self.0);
            fs_err::create_dir_all(parent)?;
            let mut file = tempfile::Builder::new().prefix(".new-").tempfile_in(parent)?;
            let mut out = io::BufWriter::new(file.as_file_mut());
            fill(&mut out)?;
            out.flush()?;
            drop(out);
            make_readable(file.path())?;
            file.persist(&place).map(drop).map_err(|error| error.error)
        };
        write().map_err(|error| Failure::unwritable(&place, &error))?;
        Ok(place)
    }
}

/// Makes the file readable by others. A temporary file is private to its owner, but judged programs must be able to
/// read it after it is renamed.
fn make_readable(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs_err::set_permissions(path, std::fs::Permissions::from_mode(0o644))
}

/// Returns whether all lines of a file end with `\n`, including the last line if `ending` requires it.
fn has_unix_line_ends(path: &Path, ending: LastLine) -> io::Result<bool> {
    let mut reader = BufReader::with_capacity(1 << 16, fs_err::File::open(path)?);
    let mut last = b'\n';
    loop {
        let bytes = reader.fill_buf()?;
        let Some(&end) = bytes.last() else { return Ok(ending == LastLine::Unchanged || last == b'\n') };
        if memchr::memchr(b'\r', bytes).is_some() {
            return Ok(false);
        }
        last = end;
        let count = bytes.len();
        reader.consume(count);
    }
}

/// Copies a file, replaces `\r\n` and `\r` by `\n`, and terminates the last line if `ending` requires it.
fn rewrite(path: &Path, ending: LastLine, out: &mut dyn Write) -> io::Result<()> {
    let mut reader = BufReader::with_capacity(1 << 16, fs_err::File::open(path)?);
    let mut last = b'\n';
    loop {
        let bytes = reader.fill_buf()?;
        if bytes.is_empty() {
            break;
        }
        let mut fresh = Vec::with_capacity(bytes.len());
        for &byte in bytes {
            match (last, byte) {
                (b'\r', b'\n') => {}
                (_, b'\r') => fresh.push(b'\n'),
                _ => fresh.push(byte),
            }
            last = byte;
        }
        out.write_all(&fresh)?;
        let count = bytes.len();
        reader.consume(count);
    }
    let ended = ending == LastLine::Unchanged || last == b'\n' || last == b'\r';
    if ended { Ok(()) } else { out.write_all(b"\n") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_terminators_become_newlines() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x");
        for (given, ended, as_it_is) in [
            ("a\r\nb", "a\nb\n", "a\nb"),
            ("a\rb\r", "a\nb\n", "a\nb\n"),
            ("a\r\n\r\n", "a\n\n", "a\n\n"),
            ("", "", ""),
            ("a\nb", "a\nb\n", "a\nb"),
        ] {
            fs_err::write(&path, given).unwrap();
            for (last, wanted) in [(LastLine::Terminated, ended), (LastLine::Unchanged, as_it_is)] {
                let cache = PackageCache::new(dir.path()).with_unix_line_ends(&path, last).unwrap();
                assert_eq!(fs_err::read_to_string(&cache).unwrap(), wanted, "{given:?}");
                assert_eq!(cache == path, given == wanted, "{given:?}");
            }
        }
    }

    #[test]
    fn program_folder_is_named_by_content() {
        let dir = tempfile::tempdir().unwrap();
        let cache = PackageCache::new(dir.path());
        let content = [("a.py".to_owned(), b"1".to_vec()), ("b.py".to_owned(), b"2".to_vec())];
        let place = cache.write_program(&content).unwrap();
        assert_eq!(fs_err::read(place.join("b.py")).unwrap(), b"2");
        assert_eq!(cache.write_program(&content).unwrap(), place);
        assert_ne!(cache.write_program(&content[..1]).unwrap(), place);
    }
}
