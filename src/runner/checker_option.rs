//! A checker or an interactor that a user specifies in place of the problem's own.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::check::{CHECKER_NAMES, Comparer, NotationError};
use crate::lang::AuthorFiles;
use crate::model::{Diagnostic, Digest, Failure};
use crate::problem::{AuxProgram, Judging, Protocol};

use super::cache::Cache;

/// A checker that a user specifies: a built-in checker or a program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckerOption {
    /// A built-in checker.
    BuiltIn(Comparer),
    /// A checker program.
    Program(OwnAuxProgram),
}

/// An auxiliary program of the user: its files, and the protocol by which it is called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnAuxProgram {
    /// The files of the program.
    pub files: AuthorFiles,
    /// The protocol by which the program is called and returns its result.
    pub protocol: Protocol,
}

impl CheckerOption {
    /// Parses a checker as the user writes it: `exact`, `lines`, `tokens`, `float:1e-6`, `unordered`, each also with
    /// `fold_case`, or the path of a program as in [`OwnAuxProgram::read`].
    ///
    /// # Errors
    /// Fails if the text is neither a built-in checker nor the path of a program, or if the program can't be read or
    /// its name has no extension.
    pub fn read(text: &str) -> Result<CheckerOption, Failure> {
        match text.parse() {
            Ok(comparer) => Ok(CheckerOption::BuiltIn(comparer)),
            Err(NotationError::Name(name)) => {
                if program_path(text).1.exists() {
                    return OwnAuxProgram::read(text).map(CheckerOption::Program);
                }
                let names = CHECKER_NAMES.join(", ");
                let message = format!("`{text}` is neither a built-in checker nor an existing program");
                let diagnostic = Diagnostic::new(message);
                Err(match crate::yaml::nearest(&name, CHECKER_NAMES.into_iter()) {
                    Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
                    None => diagnostic.help(format!(
                        "the built-in checkers are {names}; `float` requires a tolerance, as in `float:1e-6`"
                    )),
                }
                .into())
            }
            Err(wrong) => Err(Diagnostic::new(wrong.to_string()).into()),
        }
    }

    /// Returns the method of judging outputs with this checker. If the checker is a program, the program is written to
    /// the cache.
    ///
    /// # Errors
    /// Fails if the cache can't be written.
    pub fn judging(&self, cache: &Cache) -> Result<Judging, Failure> {
        Ok(match self {
            CheckerOption::BuiltIn(comparer) => Judging::Compare(*comparer),
            CheckerOption::Program(program) => Judging::Checker { checker: program.aux_program(cache)?, passes: 1 },
        })
    }

    /// Describes the checker, such as `tokens` or `check.cpp (testlib)`.
    pub fn describe(&self) -> String {
        match self {
            CheckerOption::BuiltIn(comparer) => comparer.to_string(),
            CheckerOption::Program(program) => program.describe(),
        }
    }
}

impl OwnAuxProgram {
    /// Reads a program. A prefix names its protocol, as in `testlib:check.py` and `icpc:check.py`. Without a prefix, as
    /// in `check.cpp`, the source determines the protocol: testlib's if the source contains `testlib`; otherwise ICPC's
    /// if the files or included headers contain the number 42, ICPC's exit code for acceptance; otherwise testlib's, in
    /// which the exit code 0 accepts.
    ///
    /// # Errors
    /// Fails if the program can't be read, or if it is a file whose name has no extension.
    pub fn read(text: &str) -> Result<OwnAuxProgram, Failure> {
        let (protocol, path) = program_path(text);
        let files = AuthorFiles::read(&path).map_err(Failure::from)?;
        if path.extension().is_none() && !files.program.is_folder {
            let message = format!("`{}` has no extension, so its language is unknown", path.display());
            let help = format!("rename it, for example to `{}.py`", files.file_name());
            return Err(Diagnostic::new(message).help(help).into());
        }
        let protocol = protocol.unwrap_or_else(|| protocol_of(&files));
        Ok(OwnAuxProgram { files, protocol })
    }

    /// Writes the program to a folder of the cache whose name is the hash of the names and contents of the program's
    /// files, and returns the program as an auxiliary program.
    ///
    /// # Errors
    /// Fails if the cache can't be written.
    pub fn aux_program(&self, cache: &Cache) -> Result<AuxProgram, Failure> {
        let parts = self.files.files().flat_map(|(name, content)| [name.into_bytes(), content.to_vec()]);
        let parts: Vec<Vec<u8>> = parts.collect();
        let folder = cache.own_program(&Digest::of_parts(parts.iter().map(Vec::as_slice)));
        for (name, content) in self.files.files() {
            let file = folder.join(name);
            if fs_err::read(&file).ok().as_deref() != Some(content) {
                crate::data::write_whole(&file, content).map_err(|error| Failure::unwritable(&file, &error))?;
            }
        }
        let name = self.files.file_name();
        Ok(AuxProgram { name: Some(name.to_owned()), ..AuxProgram::new(folder.join(name), self.protocol) })
    }

    /// Describes the program, such as `check.cpp (testlib)`.
    pub fn describe(&self) -> String {
        format!("{} ({})", self.files.file_name(), self.protocol.name())
    }
}

/// Parses a path that may have the prefix `testlib:` or `icpc:`, and returns the protocol that the prefix names, if
/// any, and the path without the prefix. If `text` as a whole is the path of an existing file or folder, it is not
/// split.
fn program_path(text: &str) -> (Option<Protocol>, PathBuf) {
    let prefixed = [Protocol::Testlib, Protocol::Icpc].into_iter().find_map(|protocol| {
        let rest = text.strip_prefix(protocol.name())?.strip_prefix(':')?;
        Some((Some(protocol), PathBuf::from(rest)))
    });
    prefixed.filter(|_| !Path::new(text).exists()).unwrap_or_else(|| (None, PathBuf::from(text)))
}

fn protocol_of(files: &AuthorFiles) -> Protocol {
    let included = files.headers.iter().filter(|header| files.mentions(&header.name));
    let mut texts = files.program.files.iter().chain(included).map(|file| &*file.content.0);
    match files.mentions("testlib") {
        true => Protocol::Testlib,
        false if texts.any(has_42) => Protocol::Icpc,
        false => Protocol::Testlib,
    }
}

/// Returns whether a text contains `42` outside of words and of longer or decimal numbers.
fn has_42(text: &[u8]) -> bool {
    let part_of_word =
        |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte == b'.');
    memchr::memmem::find_iter(text, b"42").any(|at| {
        let before = at.checked_sub(1).and_then(|before| text.get(before));
        !part_of_word(before) && !part_of_word(text.get(at + 2))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(files: &[(&str, &str)]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for (name, content) in files {
            fs_err::write(dir.path().join(name), content).unwrap();
        }
        dir
    }

    #[test]
    fn the_source_decides_on_the_protocol() {
        let dir = written(&[
            ("a.cpp", "#include \"testlib.h\"\nint main() { quitf(_ok, \"42\"); }"),
            ("b.py", "import sys\nsys.exit(42)"),
            ("c.py", "import sys\nsys.exit(open(sys.argv[2]).read() != open(sys.argv[3]).read())"),
            ("d.py", "print(1420, 3.42, x42)"),
            ("e.py", "AC, WA = 42, 43"),
        ]);
        let protocol = |name: &str| OwnAuxProgram::read(&dir.path().join(name).display().to_string()).unwrap().protocol;
        let found = ["a.cpp", "b.py", "c.py", "d.py", "e.py"].map(protocol);
        use Protocol::{Icpc, Testlib};
        assert_eq!(found, [Testlib, Icpc, Testlib, Testlib, Icpc]);
        let prefixed = |protocol: &str| format!("{protocol}:{}", dir.path().join("c.py").display());
        assert_eq!(OwnAuxProgram::read(&prefixed("icpc")).unwrap().protocol, Icpc);
        assert_eq!(OwnAuxProgram::read(&prefixed("testlib")).unwrap().describe(), "c.py (testlib)");
    }

    #[test]
    fn only_headers_that_the_program_includes_decide() {
        let dir = written(&[
            ("a.cpp", "#include \"validate.h\"\n"),
            ("b.cpp", "int main() {}\n"),
            ("validate.h", "const int AC = 42;\n"),
        ]);
        let protocol = |name: &str| OwnAuxProgram::read(&dir.path().join(name).display().to_string()).unwrap().protocol;
        assert_eq!(["a.cpp", "b.cpp"].map(protocol), [Protocol::Icpc, Protocol::Testlib]);
    }

    #[test]
    fn neither_name_nor_path_is_an_error_with_a_suggestion() {
        for (text, part) in [
            ("tokes", "did you mean `tokens`?"),
            ("./none.cpp", "neither a built-in checker nor an existing program"),
            ("float", "requires a tolerance"),
            ("icpc:none.py", "neither a built-in checker nor an existing program"),
        ] {
            let error = CheckerOption::read(text).unwrap_err();
            let Failure::Complaint(complaint) = error else { panic!("{text}: {error}") };
            let whole = format!("{} {}", complaint.message, complaint.help.unwrap_or_default());
            assert!(whole.contains(part), "{text}: {whole}");
        }
    }

    #[test]
    fn a_program_is_written_to_the_cache_with_its_headers() {
        let dir = written(&[("check.cpp", "#include \"a.h\"\n"), ("a.h", "int a;\n")]);
        let cache = tempfile::tempdir().unwrap();
        let program = OwnAuxProgram::read(&dir.path().join("check.cpp").display().to_string()).unwrap();
        let laid = program.aux_program(&Cache::new(cache.path())).unwrap();
        assert_eq!(laid.source.file_name().unwrap(), "check.cpp");
        assert_eq!(fs_err::read(laid.source.with_file_name("a.h")).unwrap(), b"int a;\n");
        let again: OwnAuxProgram = serde_json::from_str(&serde_json::to_string(&program).unwrap()).unwrap();
        assert_eq!(again, program);
    }
}
