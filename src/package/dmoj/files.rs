//! Where the files of a package lie: in its folder or in its zip, with line ends as DMOJ gives them to programs.

use std::path::{Path, PathBuf};

use crate::model::{Diagnostic, Failure};

use super::super::archive;
use super::super::kept::{Kept, LastLine};
use super::super::tree::Tree;

/// The files of a package.
#[derive(Debug)]
pub(super) struct Files<'a> {
    tree: &'a Tree,
    archive: Option<Tree>,
    kept: Kept<'a>,
}

impl<'a> Files<'a> {
    /// The files of this folder and of the zip that is named in it.
    ///
    /// # Errors
    /// The zip is not there, or is refused.
    pub(super) fn open(tree: &'a Tree, archive: Option<&str>, cache: &'a Path) -> Result<Files<'a>, Failure> {
        let kept = Kept::new(cache);
        let Some(name) = archive else { return Ok(Files { tree, archive: None, kept }) };
        let file = tree.file(plain(name)).ok_or_else(|| {
            Diagnostic::new(format!("`archive`: there is no file `{name}`")).in_file(tree.origin("init.yml"))
        })?;
        Ok(Files { tree, archive: Some(Tree::scan(&archive::unpack(file, cache)?)?), kept })
    }

    /// The names of the files in the zip.
    pub(super) fn archived(&self) -> Option<Vec<String>> {
        self.archive.as_ref().map(|tree| tree.files_below(""))
    }

    /// A file in the folder.
    pub(super) fn beside(&self, name: &str) -> Option<&Path> {
        self.tree.file(plain(name))
    }

    /// The file of a case; without a name an empty one.
    ///
    /// # Errors
    /// It is neither in the folder nor in the zip, or can't be read; or the cache can't be written.
    pub(super) fn of_case(&self, name: Option<&str>, binary: bool) -> Result<PathBuf, Failure> {
        let Some(name) = name else { return self.kept.empty() };
        let found = self.beside(name).or_else(|| self.archive.as_ref()?.file(plain(name)));
        let Some(path) = found else {
            let place = if self.archive.is_some() { "the folder nor in the archive" } else { "the folder" };
            let message = format!("the file `{name}` of a case is not in {place}");
            return Err(Diagnostic::new(message).in_file(self.tree.origin("init.yml")).into());
        };
        if binary { Ok(path.to_owned()) } else { self.kept.plain_lines(path, LastLine::Ended) }
    }

    /// A folder of files for a program.
    ///
    /// # Errors
    /// The cache can't be written.
    pub(super) fn lay_out(&self, files: &[(String, Vec<u8>)]) -> Result<PathBuf, Failure> {
        self.kept.lay_out(files)
    }
}

/// A name without the dot that means this folder.
fn plain(name: &str) -> &str {
    name.trim_start_matches("./")
}
