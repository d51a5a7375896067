//! The folder of a file, as people name files.

use std::path::Path;

/// The folder a file is in: `.` if it is named without one.
pub fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bare_name_is_here() {
        assert_eq!(folder_of(Path::new("a.txt")), Path::new("."));
        assert_eq!(folder_of(Path::new("b/a.txt")), Path::new("b"));
        assert_eq!(folder_of(Path::new("/a.txt")), Path::new("/"));
    }
}
