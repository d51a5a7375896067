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

/// What a program beside the contestant's does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// It looks at the output.
    Checker,
    /// It talks with the program.
    Interactor,
}

/// The files of a program that stands beside the contestant's, for a target where ICPC's protocol is spoken.
///
/// # Errors
/// It can't be read, speaks another protocol, or is in a language that other judges do not take.
pub(super) fn for_icpc(companion: &Companion, target: &str) -> Result<Program, Failure> {
    let program = portable(companion)?;
    if companion.protocol != Protocol::Icpc {
        return Err(foreign(companion, Protocol::Icpc, target, "write one in that protocol"));
    }
    with_headers(program, companion)
}

/// The same where testlib's is spoken: one file in C++ that speaks ICPC's is given a bridge.
///
/// # Errors
/// As [`for_icpc`].
pub(super) fn for_testlib(companion: &Companion, role: Role, target: &str) -> Result<Program, Failure> {
    let mut program = portable(companion)?;
    if companion.protocol == Protocol::Icpc && program.single().is_some() && is_cpp(program.extension()) {
        program.files = bridge(&program, role, &companion.args);
    } else if companion.protocol != Protocol::Testlib {
        return Err(foreign(companion, Protocol::Testlib, target, "write one in that protocol, or in C++ in one file"));
    }
    with_headers(program, companion)
}

fn is_cpp(extension: &str) -> bool {
    ["cc", "cpp", "cxx"].contains(&extension)
}

/// Its files, if it is in C, C++ or Python.
fn portable(companion: &Companion) -> Result<Program, Failure> {
    let program = files(&companion.source)?;
    if !is_cpp(program.extension()) && !["c", "py"].contains(&program.extension()) {
        let name = companion.source.display();
        let message = format!("{name} is neither in C++ nor in Python, and other judges take no other checkers");
        return Err(Diagnostic::new(message).help("write it in C++ or Python to export the problem").into());
    }
    Ok(program)
}

fn foreign(companion: &Companion, wanted: Protocol, target: &str, help: &str) -> Failure {
    let (name, own) = (companion.source.display(), companion.protocol.name());
    let message = format!("{name} speaks the protocol `{own}`, and {target} `{}`", wanted.name());
    Diagnostic::new(message).help(format!("{help} (`nimatron guide programs`)")).into()
}

/// The program, with the headers beside it if it is a file that may include them.
fn with_headers(mut program: Program, companion: &Companion) -> Result<Program, Failure> {
    if !program.folder && program.extension() != "py" {
        program.files.extend(headers(&companion.source)?);
    }
    Ok(program)
}

/// A program in C++ that speaks ICPC's protocol as one that speaks testlib's: first what takes its name, then the program
/// itself, which is included.
fn bridge(program: &Program, role: Role, args: &[String]) -> Vec<(String, Vec<u8>)> {
    // As a header, so that no judge takes it for a program of its own.
    let inner = format!("{}.icpc.h", program.stem());
    let literal = |arg: &String| arg.bytes().map(|byte| format!("\\{byte:03o}")).collect::<String>();
    let arguments: String = args.iter().map(|arg| format!(", \"{}\"", literal(arg))).collect();
    let text = include_str!("bridge.cpp")
        .replace("{PROGRAM}", &inner)
        .replace("{CHECKER}", if role == Role::Checker { "true" } else { "false" })
        .replace("{ARGUMENTS}", &arguments);
    let own = program.files.iter().map(|(_, bytes)| (inner.clone(), bytes.clone()));
    std::iter::once((program.name.clone(), text.into_bytes())).chain(own).collect()
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
