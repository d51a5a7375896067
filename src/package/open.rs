//! Opens a package from a path: detects the format, and finds the package in an archive.

use std::io::Read;
use std::path::Path;

use crate::model::{Diagnostic, Failure, ProblemId};

use super::archive;
use super::dmoj;
use super::folder::{self, SampleQuery, is_sample_file};
use super::icpc;
use super::package_model::Package;
use super::polygon;
use super::sinol;
use super::tree::{PackageTree, TreeEntry};

/// Number of bytes of a description that are read to detect its format.
const BEGINNING: u64 = 64 << 10;

/// Returns whether a path looks like a package of another judge's format: a file with the extension `zip` or `kpp`, or
/// a folder with the main file of a format. Archives are not opened.
pub fn is_package(path: &Path) -> bool {
    if path.is_file() {
        return path.extension().is_some_and(|ending| ending == "zip" || ending == "kpp");
    }
    let has = |name: &str| path.join(name).exists();
    let icpc = (has("problem.yaml") || has("domjudge-problem.ini")) && path.join("data").is_dir();
    let sinol = has("config.yml") && path.join("prog").is_dir();
    icpc || sinol || has("problem.xml") || has("init.yml") || names_version(&path.join("problem.yaml"))
}

/// Returns whether the beginning of a description specifies a version of the ICPC format.
fn names_version(description: &Path) -> bool {
    let mut start = Vec::new();
    let read = |file: fs_err::File| file.take(BEGINNING).read_to_end(&mut start);
    description.is_file() && fs_err::File::open(description).and_then(read).is_ok() && icpc::names_version(&start)
}

/// Looks for samples without a description at a path: in a file with samples, or in a folder without the main file of
/// another format. Since this is a guess, all other formats must be ruled out first. Returns `None` for any other path,
/// and a diagnostic if the folder can't be read or has no samples for the program of the query.
pub fn look_for_samples(path: &Path, query: &SampleQuery) -> Option<Result<(), Diagnostic>> {
    if path.is_file() {
        return is_sample_file(path).map(|_| Ok(()));
    }
    if !path.is_dir() {
        return None;
    }
    match PackageTree::scan_workspace(path) {
        Ok(tree) if folder::is_described(&tree) => None,
        Ok(tree) => Some(folder::find(&tree, query).map(drop)),
        Err(error) => Some(Err(error)),
    }
}

/// Reads the samples that [`look_for_samples`] found at a path.
///
/// # Errors
/// Fails if a file can't be read or is invalid, if there are no samples for the program of the query, or if the cache
/// can't be written.
pub fn open_samples(path: &Path, query: &SampleQuery, cache: &Path) -> Result<Package, Failure> {
    let whole = fs_err::canonicalize(path).map_err(|error| Failure::user_file(&error))?;
    let id = id(&whole.file_stem().unwrap_or_default().to_string_lossy())?;
    if let (true, Some(kind)) = (whole.is_file(), is_sample_file(&whole)) {
        return folder::read_file(&whole, kind, id, cache);
    }
    let tree = PackageTree::scan_workspace(&whole)?;
    let found = folder::find(&tree, query)?;
    folder::read(&tree, found, id, cache)
}

/// Reads the package at a path. Archives are unpacked below `cache`.
///
/// # Errors
/// Fails if a file can't be read, if the archive, the folder or the package is invalid, or if the cache can't be
/// written.
pub fn open(path: &Path, cache: &Path) -> Result<Package, Failure> {
    let whole = fs_err::canonicalize(path).map_err(|error| Failure::user_file(&error))?;
    let tree =
        if whole.is_file() { PackageTree::scan(&archive::unpack(&whole, cache)?)? } else { PackageTree::scan(&whole)? };
    let tree = innermost(tree);
    let name = whole.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let id = id(&name)?;
    if icpc::is_package(&tree) {
        return Ok(icpc::read(&tree, id)?);
    }
    if polygon::is_package(&tree) {
        return polygon::read(&tree, id, cache);
    }
    if dmoj::is_package(&tree) {
        return dmoj::read(&tree, id, cache);
    }
    if sinol::is_package(&tree) {
        return Ok(sinol::read(&tree, id)?);
    }
    if !folder::is_described(&tree)
        && let Ok(found) = folder::find(&tree, &SampleQuery::default())
    {
        return folder::read(&tree, found, id, cache);
    }
    let message = "not a problem package: expected `problem.yaml` with `data/`, `problem.xml`, `init.yml`, `config.yml` with `prog/`, or tests such as \
                   `1.in` with `1.out`";
    Err(Diagnostic::new(message).in_file(path.display().to_string()).into())
}

/// Returns the subtree of the only folder at the top of the tree, or the tree itself if the top has other entries.
/// Hidden entries and `__MACOSX` are ignored.
fn innermost(tree: PackageTree) -> PackageTree {
    let mut entries = tree.list("").filter(|(name, _)| !name.starts_with('.') && *name != "__MACOSX");
    match (entries.next(), entries.next()) {
        (Some((name, TreeEntry::Folder)), None) => {
            let name = name.to_owned();
            drop(entries);
            tree.below(&name)
        }
        _ => {
            drop(entries);
            tree
        }
    }
}

/// Derives an id from any name: letters become lower case, and `-` replaces the characters that ids must not contain.
/// The id is `package` if the name contains no ASCII letter or digit.
pub(super) fn id(name: &str) -> Result<ProblemId, Diagnostic> {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c.to_ascii_lowercase() } else { '-' };
    let mut text = String::new();
    for c in name.chars() {
        // Consecutive replaced characters become one `-`, as in `A. Sum`.
        if plain(c) == c.to_ascii_lowercase() || !text.ends_with('-') {
            text.push(plain(c));
        }
    }
    let text: String = text.chars().take(64).collect();
    let text = text.trim_matches(['-', '_']);
    let text = if text.is_empty() { "package" } else { text };
    text.parse().map_err(|error| Diagnostic::new(format!("{error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_name_becomes_an_id() {
        for (name, wanted) in [
            ("A Plus B", "a-plus-b"),
            ("A. Sum", "a-sum"),
            ("a--b", "a--b"),
            ("Ним", "package"),
            ("_x_", "x"),
            ("", "package"),
        ] {
            assert_eq!(id(name).unwrap().as_str(), wanted);
        }
    }
}
