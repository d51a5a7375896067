//! Where the files of a package lie: in its folder or in its zip, with line ends as DMOJ gives them to programs.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::lang::LARGEST_AUTHOR_SOURCE;
use crate::model::{ByteSize, Diagnostic, Failure};

use super::super::archive;
use super::super::cache::{LastLine, PackageCache};
use super::super::tree::{Tree, join};

/// The files of a package.
#[derive(Debug)]
pub(super) struct Files<'a> {
    tree: &'a Tree,
    archive: Option<Tree>,
    kept: PackageCache<'a>,
    /// The folders of programs that were laid out, by the names of their files.
    laid: RefCell<BTreeMap<Vec<String>, PathBuf>>,
}

impl<'a> Files<'a> {
    /// The files of this folder and of the zip that is named in it, whose notes are added to these.
    ///
    /// # Errors
    /// The zip is not there, or is refused.
    pub(super) fn open(
        tree: &'a Tree,
        archive: Option<&str>,
        cache: &'a Path,
        notes: &mut Vec<String>,
    ) -> Result<Files<'a>, Failure> {
        let (kept, laid) = (PackageCache::new(cache), RefCell::default());
        let Some(name) = archive else { return Ok(Files { tree, archive: None, kept, laid }) };
        let file = tree.file(plain(name)).ok_or_else(|| {
            Diagnostic::new(format!("`archive`: there is no file `{name}`")).in_file(tree.origin("init.yml"))
        })?;
        let unpacked = Tree::scan(&archive::unpack(file, cache)?)?;
        notes.extend(unpacked.notes().iter().map(|note| format!("{name}: {note}")));
        Ok(Files { tree, archive: Some(unpacked), kept, laid })
    }

    /// The names of the files in the zip.
    pub(super) fn archived(&self) -> Option<Vec<String>> {
        self.archive.as_ref().map(|tree| tree.files_below(""))
    }

    /// A file in the folder.
    pub(super) fn beside(&self, name: &str) -> Option<&Path> {
        self.tree.file(plain(name))
    }

    /// The header files in the folder of this file.
    pub(super) fn headers_beside(&self, name: &str) -> Vec<(String, PathBuf)> {
        let folder = plain(name).rsplit_once('/').map_or("", |(folder, _)| folder);
        let headers = self.tree.list(folder).map(|(name, _)| join(folder, name)).filter(|name| is_header(name));
        headers.filter_map(|name| self.tree.file(&name).map(Path::to_owned).map(|path| (name, path))).collect()
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

    /// The place of a program with these files: many cases may name the same one.
    ///
    /// # Errors
    /// Those of `find`, which is asked once.
    pub(super) fn once(
        &self,
        names: Vec<String>,
        find: impl FnOnce() -> Result<PathBuf, Failure>,
    ) -> Result<PathBuf, Failure> {
        let known = self.laid.borrow().get(&names).cloned();
        if let Some(place) = known {
            return Ok(place);
        }
        let place = find()?;
        self.laid.borrow_mut().insert(names, place.clone());
        Ok(place)
    }
}

/// What is in the files of a program, under their last names.
///
/// # Errors
/// They are larger than a program may be, which is seen before one is read, or can't be read.
pub(super) fn contents(files: &[(String, PathBuf)]) -> Result<Vec<(String, Vec<u8>)>, Failure> {
    let unreadable = |error: std::io::Error| Failure::complaint(error.to_string());
    let mut bytes = 0_u64;
    for (name, path) in files {
        bytes = bytes.saturating_add(fs_err::metadata(path).map_err(unreadable)?.len());
        if bytes > LARGEST_AUTHOR_SOURCE {
            let most = ByteSize::new(LARGEST_AUTHOR_SOURCE).human();
            let message = format!("`{name}` makes a program and the headers beside it larger than {most}");
            return Err(Failure::complaint(message));
        }
    }
    let read = |(name, path): &(String, PathBuf)| Ok((base(name), fs_err::read(path)?));
    files.iter().map(read).collect::<std::io::Result<_>>().map_err(unreadable)
}

fn base(name: &str) -> String {
    name.rsplit('/').next().unwrap_or(name).to_owned()
}

/// Whether this is the name of a header file.
pub(super) fn is_header(name: &str) -> bool {
    [".h", ".hh", ".hpp", ".hxx"].iter().any(|end| name.ends_with(end))
}

/// A name without the dot that means this folder.
fn plain(name: &str) -> &str {
    name.trim_start_matches("./")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_looked_for_once() {
        let dir = tempfile::tempdir().unwrap();
        let tree = Tree::scan(dir.path()).unwrap();
        let files = Files::open(&tree, None, dir.path(), &mut Vec::new()).unwrap();
        let find = |names: &[&str], found: &str| {
            let names = names.iter().map(|name| (*name).to_owned()).collect();
            files.once(names, || Ok(PathBuf::from(found))).unwrap()
        };
        assert_eq!(find(&["a.c"], "one"), Path::new("one"));
        assert_eq!(find(&["a.c"], "two"), Path::new("one"));
        assert_eq!(find(&["a.c", "b.h"], "two"), Path::new("two"));
    }
}
