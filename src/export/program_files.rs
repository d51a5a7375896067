//! The files of programs: solutions, checkers, interactors.

use std::path::Path;

use walkdir::WalkDir;

use crate::data::Entry;
use crate::lang::java;
use crate::model::{Diagnostic, Failure};
use crate::problem::{AuxProgram, Protocol};

/// A program: one file, or a folder of files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramFiles {
    /// The name of the file or the folder.
    pub name: String,
    /// The files, by their path in the folder; of a single file its name.
    pub files: Vec<(String, Vec<u8>)>,
    /// Whether it is a folder.
    pub folder: bool,
}

impl ProgramFiles {
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
    pub(super) fn entries_in(&self, place: &str) -> Vec<Entry> {
        self.entries_with_prefix(&if self.folder { format!("{place}/{}/", self.name) } else { format!("{place}/") })
    }

    /// Its files below a folder in which each program of several files has a folder of its own.
    pub(super) fn entries_in_own_folder(&self, place: &str) -> Vec<Entry> {
        if self.folder || self.files.len() == 1 {
            self.entries_in(place)
        } else {
            self.entries_in(&format!("{place}/{}", self.stem()))
        }
    }

    /// Its files with this before their names, whether it is a folder or not.
    pub(super) fn entries_with_prefix(&self, before: &str) -> Vec<Entry> {
        self.files.iter().map(|(name, bytes)| Entry::new(format!("{before}{name}"), bytes.clone())).collect()
    }

    /// The program for a judge that compiles files under the names they have and defines nothing of its own: ours calls a
    /// file of Java after its public class, and C, C++ and Pascal may ask for `ONLINE_JUDGE`.
    ///
    /// # Errors
    /// Why such a judge would not run it as ours does.
    pub(super) fn portable_sources(&self) -> Result<ProgramFiles, String> {
        let mut program = self.clone();
        for (name, bytes) in &mut program.files {
            if let Some(defined) = with_online_judge(name, bytes) {
                *bytes = defined;
            }
        }
        let Some(text) = self.single().filter(|_| !self.folder && self.extension() == "java") else {
            return Ok(program);
        };
        let outline = java::outline(&String::from_utf8_lossy(text));
        if !outline.package.is_empty() {
            let why = "its class is in a package, and the format's tools look for one that is named as the file";
            return Err(why.to_owned());
        }
        let file = main_class(&outline).map(|class| format!("{class}.java")).filter(|file| *file != self.name);
        let Some(file) = file else { return Ok(program) };
        if !file.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.".contains(&byte)) {
            return Err(format!("it would have to be called {file}, and names of files are plain in the format"));
        }
        // Its folder has the name that the file had, which is nobody else's.
        program.folder = true;
        program.files[0].0 = file;
        Ok(program)
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

/// The class that a file of Java is named after: its public one, else `Main`, else the only one.
fn main_class(outline: &java::JavaOutline) -> Option<&str> {
    let types = || outline.types.iter();
    let only = || types().next().filter(|_| outline.types.len() == 1);
    let found = types().find(|(_, public)| *public).or_else(|| types().find(|(name, _)| name == "Main")).or_else(only);
    found.map(|(name, _)| name.as_str())
}

/// The text of a file with a definition of `ONLINE_JUDGE` at its head, if it asks for one.
fn with_online_judge(name: &str, bytes: &[u8]) -> Option<Vec<u8>> {
    let head = match name.rsplit_once('.')?.1 {
        "pas" => "{$define ONLINE_JUDGE}\n",
        "c" | "cc" | "cpp" | "cxx" | "h" | "hh" | "hpp" => "#ifndef ONLINE_JUDGE\n#define ONLINE_JUDGE\n#endif\n",
        _ => return None,
    };
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    text.windows("ONLINE_JUDGE".len()).any(|part| part == b"ONLINE_JUDGE").then(|| [head.as_bytes(), text].concat())
}

/// Reads a program's files, sorted by name; hidden ones are left out.
pub(super) fn read_program(path: &Path) -> Result<ProgramFiles, Failure> {
    let unreadable = |error: &dyn std::fmt::Display| Failure::complaint(format!("{}: {error}", path.display()));
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let folder = path.is_dir();
    if !folder {
        let bytes = fs_err::read(path).map_err(|error| unreadable(&error))?;
        return Ok(ProgramFiles { files: vec![(name.clone(), bytes)], name, folder });
    }
    let mut files = Vec::new();
    for entry in WalkDir::new(path).sort_by_file_name() {
        let entry = entry.map_err(|error| unreadable(&error))?;
        let below = entry.path().strip_prefix(path).unwrap_or(entry.path()).display().to_string();
        if entry.file_type().is_file() && !below.split('/').any(|part| part.starts_with('.')) {
            files.push((below, fs_err::read(entry.path()).map_err(|error| unreadable(&error))?));
        }
    }
    Ok(ProgramFiles { name, files, folder })
}

/// What a program beside the contestant's does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum JudgeRole {
    /// It looks at the output.
    Checker,
    /// It talks with the program.
    Interactor,
}

/// What a target makes of an output that a checker in ICPC's protocol accepts for a part of the points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PartialCredit {
    /// It takes the share, and it alone.
    Multiplier,
    /// It accepts the output for all of them.
    None,
    /// The program judges no outputs.
    NotApplicable,
}

impl PartialCredit {
    /// The files that mean something else there than here.
    const fn unsupported_files(self) -> &'static [&'static str] {
        match self {
            // There `score.txt` has points; here it has the share too.
            PartialCredit::Multiplier => &["score.txt"],
            PartialCredit::None => &SCORES,
            PartialCredit::NotApplicable => &[],
        }
    }
}

/// The files in which ICPC's protocol says how much an output earns, and the words for it in programs with testlib.
const SCORES: [&str; 2] = ["score.txt", "score_multiplier.txt"];
const POINTS: [&str; 4] = ["quitp", "quitpi", "_pc", "_points"];

/// # Errors
/// The program's text has one of these words, by which it would accept in part what the target takes as a whole.
fn refuse_partial_credit(program: &ProgramFiles, target: &str, words: &[&str]) -> Result<(), Failure> {
    let own = program.files.iter().filter(|(name, _)| !name.ends_with(".h"));
    let texts: Vec<_> = own.map(|(_, bytes)| String::from_utf8_lossy(bytes)).collect();
    let Some(word) = words.iter().find(|word| texts.iter().any(|text| mentions(text, word))) else { return Ok(()) };
    let name = &program.name;
    let message = format!("`{word}` in {name} gives a part of the points, and {target} has no words for that");
    let help = "the format icpc has them for a checker that writes `score_multiplier.txt`";
    Err(Diagnostic::new(message).help(help).into())
}

/// Whether a text has this word, and not in a longer one.
fn mentions(text: &str, word: &str) -> bool {
    let inside = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + word.len()..]);
        !before.ends_with(inside) && !after.starts_with(inside)
    })
}

/// The files of a program that stands beside the contestant's, for a target where ICPC's protocol is spoken.
///
/// # Errors
/// It can't be read, speaks another protocol, gives credit that the target does not, or is in a language that other judges
/// do not take.
pub(super) fn for_icpc(aux_program: &AuxProgram, target: &str, credit: PartialCredit) -> Result<ProgramFiles, Failure> {
    let program = portable_files(aux_program)?;
    if aux_program.protocol != Protocol::Icpc {
        return Err(wrong_protocol(aux_program, Protocol::Icpc, target, "write one in that protocol"));
    }
    refuse_partial_credit(&program, target, credit.unsupported_files())?;
    with_headers(program, aux_program)
}

/// The same where testlib's is spoken: one file in C++ that speaks ICPC's is given a bridge.
///
/// # Errors
/// As [`for_icpc`]; it is given arguments, which nobody else gives by testlib's convention.
pub(super) fn for_testlib(aux_program: &AuxProgram, role: JudgeRole, target: &str) -> Result<ProgramFiles, Failure> {
    let mut program = portable_files(aux_program)?;
    if aux_program.protocol == Protocol::Icpc && program.single().is_some() && is_cpp(program.extension()) {
        refuse_partial_credit(&program, target, &SCORES)?;
        program.files = bridge(&program, role, &aux_program.args);
    } else if aux_program.protocol != Protocol::Testlib {
        return Err(wrong_protocol(
            aux_program,
            Protocol::Testlib,
            target,
            "write one in that protocol, or in C++ in one file",
        ));
    } else if !aux_program.args.is_empty() {
        let name = aux_program.source.display();
        let message = format!("{name} is given arguments, and {target} has no words for them");
        return Err(Diagnostic::new(message).help("write them into a program of its own").into());
    } else {
        refuse_partial_credit(&program, target, &POINTS)?;
    }
    with_headers(program, aux_program)
}

fn is_cpp(extension: &str) -> bool {
    ["cc", "cpp", "cxx"].contains(&extension)
}

/// Its files, if it is in C, C++ or Python.
fn portable_files(aux_program: &AuxProgram) -> Result<ProgramFiles, Failure> {
    let program = read_program(&aux_program.source)?;
    if !is_cpp(program.extension()) && !["c", "py"].contains(&program.extension()) {
        let name = aux_program.source.display();
        let message = format!("{name} is neither in C++ nor in Python, and other judges take no other checkers");
        return Err(Diagnostic::new(message).help("write it in C++ or Python to export the problem").into());
    }
    Ok(program)
}

fn wrong_protocol(aux_program: &AuxProgram, wanted: Protocol, target: &str, help: &str) -> Failure {
    let (name, own) = (aux_program.source.display(), aux_program.protocol.name());
    let message = format!("{name} speaks the protocol `{own}`, and {target} `{}`", wanted.name());
    Diagnostic::new(message).help(format!("{help} (`nimatron guide programs`)")).into()
}

/// The program, with the headers beside it if it is a file that may include them.
fn with_headers(mut program: ProgramFiles, aux_program: &AuxProgram) -> Result<ProgramFiles, Failure> {
    if !program.folder && program.extension() != "py" {
        program.files.extend(headers(&aux_program.source)?);
    }
    Ok(program)
}

/// A program in C++ that speaks ICPC's protocol as one that speaks testlib's: first what takes its name, then the program
/// itself, which is included.
fn bridge(program: &ProgramFiles, role: JudgeRole, args: &[String]) -> Vec<(String, Vec<u8>)> {
    // As a header, so that no judge takes it for a program of its own.
    let inner = format!("{}.icpc.h", program.stem());
    let literal = |arg: &String| arg.bytes().map(|byte| format!("\\{byte:03o}")).collect::<String>();
    let arguments: String = args.iter().map(|arg| format!(", \"{}\"", literal(arg))).collect();
    let text = include_str!("bridge.cpp")
        .replace("{PROGRAM}", &inner)
        .replace("{CHECKER}", if role == JudgeRole::Checker { "true" } else { "false" })
        .replace("{ARGUMENTS}", &arguments);
    let own = program.files.iter().map(|(_, bytes)| (inner.clone(), bytes.clone()));
    std::iter::once((program.name.clone(), text.into_bytes())).chain(own).collect()
}

/// The headers beside a file.
fn headers(path: &Path) -> Result<Vec<(String, Vec<u8>)>, Failure> {
    let mut found = Vec::new();
    for entry in WalkDir::new(path.parent().unwrap_or(path)).min_depth(1).max_depth(1).sort_by_file_name() {
        let entry = entry.map_err(|error| Failure::unreadable(&error.into()))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type().is_file() && [".h", ".hh", ".hpp"].iter().any(|end| name.ends_with(end)) {
            found.push((name, fs_err::read(entry.path()).map_err(|error| Failure::unreadable(&error))?));
        }
    }
    Ok(found)
}
