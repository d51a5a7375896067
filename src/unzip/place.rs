//! Where an archive is unpacked, told by the path alone: to what is in it, its folder is all there is. Pure.

use std::path::{Path, PathBuf};

/// The folder of the cache in which each archive has one of its own. What a version that checked less had unpacked lies
/// elsewhere, and is not used again.
const UNPACKED: &str = "unpacked-archives";

/// The folder for the archive of this hash.
pub fn of(cache: &Path, hash: &str) -> PathBuf {
    cache.join(UNPACKED).join(hash)
}

/// The folder that an archive was unpacked in, of all that lies there.
pub fn around(path: &Path) -> Option<&Path> {
    let own = |folder: &&Path| folder.parent().and_then(Path::file_name).is_some_and(|name| name == UNPACKED);
    path.ancestors().find(own)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_an_archive_has_its_folder_around_it() {
        let place = of(Path::new("/home/x/cache"), "abc");
        for inside in ["", "data", "data/secret/1.in"] {
            assert_eq!(around(&place.join(inside)), Some(place.as_path()), "{inside}");
        }
        for outside in ["/home/x/cache/abc", "/", "/home/x/cache/unpacked-archives"] {
            assert_eq!(around(Path::new(outside)), None, "{outside}");
        }
    }
}
