//! Opens a package from a path: detects the format, and finds the package in an archive.

use std::io::Read;
use std::path::Path;

use crate::model::{Diagnostic, Failure, ProblemId};

use super::archive;
use super::dmoj;
use super::folder;
use super::icpc;
use super::model::Package;
use super::polygon;
use super::tree::{PackageTree, TreeEntry};

/// Number of bytes of a description that are read to detect its format.
const BEGINNING: u64 = 64 << 10;

/// Whether a path is a package of a foreign format: an archive, or a folder that looks like a package.
pub fn is_package(path: &Path) -> bool {
    if path.is_file() {
        return path.extension().is_some_and(|ending| ending == "zip" || ending == "kpp");
    }
    let has = |name: &str| path.join(name).exists();
    let icpc = (has("problem.yaml") || has("domjudge-problem.ini")) && path.join("data").is_dir();
    icpc || has("problem.xml") || has("init.yml") || names_version(&path.join("problem.yaml"))
}

/// Whether a description starts like one that specifies a version of the ICPC format.
fn names_version(description: &Path) -> bool {
    let mut start = Vec::new();
    let read = |file: fs_err::File| file.take(BEGINNING).read_to_end(&mut start);
    description.is_file() && fs_err::File::open(description).and_then(read).is_ok() && icpc::names_version(&start)
}

/// Whether a path is a bare folder of tests. Since this is a guess, all other formats must be ruled out first.
pub fn is_bare(path: &Path) -> bool {
    path.is_dir() && PackageTree::scan(path).is_ok_and(|tree| folder::is_package(&innermost(tree)))
}

/// Reads the package at a path. Archives are unpacked below `cache`.
///
/// # Errors
/// Returns a complaint if the archive, the folder or the package is invalid, or a fault if the cache can't be written.
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
    if folder::is_package(&tree) {
        return Ok(folder::read(&tree, id)?);
    }
    let message = "not a problem package: found neither problem.yaml with data/, problem.xml, init.yml, nor \
                   tests such as 1.in with 1.out";
    Err(Diagnostic::new(message).in_file(path.display().to_string()).into())
}

/// Descends into the only folder at the top of an archive.
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

/// Derives an id from any name by replacing the characters that ids may not have.
fn id(name: &str) -> Result<ProblemId, Diagnostic> {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c.to_ascii_lowercase() } else { '-' };
    let text: String = name.chars().map(plain).take(64).collect();
    let text = text.trim_matches(['-', '_']);
    let text = if text.is_empty() { "package" } else { text };
    text.parse().map_err(|error| Diagnostic::new(format!("{error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_name_becomes_an_id() {
        for (name, wanted) in [("A Plus B", "a-plus-b"), ("Ним", "package"), ("_x_", "x"), ("", "package")] {
            assert_eq!(id(name).unwrap().as_str(), wanted);
        }
    }
}
