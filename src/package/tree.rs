//! The files of an untrusted package as a tree. Links are resolved, and nothing outside of the package and the
//! repository that contains it is reachable.

use std::collections::{BTreeMap, VecDeque};
use std::ffi::OsStr;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::lang::{repository_root, resolve_link};
use crate::model::Diagnostic;
use crate::unzip::name;

use super::archive;

/// Maximum number of files and folders in a package.
const MOST_ENTRIES: usize = 200_000;
/// Maximum size of a file that is read into memory, in bytes.
const LARGEST_TEXT: u64 = 4 << 20;
/// Maximum depth of folders, including those reached through links.
const DEEPEST: usize = 32;

/// Maximum number of files and folders that are searched in a user's folder.
const MOST_IN_WORKSPACE: usize = 20_000;
/// Maximum depth of folders that are searched in a user's folder.
const DEEPEST_IN_WORKSPACE: usize = 6;
/// The only hidden folder that is searched in a user's folder.
const SEARCHED: &str = ".cph";
/// Folders that are not searched in a user's folder, in addition to hidden folders.
const NOT_SEARCHED: [&str; 4] = ["target", "node_modules", "__pycache__", "venv"];

/// The kind of a folder, which determines which of its entries are refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FolderKind {
    /// An untrusted package.
    Package,
    /// A folder in which a user works.
    Workspace,
}

/// Returns whether an entry of a user's folder is excluded from the search.
fn is_aside(name: &OsStr) -> bool {
    let hidden = name.as_encoded_bytes().starts_with(b".") && name != SEARCHED;
    // Files with the extension `prob`, which older versions of cph write, are searched although they are hidden.
    hidden && !name.as_encoded_bytes().ends_with(b".prob") || NOT_SEARCHED.iter().any(|aside| name == *aside)
}

/// A file or folder in a package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TreeEntry {
    /// A regular file.
    File {
        /// The resolved path on the machine, which is never a link.
        path: PathBuf,
        /// Size in bytes.
        size: u64,
        /// Whether the file is executable by anyone.
        executable: bool,
    },
    /// A folder. Its entries are stored in the tree under its path in the package.
    Folder,
}

/// The files and folders of a package, by folder and name in byte order.
#[derive(Debug, Clone, Default)]
pub struct PackageTree {
    root: PathBuf,
    /// The folder that must contain the targets of all links.
    bounds: PathBuf,
    folders: BTreeMap<String, BTreeMap<String, TreeEntry>>,
    notes: Vec<String>,
}

impl PackageTree {
    /// Scans a folder. A link is resolved if its target is in the package or in the repository that contains the
    /// package (for an archive, in the folder of the unpacked files). Other links, and names that could be misread, are
    /// left out with a note. Devices, pipes, sockets and names that are not UTF-8 are refused.
    ///
    /// # Errors
    /// Fails if a folder can't be read, if an entry is refused, or if there are too many entries or too many levels of
    /// folders.
    pub fn scan(dir: &Path) -> Result<PackageTree, Diagnostic> {
        PackageTree::scan_as(dir, FolderKind::Package)
    }

    /// Scans a folder in which a user works, such as a folder with programs and samples. Entries that
    /// [`PackageTree::scan`] refuses are left out. Build folders, hidden folders other than `.cph`, and deeply nested
    /// folders are not searched.
    ///
    /// # Errors
    /// Fails if the folder can't be read.
    pub fn scan_workspace(dir: &Path) -> Result<PackageTree, Diagnostic> {
        PackageTree::scan_as(dir, FolderKind::Workspace)
    }

    fn scan_as(dir: &Path, kind_of_folder: FolderKind) -> Result<PackageTree, Diagnostic> {
        let workspace = kind_of_folder == FolderKind::Workspace;
        let origin = dir.display().to_string();
        let whole = fs_err::canonicalize(dir).map_err(|error| Diagnostic::user_file(&error))?;
        let notes = archive::notes(&whole);
        let mut tree =
            PackageTree { root: whole.clone(), bounds: repository_root(&whole), notes, ..PackageTree::default() };
        let mut open = VecDeque::from([(String::new(), whole)]);
        let mut count = 0;
        while let Some((below, folder)) = open.pop_front() {
            let mut found = BTreeMap::new();
            let entries = match fs_err::read_dir(&folder) {
                Err(_) if workspace && !below.is_empty() => continue,
                entries => entries.map_err(|error| Diagnostic::user_file(&error))?,
            };
            for entry in entries {
                let entry = match entry {
                    Err(_) if workspace => continue,
                    entry => entry.map_err(|error| Diagnostic::user_file(&error).in_file(&origin))?,
                };
                count += 1;
                let raw = entry.file_name();
                if workspace && (count > MOST_IN_WORKSPACE || is_aside(&raw) || raw.to_str().is_none()) {
                    continue;
                }
                let shown = format!("{below}/{}", raw.to_string_lossy());
                let refused = |why: &str| {
                    let shown = name::shown(shown.trim_start_matches('/').as_bytes());
                    Diagnostic::new(format!("{shown} {why}")).in_file(&origin)
                };
                if count > MOST_ENTRIES {
                    return Err(refused("exceeds the limit of 200000 files and folders per package"));
                }
                // Git's own data is not part of the package.
                if raw == ".git" {
                    continue;
                }
                let text = raw.to_str().ok_or_else(|| refused("has a name that is not UTF-8"))?;
                if let Err(why) = name::check(text) {
                    let shown = name::shown(shown.trim_start_matches('/').as_bytes());
                    tree.notes.push(format!("{shown} is left out: it {why}"));
                    continue;
                }
                let path = join(&below, text);
                match tree.entry(&entry) {
                    Ok(None) => tree.notes.push(format!(
                        "`{path}` is left out: it is a link that is broken or points outside of the package"
                    )),
                    Ok(Some((TreeEntry::Folder, _)))
                        if workspace && path.matches('/').count() >= DEEPEST_IN_WORKSPACE => {}
                    Ok(Some((TreeEntry::Folder, _))) if path.matches('/').count() >= DEEPEST => {
                        return Err(refused("is nested more than 32 folders deep"));
                    }
                    Ok(Some((kind, real))) => {
                        if kind == TreeEntry::Folder {
                            open.push_back((path, real));
                        }
                        found.insert(text.to_owned(), kind);
                    }
                    Err(_) if workspace => {}
                    Err(why) => return Err(refused(&why)),
                }
            }
            tree.note_collisions(&below, &found);
            tree.folders.insert(below, found);
        }
        Ok(tree)
    }

    /// Returns the entry of a folder on the machine, and its resolved path, or `None` for a link that is broken or points
    /// outside of the bounds.
    fn entry(&self, entry: &fs_err::DirEntry) -> Result<Option<(TreeEntry, PathBuf)>, String> {
        use std::os::unix::fs::PermissionsExt;
        let unreadable = |error: std::io::Error| format!("cannot be read: {error}");
        let (mut real, mut meta) = (entry.path(), entry.metadata().map_err(unreadable)?);
        if meta.is_symlink() {
            real = match resolve_link(&real, &self.bounds) {
                Ok(Some(real)) => real,
                _ => return Ok(None),
            };
            meta = fs_err::metadata(&real).map_err(unreadable)?;
        }
        if meta.is_dir() {
            return Ok(Some((TreeEntry::Folder, real)));
        }
        if !meta.is_file() {
            return Err("is a device, a pipe or a socket".to_owned());
        }
        let executable = meta.permissions().mode() & 0o111 != 0;
        Ok(Some((TreeEntry::File { path: real.clone(), size: meta.len(), executable }, real)))
    }

    fn note_collisions(&mut self, below: &str, found: &BTreeMap<String, TreeEntry>) {
        let mut seen: BTreeMap<String, &str> = BTreeMap::new();
        for name in found.keys() {
            if let Some(before) = seen.insert(name.to_lowercase(), name) {
                self.notes.push(format!(
                    "`{}` and `{}` differ only in case, so some file systems cannot store both",
                    join(below, before),
                    join(below, name)
                ));
            }
        }
    }

    /// Returns the package's folder. Its path contains no symbolic links.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns notes for the user about entries that were left out, or whose names were converted or may conflict.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Returns the entry at this path of the package, or `None` if there is none.
    pub fn get(&self, path: &str) -> Option<&TreeEntry> {
        if path.is_empty() {
            return Some(&TreeEntry::Folder);
        }
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        self.folders.get(folder)?.get(name)
    }

    /// Returns the resolved path of the file at this path of the package, or `None` if there is no such file.
    pub fn file(&self, path: &str) -> Option<&Path> {
        match self.get(path)? {
            TreeEntry::File { path, .. } => Some(path),
            TreeEntry::Folder => None,
        }
    }

    /// Returns whether there is a folder at this path.
    pub fn is_folder(&self, path: &str) -> bool {
        self.folders.contains_key(path)
    }

    /// Returns the entries directly in a folder, by name in byte order, or none if the folder does not exist.
    pub fn list(&self, folder: &str) -> impl Iterator<Item = (&str, &TreeEntry)> {
        self.folders.get(folder).into_iter().flatten().map(|(name, entry)| (name.as_str(), entry))
    }

    /// Returns the paths of all files below a folder, sorted.
    pub fn files_below(&self, folder: &str) -> Vec<String> {
        let mut found = Vec::new();
        let mut open = vec![folder.to_owned()];
        while let Some(folder) = open.pop() {
            for (name, entry) in self.list(&folder) {
                let path = join(&folder, name);
                match entry {
                    TreeEntry::Folder => open.push(path),
                    TreeEntry::File { .. } => found.push(path),
                }
            }
        }
        found.sort();
        found
    }

    /// Returns a subfolder as a tree, for a package in a folder of an archive.
    #[must_use]
    pub fn below(&self, folder: &str) -> PackageTree {
        let start = format!("{folder}/");
        let inner = |(path, entries): (&String, &BTreeMap<String, TreeEntry>)| {
            let path = if path == folder { "" } else { path.strip_prefix(&start)? };
            Some((path.to_owned(), entries.clone()))
        };
        let folders = self.folders.iter().filter_map(inner).collect();
        PackageTree { root: self.root.join(folder), bounds: self.bounds.clone(), folders, notes: self.notes.clone() }
    }

    /// Returns the name of a file in diagnostics: its path on the machine.
    pub fn origin(&self, path: &str) -> String {
        self.root.join(path).display().to_string()
    }

    /// Returns the bytes of a small file, or `None` if the file does not exist.
    ///
    /// # Errors
    /// Fails if the file is larger than 4 MiB or can't be read.
    pub fn bytes(&self, path: &str) -> Result<Option<Vec<u8>>, Diagnostic> {
        let Some(file) = self.file(path) else { return Ok(None) };
        let mut content = Vec::new();
        let read = fs_err::File::open(file).and_then(|file| file.take(LARGEST_TEXT + 1).read_to_end(&mut content));
        read.map_err(|error| Diagnostic::user_file(&error))?;
        if content.len() as u64 > LARGEST_TEXT {
            return Err(Diagnostic::new("the file is larger than the limit of 4 MiB").in_file(self.origin(path)));
        }
        Ok(Some(content))
    }

    /// Returns the text of a file, without a leading byte order mark, or `None` if the file does not exist.
    ///
    /// # Errors
    /// Fails if [`PackageTree::bytes`] fails, or if the file is not UTF-8.
    pub fn text(&self, path: &str) -> Result<Option<String>, Diagnostic> {
        let Some(bytes) = self.bytes(path)? else { return Ok(None) };
        let text = String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            Diagnostic::new(format!("the file is not UTF-8: the byte at offset {at} is invalid"))
                .in_file(self.origin(path))
        })?;
        Ok(Some(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text)))
    }
}

/// Joins a folder of the package and a name.
pub(super) fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn links_inside_are_followed_and_links_out_are_left_out() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("pkg");
        fs_err::create_dir_all(root.join("data/a")).unwrap();
        fs_err::write(root.join("data/a/1.in"), "1\n").unwrap();
        fs_err::write(dir.path().join("secret"), "s").unwrap();
        symlink("a", root.join("data/b")).unwrap();
        symlink("a/1.in", root.join("data/2.in")).unwrap();
        symlink("../../secret", root.join("data/3.in")).unwrap();
        symlink("/etc/passwd", root.join("data/4.in")).unwrap();
        symlink("nothing", root.join("data/5.in")).unwrap();
        let tree = PackageTree::scan(&root).unwrap();
        let names: Vec<&str> = tree.list("data").map(|(name, _)| name).collect();
        assert_eq!(names, ["2.in", "a", "b"]);
        assert_eq!(tree.text("data/b/1.in").unwrap().as_deref(), Some("1\n"));
        assert!(!tree.file("data/2.in").unwrap().is_symlink());
        assert_eq!(tree.notes().len(), 3, "{:?}", tree.notes());
        assert_eq!(tree.below("data").files_below(""), ["2.in", "a/1.in", "b/1.in"]);
    }

    #[test]
    fn links_may_lead_through_the_repository_but_not_into_its_metadata() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("contest/a");
        fs_err::create_dir_all(dir.path().join("contest/.git")).unwrap();
        fs_err::create_dir_all(&root).unwrap();
        for (file, link) in [("contest/.git/config", "1.in"), ("contest/shared.h", "2.h"), ("outside", "3.in")] {
            fs_err::write(dir.path().join(file), file).unwrap();
            symlink(dir.path().join(file), root.join(link)).unwrap();
        }
        let tree = PackageTree::scan(&root).unwrap();
        assert_eq!(tree.files_below(""), ["2.h"]);
        assert_eq!(tree.text("2.h").unwrap().as_deref(), Some("contest/shared.h"));
        assert_eq!(tree.notes().len(), 2, "{:?}", tree.notes());
    }

    #[test]
    fn links_of_an_archive_stay_in_its_folder() {
        let dir = tempfile::tempdir().unwrap();
        let place = crate::unzip::place::of(&dir.path().join("cache"), "abc");
        fs_err::create_dir_all(dir.path().join(".git")).unwrap();
        fs_err::create_dir_all(place.join("data")).unwrap();
        fs_err::write(dir.path().join("secret"), "s").unwrap();
        fs_err::write(dir.path().join("problem.yaml"), "").unwrap();
        fs_err::write(place.join("shared.h"), "h").unwrap();
        symlink("../../../../secret", place.join("data/1.in")).unwrap();
        symlink("../shared.h", place.join("data/2.h")).unwrap();
        for (folder, wanted) in [(place.clone(), &["data/2.h", "shared.h"][..]), (place.join("data"), &["2.h"])] {
            let tree = PackageTree::scan(&folder).unwrap();
            assert_eq!(tree.files_below(""), wanted);
            assert_eq!(
                tree.notes(),
                ["`data/1.in` is left out: it is a link that is broken or points outside of the package"]
                    .map(|note| { if folder == place { note.to_owned() } else { note.replace("data/", "") } })
            );
        }
    }

    #[test]
    fn a_link_to_its_own_folder_and_a_pipe_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        symlink(".", dir.path().join("again")).unwrap();
        assert!(PackageTree::scan(dir.path()).unwrap_err().message.contains("more than 32 folders deep"));
        let dir = tempfile::tempdir().unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(dir.path().join("s")).unwrap();
        assert!(PackageTree::scan(dir.path()).unwrap_err().message.contains("`s` is a device"));
    }

    #[test]
    fn misleading_names_are_left_out_and_invalid_utf8_is_refused() {
        use std::os::unix::ffi::OsStrExt;
        let dir = tempfile::tempdir().unwrap();
        for name in ["a\\b", "a\u{202e}b", "a"] {
            fs_err::write(dir.path().join(name), "").unwrap();
        }
        let tree = PackageTree::scan(dir.path()).unwrap();
        assert_eq!(tree.files_below(""), ["a"]);
        assert!(tree.notes().len() == 2 && !tree.notes().concat().contains('\u{202e}'), "{:?}", tree.notes());
        fs_err::write(dir.path().join(std::ffi::OsStr::from_bytes(b"a\xff")), "").unwrap();
        assert!(PackageTree::scan(dir.path()).unwrap_err().message.contains("not UTF-8"));
    }
}
