//! The files of programs: solutions, checkers, interactors.

use std::path::Path;

use walkdir::WalkDir;

use crate::data::Entry;
use crate::model::{Diagnostic, Failure};
use crate::problem::{Companion, Protocol};

/// A program: one file, or a folder of files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// The name of the file or the folder.
    pub name: String,
    /// The files, by their path in the folder; of a single file its name.
    pub files: Vec<(String, Vec<u8>)>,
    /// Whether it is a folder.
    pub folder: bool,
}

impl Program {
    /// Its name without the extension.
    pub(super) fn stem(&self) -> &str {
        if self.folder { &self.name } else { self.name.rsplit_once('.').map_or(self.name.as_str(), |(stem, _)| stem) }
    }

    /// The extension of its first file that has one.
    pub(super) fn extension(&self) -> &str {
        let mut ends = self.files.iter().filter_map(|(name, _)| name.rsplit_once('.'));
        ends.next().map_or("", |(_, end)| end)
    }

    /// Its files below a folder in which it stands.
    pub(super) fn below(&self, place: &str) -> Vec<Entry> {
        self.spread(&if self.folder { format!("{place}/{}/", self.name) } else { format!("{place}/") })
    }

    /// Its files below a folder in which each program of several files has a folder of its own.
    pub(super) fn apart(&self, place: &str) -> Vec<Entry> {
        if self.folder || self.files.len() == 1 {
            self.below(place)
        } else {
            self.below(&format!("{place}/{}", self.stem()))
        }
    }

    /// Its files with this before their names, whether it is a folder or not.
    pub(super) fn spread(&self, before: &str) -> Vec<Entry> {
        self.files.iter().map(|(name, bytes)| Entry::new(format!("{before}{name}"), bytes.clone())).collect()
    }

    /// The name of the file it begins in.
    pub(super) fn main(&self) -> &str {
        self.files.first().map_or("", |(name, _)| name)
    }

    /// The text of its one file; none if there are several, which some targets have no place for.
    pub(super) fn single(&self) -> Option<&[u8]> {
        match self.files.as_slice() {
            [(_, bytes)] => Some(bytes),
            _ => None,
        }
    }
}

/// Reads a program's files, sorted by name; hidden ones are left out.
pub(super) fn files(path: &Path) -> Result<Program, Failure> {
    let unreadable = |error: &dyn std::fmt::Display| Failure::complaint(format!("{}: {error}", path.display()));
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let folder = path.is_dir();
    if !folder {
        let bytes = fs_err::read(path).map_err(|error| unreadable(&error))?;
        return Ok(Program { files: vec![(name.clone(), bytes)], name, folder });
    }
    let mut files = Vec::new();
    for entry in WalkDir::new(path).sort_by_file_name() {
        let entry = entry.map_err(|error| unreadable(&error))?;
        let below = entry.path().strip_prefix(path).unwrap_or(entry.path()).display().to_string();
        if entry.file_type().is_file() && !below.split('/').any(|part| part.starts_with('.')) {
            files.push((below, fs_err::read(entry.path()).map_err(|error| unreadable(&error))?));
        }
    }
    Ok(Program { name, files, folder })
}

/// The files of a program that stands beside the contestant's, which must speak `protocol` and be in C, C++ or Python.
///
/// # Errors
/// It can't be read, speaks another protocol, or is in a language that other judges do not take.
pub(super) fn companion(companion: &Companion, protocol: Protocol, target: &str) -> Result<Program, Failure> {
    let name = companion.source.display();
    if companion.protocol != protocol {
        let message =
            format!("{name} speaks the protocol `{}`, and {target} `{}`", companion.protocol.name(), protocol.name());
        return Err(Diagnostic::new(message).help("write one in that protocol (`nimatron guide programs`)").into());
    }
    let mut program = files(&companion.source)?;
    let language = program.extension().to_owned();
    if !["c", "cc", "cpp", "cxx", "py"].contains(&language.as_str()) {
        let message = format!("{name} is neither in C++ nor in Python, and other judges take no other checkers");
        return Err(Diagnostic::new(message).help("write it in C++ or Python to export the problem").into());
    }
    if !program.folder && language != "py" {
        program.files.extend(headers(&companion.source)?);
    }
    Ok(program)
}

/// The headers beside a file.
fn headers(path: &Path) -> Result<Vec<(String, Vec<u8>)>, Failure> {
    let mut found = Vec::new();
    for entry in WalkDir::new(path.parent().unwrap_or(path)).min_depth(1).max_depth(1).sort_by_file_name() {
        let entry = entry.map_err(|error| Failure::complaint(error.to_string()))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type().is_file() && [".h", ".hh", ".hpp"].iter().any(|end| name.ends_with(end)) {
            found.push((name, fs_err::read(entry.path()).map_err(|error| Failure::complaint(error.to_string()))?));
        }
    }
    Ok(found)
}
