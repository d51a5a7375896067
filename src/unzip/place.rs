//! The folders in the cache for unpacked archives, determined by paths alone. An archive must not refer to files
//! outside of its folder. This module does no input or output.

use std::path::{Path, PathBuf};

/// The folder of the cache that contains one folder per archive. Earlier versions, which made fewer checks, used
/// another name, so their unpacked archives are not reused.
const UNPACKED: &str = "unpacked-archives";

/// Returns the folder for the archive with this hash.
pub fn of(cache: &Path, hash: &str) -> PathBuf {
    cache.join(UNPACKED).join(hash)
}

/// Returns the folder of the unpacked archive that contains this path; `None` if the path is not in an unpacked
/// archive.
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
