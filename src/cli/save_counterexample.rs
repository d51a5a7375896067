//! Writes a failing input to a file.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use nimatron::data::write_whole;
use nimatron::model::{Failure, ProblemId};

/// Writes the input to `out`, or to the first free default name, and returns the path.
pub fn keep(out: &Option<PathBuf>, problem: &ProblemId, input: &[u8]) -> Result<PathBuf, Failure> {
    let unwritable = |path: &Path, error: &dyn std::fmt::Display| {
        Failure::complaint(format!("cannot write the failing input to {}: {error}", path.display()))
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
    Err(unwritable(&name(1), &"all default file names are in use"))
}
