//! Where the files of a package lie: in its folder or in its zip, with line ends as DMOJ gives them to programs.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::lang::LARGEST_AUTHOR_SOURCE;
use crate::model::{ByteSize, Diagnostic, Failure};

use super::super::archive;
use super::super::cache::{LastLine, PackageCache};
use super::super::tree::{PackageTree, join};

/// The files of a package.
#[derive(Debug)]
pub(super) struct DmojFiles<'a> {
    tree: &'a PackageTree,
    archive: Option<PackageTree>,
    cache: PackageCache<'a>,
    /// The folders of programs that were written out, by the names of their files.
    written: RefCell<BTreeMap<Vec<String>, PathBuf>>,
}

impl<'a> DmojFiles<'a> {
    /// The files of this folder and of the zip that is named in it, whose notes are added to these.
    ///
    /// # Errors
    /// The zip is not there, or is refused.
    pub(super) fn open(
        tree: &'a PackageTree,
        archive: Option<&str>,
        root: &'a Path,
        notes: &mut Vec<String>,
    ) -> Result<DmojFiles<'a>, Failure> {
        let (cache, written) = (PackageCache::new(root), RefCell::default());
        let Some(name) = archive else { return Ok(DmojFiles { tree, archive: None, cache, written }) };
        let file = tree.file(without_dot(name)).ok_or_else(|| {
            Diagnostic::new(format!("`archive`: there is no file `{name}`")).in_file(tree.origin("init.yml"))
        })?;
        let unpacked = PackageTree::scan(&archive::unpack(file, root)?)?;
        notes.extend(unpacked.notes().iter().map(|note| format!("{name}: {note}")));
        Ok(DmojFiles { tree, archive: Some(unpacked), cache, written })
    }

    /// The names of the files in the zip.
    pub(super) fn archive_names(&self) -> Option<Vec<String>> {
        self.archive.as_ref().map(|tree| tree.files_below(""))
    }

    /// A file in the folder.
    pub(super) fn in_folder(&self, name: &str) -> Option<&Path> {
        self.tree.file(without_dot(name))
    }

    /// The header files in the folder of this file.
    pub(super) fn headers_next_to(&self, name: &str) -> Vec<(String, PathBuf)> {
        let folder = without_dot(name).rsplit_once('/').map_or("", |(folder, _)| folder);
        let headers = self.tree.list(folder).map(|(name, _)| join(folder, name)).filter(|name| is_header(name));
        headers.filter_map(|name| self.tree.file(&name).map(Path::to_owned).map(|path| (name, path))).collect()
    }

    /// The file of a case; without a name an empty one.
    ///
    /// # Errors
    /// It is neither in the folder nor in the zip, or can't be read; or the cache can't be written.
    pub(super) fn case_file(&self, name: Option<&str>, binary: bool) -> Result<PathBuf, Failure> {
        let Some(name) = name else { return self.cache.empty_file() };
        let found = self.in_folder(name).or_else(|| self.archive.as_ref()?.file(without_dot(name)));
        let Some(path) = found else {
            let place = if self.archive.is_some() { "the folder nor in the archive" } else { "the folder" };
            let message = format!("the file `{name}` of a case is not in {place}");
            return Err(Diagnostic::new(message).in_file(self.tree.origin("init.yml")).into());
        };
        if binary { Ok(path.to_owned()) } else { self.cache.with_unix_line_ends(path, LastLine::Terminated) }
    }

    /// A folder of files for a program.
    ///
    /// # Errors
    /// The cache can't be written.
    pub(super) fn write_program(&self, files: &[(String, Vec<u8>)]) -> Result<PathBuf, Failure> {
        self.cache.write_program(files)
    }

    /// The place of a program with these files: many cases may name the same one.
    ///
    /// # Errors
    /// Those of `find`, which is asked once.
    pub(super) fn find_once(
        &self,
        names: Vec<String>,
        find: impl FnOnce() -> Result<PathBuf, Failure>,
    ) -> Result<PathBuf, Failure> {
        let known = self.written.borrow().get(&names).cloned();
        if let Some(place) = known {
            return Ok(place);
        }
        let place = find()?;
        self.written.borrow_mut().insert(names, place.clone());
        Ok(place)
    }
}

/// What is in the files of a program, under their last names.
///
/// # Errors
/// They are larger than a program may be, which is seen before one is read, or can't be read.
pub(super) fn contents(files: &[(String, PathBuf)]) -> Result<Vec<(String, Vec<u8>)>, Failure> {
    let unreadable = |error: std::io::Error| Failure::unreadable(&error);
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
fn without_dot(name: &str) -> &str {
    name.trim_start_matches("./")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_looked_for_once() {
        let dir = tempfile::tempdir().unwrap();
        let tree = PackageTree::scan(dir.path()).unwrap();
        let files = DmojFiles::open(&tree, None, dir.path(), &mut Vec::new()).unwrap();
        let find = |names: &[&str], found: &str| {
            let names = names.iter().map(|name| (*name).to_owned()).collect();
            files.find_once(names, || Ok(PathBuf::from(found))).unwrap()
        };
        assert_eq!(find(&["a.c"], "one"), Path::new("one"));
        assert_eq!(find(&["a.c"], "two"), Path::new("one"));
        assert_eq!(find(&["a.c", "b.h"], "two"), Path::new("two"));
    }
}
