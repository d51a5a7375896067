//! The files of a problem author's program in memory, with relative paths.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::model::{RawBytes, folder_of};

use super::bundle::{BundledFile, SourceBundle};
use super::source::{check_is_not_blank, check_is_text};
use super::source_error::{LARGEST_AUTHOR_SOURCE, SourceError};
use super::source_files::{self, repository_root};
use super::syntax::Syntax;

/// File name of the header of testlib, which is also searched for in the folders above a program.
pub const TESTLIB: &str = "testlib.h";
/// Number of folders above a program that are searched for [`TESTLIB`].
pub const TESTLIB_FOLDERS: usize = 4;

/// The files of a program that a problem author wrote: a checker, an interactor, a generator or a validator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuthorFiles {
    /// The program: a file or a folder.
    pub program: SourceBundle,
    /// The header files that belong to a program of one C or C++ file.
    #[serde(default)]
    pub headers: Vec<BundledFile>,
}

impl AuthorFiles {
    /// Reads a program. If the program is one C or C++ file, the headers in its folder belong to it. If such a
    /// program mentions `testlib.h` and its folder does not contain this header, the header is read from the nearest of
    /// the [`TESTLIB_FOLDERS`] folders above that contains a `testlib.h`, if there is one.
    ///
    /// # Errors
    /// Fails if a file or a link is refused (see [`SourceError`]), or if the program is a single file that is binary, empty
    /// or blank.
    pub fn read(path: &Path) -> Result<AuthorFiles, SourceError> {
        let bounds = repository_root(path);
        let program = SourceBundle::read_author(path, None, &bounds)?;
        let extension = path.extension().unwrap_or_default().to_string_lossy();
        let with_headers = Syntax::is_c_or_cpp(&extension);
        if let ([file], false) = (program.files.as_slice(), program.is_folder) {
            check_is_text(path, &file.content.0)?;
            check_is_not_blank(path, &file.content.0)?;
        }
        let mut headers = Vec::new();
        if with_headers && !program.is_folder {
            let folder = folder_of(path);
            for name in source_files::headers(folder, &bounds)? {
                headers.push(header(folder, name)?);
            }
            if names(&program, TESTLIB) && headers.iter().all(|header| header.name != TESTLIB) {
                let above = testlib_above(folder);
                headers.extend(above.map(|above| header(&above, TESTLIB.to_owned())).transpose()?);
            }
        }
        Ok(AuthorFiles { program, headers })
    }

    /// Returns whether a file of `program` contains `text`. The files in `headers` are not searched.
    pub fn mentions(&self, text: &str) -> bool {
        names(&self.program, text)
    }

    /// Returns the name of the program's file or folder, without the folders above it.
    pub fn file_name(&self) -> &str {
        let name = self.program.name.trim_end_matches('/');
        name.rsplit('/').next().unwrap_or(name)
    }

    /// Returns the paths and contents of all files. The paths are relative to a folder that contains the program under
    /// the name [`AuthorFiles::file_name`].
    pub fn files(&self) -> impl Iterator<Item = (String, &[u8])> {
        let below = if self.program.is_folder { format!("{}/", self.file_name()) } else { String::new() };
        let own = self.program.files.iter().map(move |file| (format!("{below}{}", file.name), &*file.content.0));
        own.chain(self.headers.iter().map(|file| (file.name.clone(), &*file.content.0)))
    }
}

/// Returns the nearest of the [`TESTLIB_FOLDERS`] folders above `folder` that contains the header of testlib, or `None`
/// if none of them does.
pub(super) fn testlib_above(folder: &Path) -> Option<PathBuf> {
    let whole = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let mut above = whole.ancestors().skip(1).take(TESTLIB_FOLDERS);
    above.find(|above| above.join(TESTLIB).is_file()).map(Path::to_owned)
}

fn header(folder: &Path, name: String) -> Result<BundledFile, SourceError> {
    let content = source_files::file(&folder.join(&name), LARGEST_AUTHOR_SOURCE)?;
    Ok(BundledFile { name, content: RawBytes(content) })
}

fn names(program: &SourceBundle, text: &str) -> bool {
    program.files.iter().any(|file| memchr::memmem::find(&file.content.0, text.as_bytes()).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_beside_a_program_and_testlib_above_it_belong_to_it() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("a/b");
        fs_err::create_dir_all(&folder).unwrap();
        fs_err::write(dir.path().join("testlib.h"), "// testlib").unwrap();
        fs_err::write(folder.join("own.h"), "// own").unwrap();
        fs_err::write(folder.join("check.cpp"), "#include \"testlib.h\"\n").unwrap();
        fs_err::write(folder.join("plain.cpp"), "int main() {}\n").unwrap();
        fs_err::write(folder.join("old.C"), "int main() {}\n").unwrap();
        fs_err::write(folder.join("check.py"), "import sys\n").unwrap();
        let files = |name: &str| -> Vec<String> {
            AuthorFiles::read(&folder.join(name)).unwrap().files().map(|(name, _)| name).collect()
        };
        assert_eq!(files("check.cpp"), ["check.cpp", "own.h", "testlib.h"]);
        assert_eq!(files("plain.cpp"), ["plain.cpp", "own.h"]);
        assert_eq!(files("old.C"), ["old.C", "own.h"]);
        assert_eq!(files("check.py"), ["check.py"]);
        fs_err::write(folder.join("check"), b"\x7fELF\x02").unwrap();
        let compiled = AuthorFiles::read(&folder.join("check")).unwrap_err().to_string();
        assert!(compiled.contains("is a compiled program; submit its source"), "{compiled}");
        fs_err::write(folder.join("check.py"), " \n").unwrap();
        let blank = AuthorFiles::read(&folder.join("check.py")).unwrap_err();
        assert!(matches!(blank, SourceError::Empty { blank: true, .. }), "{blank}");
        fs_err::remove_file(folder.join("check")).unwrap();
        let whole = AuthorFiles::read(&folder).unwrap();
        assert_eq!(whole.file_name(), "b");
        assert!(whole.files().any(|(name, _)| name == "b/check.py"));
    }
}
