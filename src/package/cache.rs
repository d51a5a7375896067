//! Files that a package does not have as they are needed, cache in the cache under the names of their contents.

use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use crate::model::{Digest, Failure};

/// The folder of packages in the cache.
#[derive(Debug, Clone, Copy)]
pub(super) struct PackageCache<'a>(&'a Path);

/// What a text's last line is to end in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LastLine {
    /// In `\n`.
    Terminated,
    /// As it does.
    Unchanged,
}

impl<'a> PackageCache<'a> {
    /// What is cache in this cache.
    pub(super) fn new(cache: &'a Path) -> PackageCache<'a> {
        PackageCache(cache)
    }

    /// This file, or a copy of it, with `\n` alone at the ends of its lines.
    ///
    /// # Errors
    /// It can't be read, or the cache can't be written.
    pub(super) fn with_unix_line_ends(self, path: &Path, last: LastLine) -> Result<PathBuf, Failure> {
        let unreadable = |error: io::Error| Failure::complaint(format!("{}: {error}", path.display()));
        if has_unix_line_ends(path, last).map_err(unreadable)? {
            return Ok(path.to_owned());
        }
        let mut hasher = blake3::Hasher::new();
        hasher.update_reader(fs_err::File::open(path).map_err(unreadable)?).map_err(unreadable)?;
        let digest = Digest::from(hasher.finalize()).to_string();
        let ending = match last {
            LastLine::Terminated => "Ended",
            LastLine::Unchanged => "AsItIs",
        };
        self.store(&format!("lines-{}-{ending}", &digest[..32]), |out| rewrite(path, last, out))
    }

    /// An empty file.
    ///
    /// # Errors
    /// The cache can't be written.
    pub(super) fn empty_file(self) -> Result<PathBuf, Failure> {
        self.store("empty", |_| Ok(()))
    }

    /// A folder of files for a program, named by what is in it.
    ///
    /// # Errors
    /// The cache can't be written.
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

    /// A file in the cache, written whole if it is not there.
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

/// A temporary file is its owner's alone; programs that are judged may read it under its real name.
fn make_readable(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs_err::set_permissions(path, std::fs::Permissions::from_mode(0o644))
}

/// Whether a file has nothing but `\n` at the ends of its lines.
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

/// Writes a file with `\n` in place of `\r\n` and `\r`.
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
    fn line_ends_are_made_plain() {
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
    fn a_program_is_laid_out_once_under_its_content() {
        let dir = tempfile::tempdir().unwrap();
        let cache = PackageCache::new(dir.path());
        let content = [("a.py".to_owned(), b"1".to_vec()), ("b.py".to_owned(), b"2".to_vec())];
        let place = cache.write_program(&content).unwrap();
        assert_eq!(fs_err::read(place.join("b.py")).unwrap(), b"2");
        assert_eq!(cache.write_program(&content).unwrap(), place);
        assert_ne!(cache.write_program(&content[..1]).unwrap(), place);
    }
}
