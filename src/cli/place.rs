//! Formats paths as the user would type them.

use std::path::Path;

/// Formats a path. A path below the current directory or the home directory is shown relative to it.
pub(crate) fn shown_path(path: &Path) -> String {
    let here = std::env::current_dir().ok();
    if let Some(below) = here.as_deref().and_then(|here| path.strip_prefix(here).ok()) {
        return if below.as_os_str().is_empty() { ".".to_owned() } else { below.display().to_string() };
    }
    let home = std::env::var_os("HOME").filter(|home| home.len() > 1);
    match home.as_deref().and_then(|home| path.strip_prefix(home).ok()) {
        Some(below) => format!("~/{}", below.display()),
        None => path.display().to_string(),
    }
}
