//! Access to the files of a package, in its folder or its zip archive. Line terminators are converted as in DMOJ.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::lang::LARGEST_AUTHOR_SOURCE;
use crate::model::{ByteSize, Diagnostic, Failure};

use super::super::archive;
use super::super::cache::{LastLine, PackageCache};
use super::super::tree::{PackageTree, join};

/// The start of the error message for a name that [`plain`](crate::unzip::name::plain) rejects.
pub(super) const PLAIN_NAME: &str =
    "expected a file name that consists of ASCII letters, digits, `_`, `.` and `-`, and does not begin with `.` or `-`";

/// The folder of a package, and the archive of its tests.
#[derive(Debug)]
pub(super) struct DmojFiles<'a> {
    tree: &'a PackageTree,
    archive: Option<PackageTree>,
    cache: PackageCache<'a>,
    /// Paths of the programs that [`DmojFiles::find_once`] found, by the names of their files.
    written: RefCell<BTreeMap<Vec<String>, PathBuf>>,
    /// Additional arguments of the compilers, by the path of the program.
    flags: RefCell<BTreeMap<PathBuf, Vec<String>>>,
}

impl<'a> DmojFiles<'a> {
    /// Opens the folder `tree` and, unless `archive` is `None`, the zip archive with the name `archive` in that folder.
    /// Adds the archive's notes to `notes`.
    ///
    /// # Errors
    /// Fails if the archive does not exist, is refused or can't be unpacked to the cache.
    pub(super) fn open(
        tree: &'a PackageTree,
        archive: Option<&str>,
        root: &'a Path,
        notes: &mut Vec<String>,
    ) -> Result<DmojFiles<'a>, Failure> {
        let (cache, written, flags) = (PackageCache::new(root), RefCell::default(), RefCell::default());
        let Some(name) = archive else { return Ok(DmojFiles { tree, archive: None, cache, written, flags }) };
        let file = tree.file(without_dot(name)).ok_or_else(|| {
            Diagnostic::new(format!("`archive`: the file `{name}` does not exist")).in_file(tree.origin("init.yml"))
        })?;
        let unpacked = PackageTree::scan(&archive::unpack(file, root)?)?;
        notes.extend(unpacked.notes().iter().map(|note| format!("{name}: {note}")));
        Ok(DmojFiles { tree, archive: Some(unpacked), cache, written, flags })
    }

    /// Returns the names of the files in the archive, or `None` if the package has no archive.
    pub(super) fn archive_names(&self) -> Option<Vec<String>> {
        self.archive.as_ref().map(|tree| tree.files_below(""))
    }

    /// Returns the path of a file in the folder, or `None` if the folder does not contain it.
    pub(super) fn in_folder(&self, name: &str) -> Option<&Path> {
        self.tree.file(without_dot(name))
    }

    /// Returns the path of a file in the folder, or otherwise in the archive. Returns `None` if neither contains it.
    pub(super) fn find(&self, name: &str) -> Option<&Path> {
        self.in_folder(name).or_else(|| self.archive.as_ref()?.file(without_dot(name)))
    }

    /// Returns the names and paths of the header files in the same folder as the file `name`.
    pub(super) fn headers_next_to(&self, name: &str) -> Vec<(String, PathBuf)> {
        let folder = without_dot(name).rsplit_once('/').map_or("", |(folder, _)| folder);
        let headers = self.tree.list(folder).map(|(name, _)| join(folder, name)).filter(|name| is_header(name));
        headers.filter_map(|name| self.tree.file(&name).map(Path::to_owned).map(|path| (name, path))).collect()
    }

    /// Returns the path of a case's file, or of an empty file if `name` is `None`. Line terminators are converted
    /// unless `binary` is set.
    ///
    /// # Errors
    /// Fails if the file is neither in the folder nor in the archive, if it can't be read, or if the cache can't be
    /// written.
    pub(super) fn case_file(&self, name: Option<&str>, binary: bool) -> Result<PathBuf, Failure> {
        let Some(name) = name else { return self.cache.empty_file() };
        let Some(path) = self.find(name) else {
            let place = if self.archive.is_some() {
                "neither in the package folder nor in the archive of the package"
            } else {
                "not in the package folder"
            };
            let message = format!("the file `{name}`, which a case requires, is {place}");
            return Err(Diagnostic::new(message).in_file(self.tree.origin("init.yml")).into());
        };
        if binary { Ok(path.to_owned()) } else { self.cache.with_unix_line_ends(path, LastLine::Terminated) }
    }

    /// Writes the files of a program to a folder in the cache.
    ///
    /// # Errors
    /// Fails if the cache can't be written.
    pub(super) fn write_program(&self, files: &[(String, Vec<u8>)]) -> Result<PathBuf, Failure> {
        self.cache.write_program(files)
    }

    /// Sets the additional arguments of the compiler for a program.
    ///
    /// # Errors
    /// Returns a message if the program already has different arguments.
    pub(super) fn set_flags(&self, program: &Path, flags: &[String]) -> Result<(), &'static str> {
        let mut all = self.flags.borrow_mut();
        let known = all.entry(program.to_owned()).or_insert_with(|| flags.to_vec());
        if known == flags { Ok(()) } else { Err("using the same program with different `flags` is not supported") }
    }

    /// Returns the additional arguments of the compilers, by the path of the program.
    pub(super) fn flags(&self) -> BTreeMap<PathBuf, Vec<String>> {
        self.flags.borrow().iter().filter(|(_, flags)| !flags.is_empty()).map(|(a, b)| (a.clone(), b.clone())).collect()
    }

    /// Returns the path of the program with these files. `find` is called only if the path is not known yet, since many
    /// cases may use the same program.
    ///
    /// # Errors
    /// Fails if `find` fails.
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

/// Reads the files of a program, and returns the name, without the folder, and the content of each file.
///
/// # Errors
/// Fails if the total size exceeds [`LARGEST_AUTHOR_SOURCE`], which is checked before anything is read, or if a file
/// can't be read.
pub(super) fn contents(files: &[(String, PathBuf)]) -> Result<Vec<(String, Vec<u8>)>, Failure> {
    let unreadable = |error: std::io::Error| Failure::user_file(&error);
    let mut bytes = 0_u64;
    for (name, path) in files {
        bytes = bytes.saturating_add(fs_err::metadata(path).map_err(unreadable)?.len());
        if bytes > LARGEST_AUTHOR_SOURCE {
            let most = ByteSize::new(LARGEST_AUTHOR_SOURCE).human();
            let message =
                format!("the size of the program and its headers exceeds the limit of {most} (counted up to `{name}`)");
            return Err(Failure::complaint(message));
        }
    }
    let read = |(name, path): &(String, PathBuf)| Ok((base(name), fs_err::read(path)?));
    files.iter().map(read).collect::<std::io::Result<_>>().map_err(unreadable)
}

fn base(name: &str) -> String {
    name.rsplit('/').next().unwrap_or(name).to_owned()
}

/// Returns whether this is the name of a header file.
pub(super) fn is_header(name: &str) -> bool {
    [".h", ".hh", ".hpp", ".hxx"].iter().any(|end| name.ends_with(end))
}

/// Removes all `./` at the start of a path.
fn without_dot(name: &str) -> &str {
    name.trim_start_matches("./")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn program_is_searched_for_once() {
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
        let flags = |program: &str, flags: &[&str]| {
            files.set_flags(Path::new(program), &flags.iter().map(|flag| (*flag).to_owned()).collect::<Vec<_>>())
        };
        assert!(flags("one", &["-DX"]).is_ok() && flags("one", &["-DX"]).is_ok() && flags("two", &[]).is_ok());
        assert!(flags("one", &[]).is_err(), "one program has one set of flags");
        assert_eq!(files.flags().into_keys().collect::<Vec<_>>(), [PathBuf::from("one")]);
    }
}
