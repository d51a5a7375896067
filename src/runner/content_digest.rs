//! The hash of a problem's files. It is the same on every machine, so requests identify the problem by this hash.

use std::fs::Metadata;
use std::io::{self, ErrorKind};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use crate::model::{Digest, Failure, Fault, FaultKind};

use super::cache::Cache;

/// The version of the hash. It must be changed when the hashed data or its order changes.
const VERSION: &[u8] = b"nimatron problem 1";

/// Returns the hash of the names and contents of `paths`: of the files, and of all non-hidden files in the folders and
/// their subfolders. The cached hash is reused as long as the files do not change.
///
/// # Errors
/// Fails if a file can't be read.
pub(super) fn content_digest(cache: &Cache, paths: &[PathBuf]) -> Result<Digest, Failure> {
    digest_of(cache, paths, "cannot read the files of the problem")
}

/// Returns the hash of the files at `paths`; see [`content_digest`]. `context` begins the message if a file can't be
/// read.
fn digest_of(cache: &Cache, paths: &[PathBuf], context: &str) -> Result<Digest, Failure> {
    let unreadable = |error: io::Error| Fault::io(FaultKind::Data, &error).context(context);
    let files = files(paths).map_err(unreadable)?;
    let mut stamps = Vec::with_capacity(2 * files.len());
    for HashedFile { path, about, .. } in &files {
        let times = [about.mtime(), about.mtime_nsec(), about.ctime(), about.ctime_nsec(), about.len() as i64];
        stamps.push(path.as_os_str().as_encoded_bytes().to_vec());
        stamps.push(times.iter().flat_map(|time| time.to_le_bytes()).collect());
    }
    let stamp = Digest::of_parts(std::iter::once(VERSION).chain(stamps.iter().map(Vec::as_slice)));
    let kept = cache.content_digest(&stamp);
    if let Some(digest) = fs_err::read_to_string(&kept).ok().and_then(|text| text.trim().parse().ok()) {
        return Ok(digest);
    }
    let mut parts = vec![VERSION.to_vec()];
    for HashedFile { name, path, .. } in &files {
        parts.push(name.as_bytes().to_vec());
        let digest = fs_err::File::open(path).and_then(Digest::of_reader).map_err(unreadable)?;
        parts.push(digest.bytes().to_vec());
    }
    let digest = Digest::of_parts(parts.iter().map(Vec::as_slice));
    // If the file can't be written, the hash is computed again at the next call.
    _ = crate::data::write_whole(&kept, digest.to_string().as_bytes());
    Ok(digest)
}

/// Returns the hash of the running executable. Cached results that depend on the executable are used only by the same
/// executable.
///
/// # Errors
/// Fails if the executable can't be read.
pub(crate) fn own_digest(cache: &Cache) -> Result<Digest, Failure> {
    digest_of(cache, &[PathBuf::from("/proc/self/exe")], "cannot read the `nimatron` executable")
}

/// A file that is hashed.
struct HashedFile {
    /// Its name; for a file in a folder, its path relative to the folder.
    name: String,
    path: PathBuf,
    about: Metadata,
}

/// Returns the files among `paths` and all non-hidden files in the folders among `paths`. The files are in the order of
/// `paths`, sorted by name in each folder.
fn files(paths: &[PathBuf]) -> io::Result<Vec<HashedFile>> {
    let is_hidden = |path: &Path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
    let mut files = Vec::new();
    for root in paths {
        let about = fs_err::metadata(root)?;
        if about.is_file() {
            let name = root.file_name().unwrap_or(root.as_os_str()).to_string_lossy().into_owned();
            files.push(HashedFile { name, path: root.to_owned(), about });
            continue;
        }
        let walk = WalkDir::new(root).follow_links(true).sort_by_file_name().into_iter();
        for entry in walk.filter_entry(|entry| entry.depth() == 0 || !is_hidden(entry.path())) {
            match entry {
                Ok(entry) if entry.file_type().is_file() => {
                    let below = entry.path().strip_prefix(root).unwrap_or(entry.path());
                    let name = below.to_string_lossy().into_owned();
                    files.push(HashedFile { name, about: entry.metadata()?, path: entry.into_path() });
                }
                Ok(_) => {}
                // Dangling links, and links to a folder that contains the link, are skipped.
                Err(error) if error.depth() > 0 && has_no_content(&error) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
    Ok(files)
}

/// Returns whether the error is caused by a dangling link or by a link to a folder that contains the link.
pub fn has_no_content(error: &walkdir::Error) -> bool {
    error.loop_ancestor().is_some()
        || error
            .io_error()
            .is_some_and(|error| error.kind() == ErrorKind::NotFound || error.raw_os_error() == Some(libc::ELOOP))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_depends_on_names_and_contents_only() {
        let write = |content: &str, name: &str| {
            let folder = tempfile::tempdir().unwrap();
            fs_err::create_dir(folder.path().join("data")).unwrap();
            fs_err::write(folder.path().join("data").join(name), content).unwrap();
            folder
        };
        let cache = tempfile::tempdir().unwrap();
        let digest = |folder: &tempfile::TempDir| {
            content_digest(&Cache::new(cache.path()), &[folder.path().to_owned()]).unwrap()
        };
        let (first, same) = (write("1", "1.in"), write("1", "1.in"));
        assert_eq!(digest(&first), digest(&same));
        assert_eq!(digest(&first), digest(&first), "the kept digest is the same");
        assert_ne!(digest(&first), digest(&write("2", "1.in")));
        assert_ne!(digest(&first), digest(&write("1", "2.in")));
        fs_err::write(first.path().join("data/1.in"), "2").unwrap();
        assert_ne!(digest(&first), digest(&same), "a changed file is noticed");
    }

    #[test]
    fn links_that_lead_nowhere_have_no_content() {
        let folder = tempfile::tempdir().unwrap();
        let digest =
            || content_digest(&Cache::new(&folder.path().join(".cache")), &[folder.path().to_owned()]).unwrap();
        fs_err::write(folder.path().join("1.in"), "1").unwrap();
        let before = digest();
        for (name, target) in [("dangling", "missing"), ("up", "."), ("itself", "itself")] {
            fs_err::os::unix::fs::symlink(target, folder.path().join(name)).unwrap();
            assert_eq!(digest(), before, "{name}");
        }
    }
}
