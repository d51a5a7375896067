//! The folders in the cache for unpacked archives. Whether a path is in such a folder is determined from the path
//! alone, without accessing the file system. An archive must not refer to files outside of its folder.

use std::path::{Path, PathBuf};

/// The folder of the cache that contains one folder for each archive. Earlier versions, which performed fewer checks,
/// used another name, so the archives that they unpacked are not reused.
const UNPACKED: &str = "unpacked-archives";

/// Returns the folder for the archive with the hash `hash`.
pub fn of(cache: &Path, hash: &str) -> PathBuf {
    cache.join(UNPACKED).join(hash)
}

/// Returns the folder of the unpacked archive that contains `path`; `None` if `path` is not in an unpacked archive.
pub fn around(path: &Path) -> Option<&Path> {
    let own = |folder: &&Path| folder.parent().and_then(Path::file_name).is_some_and(|name| name == UNPACKED);
    path.ancestors().find(own)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_in_an_archive_are_within_its_folder() {
        let place = of(Path::new("/home/x/cache"), "abc");
        for inside in ["", "data", "data/secret/1.in"] {
            assert_eq!(around(&place.join(inside)), Some(place.as_path()), "{inside}");
        }
        for outside in ["/home/x/cache/abc", "/", "/home/x/cache/unpacked-archives"] {
            assert_eq!(around(Path::new(outside)), None, "{outside}");
        }
    }
}
