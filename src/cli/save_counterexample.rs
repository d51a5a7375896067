//! Writes a failing input to a file.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use crate::data::write_whole;
use crate::model::{Diagnostic, Failure, ProblemId};

/// Writes the input to `out`, or to the first free default name, and returns the path.
pub(crate) fn save_input(out: &Option<PathBuf>, problem: &ProblemId, input: &[u8]) -> Result<PathBuf, Failure> {
    let help = "specify another file with `--out FILE`";
    let unwritable = |path: &Path, error: &std::io::Error| {
        let message = format!("cannot write the failing input to `{}`: {error}", path.display());
        Failure::from(Diagnostic { message, ..Diagnostic::user_file(error) }.help(help))
    };
    if let Some(path) = out {
        write_whole(path, input).map_err(|error| unwritable(path, &error))?;
        return Ok(path.clone());
    }
    let name = |number: u32| match number {
        1 => PathBuf::from(format!("{problem}-fail.in")),
        _ => PathBuf::from(format!("{problem}-fail-{number}.in")),
    };
    for number in 1..=u32::MAX {
        let path = name(number);
        match std::fs::File::create_new(&path).map(|mut file| file.write_all(input)) {
            Ok(Ok(())) => return Ok(path),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Ok(Err(error)) | Err(error) => return Err(unwritable(&path, &error)),
        }
    }
    let (first, last) = (name(1), name(u32::MAX));
    let message = format!(
        "cannot write the failing input: all files from `{}` to `{}` already exist",
        first.display(),
        last.display()
    );
    Err(Diagnostic::new(message).help(help).into())
}
