//! Reads the problem in a folder.

use std::path::Path;

use crate::model::{Diagnostic, ProblemId};

use super::lower;
use super::resolved::Problem;

/// The name of the file that a problem's folder must contain.
pub const SPEC_FILE: &str = "problem.yaml";

/// Reads the problem in the folder `dir`.
///
/// # Errors
/// Fails if the folder name is not a valid id, or if the spec can't be read or is invalid. Reports only the first error
/// in the spec, with its position.
pub fn load(dir: &Path) -> Result<Problem, Diagnostic> {
    let file = dir.join(SPEC_FILE);
    let origin = file.display().to_string();
    let whole = fs_err::canonicalize(dir).map_err(|error| Diagnostic::user_file(&error))?;
    let name = whole.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let id = name.parse::<ProblemId>().map_err(|error| {
        Diagnostic::new(format!("the name of the problem's folder must be a problem id, but {error}"))
            .in_file(&origin)
            .help("rename the folder")
    })?;
    let bytes = fs_err::read(&file).map_err(|error| Diagnostic::user_file(&error))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let line = String::from_utf8_lossy(&error.as_bytes()[..valid]).matches('\n').count() + 1;
        Diagnostic::new(format!("the file is not UTF-8: line {line} contains an invalid byte"))
            .in_file(&origin)
            .help("save the file as UTF-8")
    })?;
    lower::read(&origin, &text, id, &whole)
}
