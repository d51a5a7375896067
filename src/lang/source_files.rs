//! Reads submitted files. Files that are not regular files are refused before they are read.

use std::fs::File;
use std::io::Read;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags};
use walkdir::WalkDir;

use crate::model::folder_of;
use crate::unzip::place;

use super::source_error::SourceError;

/// Maximum number of files of a program. The number of its folders has the same maximum.
const MOST_FILES: usize = 500;
/// Maximum depth of nested folders.
const DEEPEST: usize = 8;

/// A file's path relative to the program's folder, with `/` as the separator, and the file's content.
pub(super) type NamedFile = (String, Vec<u8>);

/// Reads one file of at most `room` bytes.
///
/// # Errors
/// Fails if the path is not a regular file, cannot be read, or is larger than `room`.
pub(super) fn file(path: &Path, room: u64) -> Result<Vec<u8>, SourceError> {
    let unreadable = |error: std::io::Error| SourceError::unreadable(path.to_owned(), &error);
    // Without O_NONBLOCK, opening a named pipe would block forever.
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOFOLLOW | OFlags::NOCTTY;
    let real = path.canonicalize().map_err(unreadable)?;
    let before = std::fs::metadata(&real).map_err(unreadable)?;
    refuse_devices(path, &before)?;
    let opened = rustix::fs::open(&real, flags, Mode::empty()).map_err(|error| unreadable(error.into()))?;
    let opened = File::from(opened);
    let about = opened.metadata().map_err(unreadable)?;
    refuse_devices(path, &about)?;
    let mut content = Vec::new();
    opened.take(room + 1).read_to_end(&mut content).map_err(unreadable)?;
    if content.len() as u64 > room {
        let bytes = about.len().max(content.len() as u64);
        return Err(SourceError::TooLarge { path: path.to_owned(), bytes, most: room });
    }
    Ok(content)
}

/// Refuses named pipes, sockets, devices and folders.
fn refuse_devices(path: &Path, about: &std::fs::Metadata) -> Result<(), SourceError> {
    let kind = about.file_type();
    let what = match () {
        () if kind.is_fifo() => "a named pipe",
        () if kind.is_socket() => "a socket",
        () if kind.is_block_device() || kind.is_char_device() => "a device",
        () if kind.is_dir() => "a folder",
        () => return Ok(()),
    };
    Err(SourceError::NotAFile { path: path.to_owned(), what })
}

/// Returns `path` if it is a folder, and otherwise the folder that contains the file or link `path`.
pub(super) fn own_folder(path: &Path) -> &Path {
    if path.is_dir() && !path.is_symlink() { path } else { folder_of(path) }
}

/// Returns the folder within which the links of a problem's program or of a package may point: the repository that
/// contains `path`, otherwise the folder of the problem, otherwise the program's own folder. All files of a repository
/// have the same authors. For an unpacked archive, the result is the archive's folder in the cache, because the
/// surrounding files have other authors. Must not be used for contestants' programs, whose links may point only within
/// their own folders.
pub fn repository_root(path: &Path) -> PathBuf {
    const DESCRIPTIONS: [&str; 4] = ["problem.yaml", "problem.xml", "init.yml", "domjudge-problem.ini"];
    let own = own_folder(path);
    let own = own.canonicalize().unwrap_or_else(|_| own.to_owned());
    if let Some(unpacked) = place::around(&own) {
        return unpacked.to_owned();
    }
    let with = |names: &[&str]| own.ancestors().find(|folder| names.iter().any(|name| folder.join(name).exists()));
    with(&[".git"]).or_else(|| with(&DESCRIPTIONS)).unwrap_or(&own).to_owned()
}

/// Returns the target of a link, or `None` if the target is outside of `bounds` or in a `.git` folder.
pub fn resolve_link(link: &Path, bounds: &Path) -> std::io::Result<Option<PathBuf>> {
    let target = link.canonicalize()?;
    let below = target.strip_prefix(bounds).ok();
    let inside = below.is_some_and(|below| below.iter().all(|name| name != ".git"));
    Ok(inside.then_some(target))
}

/// Refuses a symbolic link whose target is outside of `folder` or in a `.git` folder.
///
/// # Errors
/// Fails if the link is refused or its target does not exist.
pub(super) fn stays_within(path: &Path, folder: &Path) -> Result<(), SourceError> {
    let unreadable = |error: std::io::Error| SourceError::unreadable(path.to_owned(), &error);
    if !std::fs::symlink_metadata(path).map_err(unreadable)?.is_symlink() {
        return Ok(());
    }
    let folder = folder.canonicalize().map_err(unreadable)?;
    if resolve_link(path, &folder).map_err(unreadable)?.is_none() {
        let target = path.canonicalize().map_err(unreadable)?;
        return Err(SourceError::LinkOut { path: path.to_owned(), target, bounds: folder });
    }
    Ok(())
}

/// Reads all files of a folder except hidden ones, sorted by path, with a total size of at most `most` bytes. Links,
/// including the folder itself, may point anywhere within `bounds`.
///
/// # Errors
/// Fails if [`file`] refuses a file, if a link points out of the bounds or to a folder that contains it, if a compiler
/// could misinterpret a name, or if there are too many files, folders, levels or bytes.
pub(super) fn folder(root: &Path, bounds: &Path, most: u64) -> Result<Vec<NamedFile>, SourceError> {
    let (mut room, mut folders) = (most, 0);
    let walk = WalkDir::new(root).follow_links(true).max_depth(DEEPEST + 1).sort_by_file_name().into_iter();
    let mut files = Vec::new();
    for entry in walk.filter_entry(|entry| entry.depth() == 0 || !is_hidden(entry.path())) {
        let entry = match entry {
            // The lock files of editors may be hidden links without a target, such as `.#name` of Emacs.
            Err(error) if error.depth() > 0 && error.path().is_some_and(is_hidden) => continue,
            entry => entry.map_err(|error| unreadable_entry(root, error))?,
        };
        let too_many = |what, most| Err(SourceError::TooMany { path: root.to_owned(), what, most });
        // A link to a folder is checked here before the files in that folder are read.
        stays_within(entry.path(), bounds)?;
        if entry.file_type().is_dir() {
            folders += 1;
            match () {
                () if entry.depth() > DEEPEST => return too_many("levels of nested folders", DEEPEST),
                // Links between a few folders can produce a very large number of paths.
                () if folders > MOST_FILES => return too_many("folders", MOST_FILES),
                () => continue,
            }
        }
        let name = plain_name(root, entry.path())?;
        let content = file(entry.path(), room).map_err(|error| as_a_whole(root, most - room, most, error))?;
        room -= content.len() as u64;
        files.push((name, content));
        if files.len() > MOST_FILES {
            return too_many("files", MOST_FILES);
        }
    }
    Ok(files)
}

/// Returns whether a file or folder is ignored because it is hidden or named `__pycache__`.
fn is_hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b".") || name == "__pycache__")
}

/// Returns the names of the header files in a folder, sorted. Links that point out of `bounds` are left out.
///
/// # Errors
/// Fails if the folder cannot be read, or contains too many header files.
pub(super) fn headers(folder: &Path, bounds: &Path) -> Result<Vec<String>, SourceError> {
    let is_header =
        |path: &Path| path.extension().is_some_and(|end| ["h", "hh", "hpp", "hxx"].iter().any(|h| end == *h));
    let mut names = Vec::new();
    for entry in WalkDir::new(folder).min_depth(1).max_depth(1).sort_by_file_name() {
        let entry = entry.map_err(|error| unreadable_entry(folder, error))?;
        if is_header(entry.path()) && entry.path().is_file() && stays_within(entry.path(), bounds).is_ok() {
            names.push(plain_name(folder, entry.path())?);
        }
    }
    if names.len() > MOST_FILES {
        return Err(SourceError::TooMany { path: folder.to_owned(), what: "header files", most: MOST_FILES });
    }
    Ok(names)
}

fn unreadable_entry(root: &Path, error: walkdir::Error) -> SourceError {
    let path = error.path().unwrap_or(root).to_owned();
    match error.io_error() {
        // The message of the inner error does not contain the path, which [`SourceError::Unreadable`] adds.
        Some(error) => SourceError::unreadable(path, error),
        None => SourceError::unreadable(path, &error.into()),
    }
}

/// In the error for a file that is too large, replaces the path with that of the program and the size with the total
/// size, because the limit applies to all files together. Returns other errors unchanged. `used` is the total size of
/// the files that were read before this file.
pub(super) fn as_a_whole(root: &Path, used: u64, most: u64, error: SourceError) -> SourceError {
    match error {
        SourceError::TooLarge { bytes, .. } => {
            SourceError::TooLarge { path: root.to_owned(), bytes: used.saturating_add(bytes), most }
        }
        other => other,
    }
}

/// Returns the path of a file relative to `root`. Refuses names that a compiler could misinterpret. For example, a
/// compiler may interpret a name that begins with `-` as an option.
fn plain_name(root: &Path, path: &Path) -> Result<String, SourceError> {
    let below: PathBuf = path.strip_prefix(root).unwrap_or(path).to_owned();
    let bad = || SourceError::BadName { path: below.clone() };
    let name = below.to_str().ok_or_else(bad)?;
    if name.split('/').all(is_plain) { Ok(name.to_owned()) } else { Err(bad()) }
}

/// Returns whether two paths relative to the same folder cannot both be files, because the paths are equal or one of
/// them begins with the other.
pub fn paths_conflict(one: &Path, other: &Path) -> bool {
    one.starts_with(other) || other.starts_with(one)
}

/// Returns whether a name cannot be misinterpreted by a compiler: it begins neither with `-` nor with `@`, and contains
/// no control character and no `\`.
pub(super) fn is_plain(name: &str) -> bool {
    !name.starts_with(['-', '@']) && !name.chars().any(|c| c.is_control() || c == '\\')
}
