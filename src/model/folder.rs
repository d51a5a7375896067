//! Determines the folder that contains a file.

use std::path::Path;

/// Returns the folder that contains a file: `.` for a bare file name.
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
