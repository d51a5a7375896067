//! Files of exported programs: solutions, checkers, interactors and validators.

use std::path::Path;

use walkdir::WalkDir;

use crate::data::Entry;
use crate::lang::{Syntax, java};
use crate::model::{Diagnostic, Failure};
use crate::problem::{AuxProgram, Protocol};

/// A program that consists of a file or a folder of files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramFiles {
    /// Name of the file or folder.
    pub name: String,
    /// The contents of the files, by path in the folder. The path of a single file is its name.
    pub files: Vec<(String, Vec<u8>)>,
    /// Whether the program is a folder.
    pub folder: bool,
}

impl ProgramFiles {
    /// Returns the name of the program without its extension.
    pub(super) fn stem(&self) -> &str {
        if self.folder { &self.name } else { self.name.rsplit_once('.').map_or(self.name.as_str(), |(stem, _)| stem) }
    }

    /// Returns the extension of the first file that has an extension, or an empty string if no file has one.
    pub(super) fn extension(&self) -> &str {
        let mut ends = self.files.iter().filter_map(|(name, _)| name.rsplit_once('.'));
        ends.next().map_or("", |(_, end)| end)
    }

    /// Returns the files of the program in the folder `place`, or in a subfolder of `place` if the program is a folder.
    pub(super) fn entries_in(&self, place: &str) -> Vec<Entry> {
        self.entries_with_prefix(&if self.folder { format!("{place}/{}/", self.name) } else { format!("{place}/") })
    }

    /// Returns the files of the program in the folder `place`, in a subfolder if the program is a folder or has several
    /// files.
    pub(super) fn entries_in_own_folder(&self, place: &str) -> Vec<Entry> {
        if self.folder || self.files.len() == 1 {
            self.entries_in(place)
        } else {
            self.entries_in(&format!("{place}/{}", self.stem()))
        }
    }

    /// Returns the files of the program with a prefix before their names.
    pub(super) fn entries_with_prefix(&self, before: &str) -> Vec<Entry> {
        self.files.iter().map(|(name, bytes)| Entry::new(format!("{before}{name}"), bytes.clone())).collect()
    }

    /// Adapts the program for a judge that compiles files under their original names and defines no macros. Nimatron
    /// names a Java file after its public class, and programs in C, C++ and Pascal may test `ONLINE_JUDGE`.
    ///
    /// # Errors
    /// Returns the reason why such a judge would not run the program as Nimatron does.
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
            let why = "its class is in a package, but the format requires the default package; \
                       remove the `package` declaration";
            return Err(why.to_owned());
        }
        let file = main_class(&outline).map(|class| format!("{class}.java")).filter(|file| *file != self.name);
        let Some(file) = file else { return Ok(program) };
        if !file.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.".contains(&byte)) {
            return Err(format!(
                "it must be named `{file}`, which is not a valid file name in the format; rename the main class"
            ));
        }
        // Several programs may have the same main class. The file is put into a folder with the name of the original
        // file, which is unique.
        program.folder = true;
        program.files[0].0 = file;
        Ok(program)
    }

    /// Returns the name of the first file, which contains the entry point unless the program is a folder. Returns an
    /// empty string if there are no files.
    pub(super) fn main(&self) -> &str {
        self.files.first().map_or("", |(name, _)| name)
    }

    /// Returns the content of the only file, or `None` unless the program has exactly one file. Some formats require a
    /// single file.
    pub(super) fn single(&self) -> Option<&[u8]> {
        match self.files.as_slice() {
            [(_, bytes)] => Some(bytes),
            _ => None,
        }
    }
}

/// Returns the class after which a Java file is named: the public class, otherwise `Main`, otherwise the only class.
/// Returns `None` if there is none of these.
fn main_class(outline: &java::JavaOutline) -> Option<&str> {
    let types = || outline.types.iter();
    let only = || types().next().filter(|_| outline.types.len() == 1);
    let found = types().find(|(_, public)| *public).or_else(|| types().find(|(name, _)| name == "Main")).or_else(only);
    found.map(|(name, _)| name.as_str())
}

/// Adds a definition of `ONLINE_JUDGE` to a file in C, C++ or Pascal that contains this identifier. Returns `None` for
/// other files.
fn with_online_judge(name: &str, bytes: &[u8]) -> Option<Vec<u8>> {
    let head = match name.rsplit_once('.')?.1 {
        "pas" => "{$define ONLINE_JUDGE}\n",
        extension if Syntax::is_c_or_cpp(extension) => "#ifndef ONLINE_JUDGE\n#define ONLINE_JUDGE\n#endif\n",
        _ => return None,
    };
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    text.windows("ONLINE_JUDGE".len()).any(|part| part == b"ONLINE_JUDGE").then(|| [head.as_bytes(), text].concat())
}

/// Reads the files of a program, sorted by name. Hidden files are ignored.
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

/// The role of an auxiliary program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum JudgeRole {
    /// A program that checks the output.
    Checker,
    /// A program that communicates with the submission.
    Interactor,
}

/// The target's treatment of an output that an ICPC checker accepts with a part of the points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PartialCredit {
    /// The target interprets `score_multiplier.txt` in the same way as Nimatron, but not `score.txt`.
    Multiplier,
    /// The target awards all points.
    None,
    /// The program does not judge outputs.
    NotApplicable,
}

impl PartialCredit {
    /// Returns the score files of an ICPC checker that the target does not support or interprets differently.
    const fn unsupported_files(self) -> &'static [&'static str] {
        match self {
            // The target reads points from `score.txt`, whereas Nimatron also accepts a fraction there.
            PartialCredit::Multiplier => &["score.txt"],
            PartialCredit::None => &SCORES,
            PartialCredit::NotApplicable => &[],
        }
    }
}

/// The files to which an ICPC checker writes a score or a score multiplier.
const SCORES: [&str; 2] = ["score.txt", "score_multiplier.txt"];
/// The identifiers that a testlib checker uses to award partial points.
const POINTS: [&str; 4] = ["quitp", "quitpi", "_pc", "_points"];

/// Refuses a program that awards partial points.
///
/// # Errors
/// Fails if a file of the program other than a `.h` header contains one of the identifiers or file names in `words`,
/// because the target does not support partial points.
fn refuse_partial_credit(program: &ProgramFiles, target: &str, words: &[&str]) -> Result<(), Failure> {
    let own = program.files.iter().filter(|(name, _)| !name.ends_with(".h"));
    let texts: Vec<_> = own.map(|(_, bytes)| String::from_utf8_lossy(bytes)).collect();
    let Some(word) = words.iter().find(|word| texts.iter().any(|text| mentions(text, word))) else { return Ok(()) };
    let name = &program.name;
    let message =
        format!("`{name}` contains `{word}`, which awards partial points; {target} does not support partial points");
    let help = "to award partial points, export in the format `icpc`, specify points for the groups, and write \
                `score_multiplier.txt` in the checker";
    Err(Diagnostic::new(message).help(help).into())
}

/// Returns whether a text contains `word` as a whole word.
fn mentions(text: &str, word: &str) -> bool {
    let inside = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + word.len()..]);
        !before.ends_with(inside) && !after.starts_with(inside)
    })
}

/// Returns the files of an auxiliary program for a target that uses the ICPC protocol.
///
/// # Errors
/// Fails if the program can't be read, uses another protocol, awards partial points that the target does not support,
/// or is in a language that other judges do not support.
pub(super) fn for_icpc(aux_program: &AuxProgram, target: &str, credit: PartialCredit) -> Result<ProgramFiles, Failure> {
    let program = portable_files(aux_program)?;
    if aux_program.protocol != Protocol::Icpc {
        let help = "rewrite the program for the required protocol";
        return Err(wrong_protocol(aux_program, Protocol::Icpc, target, help));
    }
    refuse_partial_credit(&program, target, credit.unsupported_files())?;
    with_headers(program, aux_program)
}

/// Returns the files of an auxiliary program for a target that uses testlib's protocol. A single-file C++ program that
/// uses the ICPC protocol is combined with a bridge.
///
/// # Errors
/// Fails under the same conditions as [`for_icpc`], and if a program that uses testlib's protocol has arguments.
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
            "rewrite the program for the required protocol, or as a single C++ file that uses the protocol `icpc`",
        ));
    } else if !aux_program.args.is_empty() {
        let name = aux_program.source.display();
        let message = format!("`{name}` has arguments, but {target} does not pass arguments to programs");
        return Err(Diagnostic::new(message).help("write the values of the arguments into the source code").into());
    } else {
        refuse_partial_credit(&program, target, &POINTS)?;
    }
    with_headers(program, aux_program)
}

fn is_cpp(extension: &str) -> bool {
    ["cc", "cpp", "cxx"].contains(&extension)
}

/// Reads the files of a program, which must be in C, C++ or Python.
fn portable_files(aux_program: &AuxProgram) -> Result<ProgramFiles, Failure> {
    let program = read_program(&aux_program.source)?;
    if !is_cpp(program.extension()) && !["c", "py"].contains(&program.extension()) {
        let name = aux_program.source.display();
        let message = format!("`{name}` must be written in C, C++ or Python, because other judges require this");
        return Err(Diagnostic::new(message).help("rewrite the program in C++ or Python to export the problem").into());
    }
    Ok(program)
}

fn wrong_protocol(aux_program: &AuxProgram, wanted: Protocol, target: &str, help: &str) -> Failure {
    let (name, own) = (aux_program.source.display(), aux_program.protocol.name());
    let message = format!("`{name}` uses the protocol `{own}`, but {target} requires `{}`", wanted.name());
    Diagnostic::new(message).help(format!("{help}; see `nimatron guide programs`")).into()
}

/// Adds the headers in the folder of the source file to a C or C++ program, unless the program is a folder.
fn with_headers(mut program: ProgramFiles, aux_program: &AuxProgram) -> Result<ProgramFiles, Failure> {
    if !program.folder && program.extension() != "py" {
        program.files.extend(headers(&aux_program.source)?);
    }
    Ok(program)
}

/// Combines a C++ program of the ICPC protocol with a bridge to testlib's protocol. The file of the bridge has the
/// program's name and includes the program.
fn bridge(program: &ProgramFiles, role: JudgeRole, args: &[String]) -> Vec<(String, Vec<u8>)> {
    // The original source file is renamed to a header, so that no judge treats it as a separate program.
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

/// Returns the names and contents of the headers in the folder of a file.
fn headers(path: &Path) -> Result<Vec<(String, Vec<u8>)>, Failure> {
    let mut found = Vec::new();
    for entry in WalkDir::new(path.parent().unwrap_or(path)).min_depth(1).max_depth(1).sort_by_file_name() {
        let entry = entry.map_err(|error| Failure::user_file(&error.into()))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type().is_file() && [".h", ".hh", ".hpp"].iter().any(|end| name.ends_with(end)) {
            found.push((name, fs_err::read(entry.path()).map_err(|error| Failure::user_file(&error))?));
        }
    }
    Ok(found)
}
