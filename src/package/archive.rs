//! Unpacks untrusted archives. The names, kinds and declared sizes of all entries are checked before the first byte is
//! written.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

use fs_err::File;
use zip::ZipArchive;

use crate::model::{ByteSize, Diagnostic, Digest, Failure};
use crate::unzip::{EntryKind, WrittenName, backslashed, copy, kind, name, place};

/// Maximum size of an archive, in bytes.
const LARGEST_ARCHIVE: u64 = 1 << 30;
/// Maximum total size of the unpacked files, in bytes.
const MOST_BYTES: u64 = 4 << 30;
/// Maximum number of entries in an archive.
const MOST_ENTRIES: usize = 100_000;
/// Maximum ratio of unpacked to packed size, for unpacked sizes above [`UNCHECKED_BYTES`].
const RATIO: u64 = 250;
/// Unpacked size up to which the ratio is not checked, in bytes. Harmless small files can have a large ratio.
const UNCHECKED_BYTES: u64 = 64 << 20;
/// Maximum length of a link target, in bytes.
const LONGEST_LINK: u64 = 1_000;

/// Marker for archives with `\` as the path separator: the extension of an empty file next to the unpacked folder, and
/// the note for the user.
const BACKSLASHES: (&str, &str) = (
    "backslashes",
    "the archive uses `\\` as the path separator, as old Windows programs do; each `\\` is read as `/`",
);
/// Marker for archives with names in code page 437: as for [`BACKSLASHES`], the extension of an empty file next to the
/// unpacked folder, and the note for the user.
const CODE_PAGE: (&str, &str) =
    ("cp437", "the archive has names that are not UTF-8; they are read as code page 437, as the zip format specifies");

/// Unpacks a zip archive into a folder below `cache`, and returns the path of the folder, whose name is derived from
/// the hash of the archive. An archive that was unpacked before is not unpacked again.
///
/// # Errors
/// Fails if the archive can't be read, is invalid or is unsafe, or if the cache can't be written.
pub fn unpack(file: &Path, cache: &Path) -> Result<PathBuf, Failure> {
    let origin = file.display().to_string();
    let digest = digest(file).map_err(|error| unreadable(&origin, &error))?;
    let place = place::of(cache, &digest.to_string()[..32]);
    if place.is_dir() {
        return Ok(place);
    }
    let reader = io::BufReader::new(File::open(file).map_err(|error| unreadable(&origin, &error))?);
    let refused = |message: String| Diagnostic::new(message).in_file(&origin);
    let mut zip =
        ZipArchive::new(reader).map_err(|error| refused(format!("the file is not a valid zip archive: {error}")))?;
    let plan = plan(&mut zip).map_err(refused)?;
    let unwritable = |error: io::Error| Failure::unwritable(cache, &error);
    let parent = place.parent().unwrap_or(cache);
    fs_err::create_dir_all(parent).map_err(unwritable)?;
    let fresh = tempfile::Builder::new().prefix(".new-").tempdir_in(parent).map_err(unwritable)?;
    write(&mut zip, &plan.entries, fresh.path(), &origin)?;
    for (ending, _) in plan.readings {
        File::create(place.with_extension(ending)).map_err(unwritable)?;
    }
    match std::fs::rename(fresh.path(), &place) {
        Err(_) if place.is_dir() => {}
        other => other.map_err(unwritable)?,
    }
    make_readable(&place).map_err(unwritable)?;
    Ok(place)
}

/// Returns the notes about how the names in an archive were decoded. `folder` is the folder of the unpacked files.
pub(super) fn notes(folder: &Path) -> Vec<String> {
    let unpacked = place::around(folder) == Some(folder);
    let readings = [BACKSLASHES, CODE_PAGE].into_iter().filter(|(ending, _)| folder.with_extension(ending).is_file());
    readings.filter(|_| unpacked).map(|(_, note)| note.to_owned()).collect()
}

/// Makes a folder or an executable file readable and executable by others. A temporary folder is private to its owner,
/// but judged programs must be able to read its files after it is renamed.
fn make_readable(place: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs_err::set_permissions(place, std::fs::Permissions::from_mode(0o755))
}

fn digest(file: &Path) -> io::Result<Digest> {
    let meta = fs_err::metadata(file)?;
    if !meta.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    if meta.len() > LARGEST_ARCHIVE {
        let [size, most] = [meta.len(), LARGEST_ARCHIVE].map(|bytes| ByteSize::new(bytes).human());
        return Err(io::Error::other(format!("the size of {size} exceeds the limit of {most}")));
    }
    Digest::of_reader(File::open(file)?)
}

fn unreadable(origin: &str, error: &io::Error) -> Diagnostic {
    let message = format!("cannot read the archive: {error}");
    Diagnostic { message, ..Diagnostic::user_file(error) }.in_file(origin)
}

/// An entry to be written: its index in the archive, its path, and its kind.
type PlannedEntry = (usize, String, EntryKind);

/// The entries to be written, and how their names were decoded.
struct UnpackPlan {
    entries: Vec<PlannedEntry>,
    readings: Vec<(&'static str, &'static str)>,
}

/// Checks the metadata of all entries, and returns the entries to be written and how their names were decoded.
fn plan(zip: &mut ZipArchive<io::BufReader<File>>) -> Result<UnpackPlan, String> {
    if zip.len() > MOST_ENTRIES {
        return Err(format!("the archive has {} entries, but at most {MOST_ENTRIES} are allowed", zip.len()));
    }
    if zip.has_duplicate_names() {
        return Err("the archive has two entries with the same name".to_owned());
    }
    if zip.has_overlapping_entries().map_err(|error| format!("the archive is damaged: {error}"))? {
        return Err("the entries of the archive overlap, as in a zip bomb".to_owned());
    }
    let listed = list(zip)?;
    let names: Vec<&WrittenName> = listed.iter().map(|(name, _)| name).collect();
    let backslashed = backslashed(&names);
    let in_code_page = names.iter().any(|name| name.in_code_page);
    let mut entries = Vec::with_capacity(listed.len());
    for (index, (written, kind)) in listed.iter().enumerate() {
        let refused = |why: &str| format!("{} {why}", name::shown(written.text.as_bytes()));
        entries.push((index, written.path(backslashed).map_err(refused)?, *kind));
    }
    check_collisions(&entries)?;
    let readings = [(backslashed, BACKSLASHES), (in_code_page, CODE_PAGE)];
    Ok(UnpackPlan {
        entries,
        readings: readings.into_iter().filter_map(|(done, reading)| done.then_some(reading)).collect(),
    })
}

/// Returns the names and kinds of all entries in the order of the archive. Fails if an entry can't be read or is not
/// accepted, or if the unpacked size or the compression ratio of an entry or of the whole archive exceeds its limit.
fn list(zip: &mut ZipArchive<io::BufReader<File>>) -> Result<Vec<(WrittenName, EntryKind)>, String> {
    let mut listed = Vec::with_capacity(zip.len());
    let (mut packed, mut whole) = (0_u64, 0_u64);
    for index in 0..zip.len() {
        let entry = zip
            .by_index_raw(index)
            .map_err(|error| format!("cannot read entry {} of the archive: {error}", index + 1))?;
        let refused = |why: &str| format!("{} {why}", name::shown(entry.name_raw()));
        listed.push((WrittenName::of(&entry).map_err(refused)?, kind(&entry).map_err(refused)?));
        packed = packed.saturating_add(entry.compressed_size());
        whole = whole.saturating_add(entry.size());
        check_size(entry.compressed_size(), entry.size()).map_err(refused)?;
    }
    check_size(packed, whole).map_err(|why| format!("the archive {why}"))?;
    Ok(listed)
}

fn check_size(packed: u64, whole: u64) -> Result<(), &'static str> {
    if whole > MOST_BYTES {
        return Err("unpacks to more than 4 GiB");
    }
    if whole > UNCHECKED_BYTES && whole / RATIO > packed {
        return Err("unpacks to more than 250 times its compressed size, as a zip bomb does");
    }
    Ok(())
}

/// Rejects paths that differ only in case, and paths that occur twice unless both entries are folders.
fn check_collisions(planned: &[PlannedEntry]) -> Result<(), String> {
    let mut seen: HashMap<String, (&str, bool)> = HashMap::new();
    for (_, path, kind) in planned {
        let above = path.match_indices('/').map(|(at, _)| (&path[..at], true));
        for (path, folder) in above.chain([(path.as_str(), *kind == EntryKind::Folder)]) {
            match seen.insert(path.to_lowercase(), (path, folder)) {
                Some((before, _)) if before != path => {
                    return Err(format!(
                        "`{before}` and `{path}` differ only in case, so some file systems cannot store both"
                    ));
                }
                Some((_, was_folder)) if !was_folder || !folder => {
                    return Err(format!("the archive contains `{path}` twice"));
                }
                _ => {}
            }
        }
    }
    Ok(())
}

/// Writes the entries below `root`. Links are created last, so that no file is written through a link.
fn write(
    zip: &mut ZipArchive<io::BufReader<File>>,
    plan: &[PlannedEntry],
    root: &Path,
    origin: &str,
) -> Result<(), Failure> {
    let unwritable = |error: io::Error| Failure::unwritable(root, &error);
    let mut left = MOST_BYTES;
    let mut links = Vec::new();
    for (index, path, kind) in plan {
        let place = root.join(path);
        let refused =
            |why: String| Failure::from(Diagnostic::new(format!("`{path}` {why}")).in_file(origin.to_owned()));
        if *kind == EntryKind::Folder {
            fs_err::create_dir_all(&place).map_err(unwritable)?;
            continue;
        }
        fs_err::create_dir_all(place.parent().unwrap_or(root)).map_err(unwritable)?;
        let mut entry = zip.by_index(*index).map_err(|error| refused(format!("cannot be unpacked: {error}")))?;
        let size = entry.size();
        if *kind == EntryKind::Link {
            let mut target = Vec::new();
            let read = copy(&mut entry, LONGEST_LINK, &mut target);
            read.map_err(|error| refused(format!("cannot be unpacked: {error}")))?;
            links.push((path.as_str(), link_target(path, &target).map_err(|why| refused(why.to_owned()))?));
            continue;
        }
        let mut file = File::create(&place).map_err(unwritable)?;
        let copied = copy(&mut entry, size.min(left), &mut file)
            .map_err(|error| refused(format!("cannot be unpacked: {error}")))?;
        left -= copied.ok_or_else(|| refused("is larger than its declared size".to_owned()))?;
        if let EntryKind::File { executable: true } = kind {
            make_readable(&place).map_err(unwritable)?;
        }
    }
    for (path, target) in links {
        fs_err::os::unix::fs::symlink(&target, root.join(path)).map_err(unwritable)?;
    }
    Ok(())
}

/// Checks and returns the target of the link at `path`. `..` is accepted only at the start of the target, where it
/// denotes the parent of a real folder: the link's own folder or a folder above it. After a name, `..` could denote the
/// parent of another link's destination. The target is therefore inside the package, regardless of other links on its
/// path.
fn link_target(path: &str, target: &[u8]) -> Result<String, &'static str> {
    const OUT: &str = "is a link that points outside of the package";
    let text = std::str::from_utf8(target).map_err(|_| "is a link whose target is not UTF-8")?;
    if text.is_empty() {
        return Err("is a link with an empty target");
    }
    if text.len() as u64 > LONGEST_LINK {
        return Err("is a link with a target of more than 1000 bytes");
    }
    if text.contains(['\\', '\0']) {
        return Err("is a link whose target contains a backslash or a NUL character");
    }
    if text.starts_with('/') {
        return Err(OUT);
    }
    let mut above = path.matches('/').count();
    let mut named = false;
    for part in text.split('/') {
        match part {
            "" | "." => {}
            ".." if named => {
                return Err("is a link whose target has `..` after a name, and might be outside of the package");
            }
            ".." => above = above.checked_sub(1).ok_or(OUT)?,
            _ => named = true,
        }
    }
    Ok(text.to_owned())
}

#[cfg(test)]
#[path = "archive_tests.rs"]
mod tests;
