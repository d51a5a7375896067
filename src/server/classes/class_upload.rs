//! Receives the submissions of a new class: one zip file, or the files of a folder. File names can't escape the folder
//! of the class.

use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::clock::now;
use crate::grade::class::{Enrolled, enrol};
use crate::grade::ledger::Action;
use crate::grade::roster::Named;
use crate::grade::store::GradeStore;
use crate::model::{ByteSize, Diagnostic, Failure};
use crate::runner::Host;
use crate::submissions::random_text;
use crate::unzip::name;

use super::class_settings::{ClassPhase, NewRules, StoredClass, to_json};
use super::class_state::{ENROLLED, SETTINGS};

/// Maximum size of an upload, in bytes.
pub const MAX_UPLOAD: u64 = 1 << 30;
/// Maximum number of files in an upload that is not a zip file.
const MAX_FILES: usize = 20_000;
/// Name of the subfolder of the class's folder in which the uploaded files are stored.
const INCOMING: &str = "incoming";

/// Settings of a new class.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewClass {
    /// Name of the class. If it is empty, the name of the upload is used.
    pub name: String,
    /// The problems, with the ids and names by which the names of submitted files can refer to them.
    pub problems: Vec<Named>,
    /// Rules that differ from the default.
    pub rules: NewRules,
    /// Whether to start judging immediately.
    pub start: bool,
}

/// Reason for rejecting a part of an upload.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PartRefusal {
    /// The name is not valid for a file of the upload.
    #[error("{name} cannot be the name of a submission: it {reason}")]
    Name {
        /// The name, quoted and escaped for messages.
        name: String,
        /// The reason, as a predicate whose subject is the name, such as "has an absolute path".
        reason: &'static str,
    },
    /// The upload has too many files.
    #[error("the upload has more than {MAX_FILES} files; send them as a zip file")]
    TooMany,
    /// The part can't be stored.
    #[error(transparent)]
    Failed(#[from] Failure),
}

/// An upload that is being received. Its folder is removed on drop unless a class was created from it.
#[derive(Debug)]
pub struct ClassUpload {
    id: String,
    dir: PathBuf,
    /// Relative paths of the files received so far, with `/` as the separator.
    names: Vec<String>,
    kept: bool,
}

impl ClassUpload {
    /// Starts an upload, and creates a folder for it in `root`, the folder that contains all classes.
    pub(super) fn begin(root: &Path) -> Result<ClassUpload, Failure> {
        let id = random_text()?;
        let dir = root.join(&id);
        let upload = ClassUpload { id, dir, names: Vec::new(), kept: false };
        fs_err::create_dir_all(upload.incoming()).map_err(|error| Failure::unwritable(&upload.dir, &error))?;
        Ok(upload)
    }

    fn incoming(&self) -> PathBuf {
        self.dir.join(INCOMING)
    }

    /// Creates the file for the part with the name `raw`, which may be a relative path. Returns `None` for a file that
    /// is hidden or in a hidden folder. Such a file is not stored.
    ///
    /// # Errors
    /// Fails if the name is invalid or conflicts with the path of another file of the upload, if there are too many
    /// files, or if the file can't be written.
    pub fn part(&mut self, raw: &str) -> Result<Option<File>, PartRefusal> {
        let slashed = raw.replace('\\', "/");
        let refusal = |reason| PartRefusal::Name { name: name::shown(raw.as_bytes()), reason };
        let parts = name::parts(slashed.as_bytes()).map_err(refusal)?;
        if parts.iter().any(|part| part.starts_with('.')) {
            return Ok(None);
        }
        if self.names.len() >= MAX_FILES {
            return Err(PartRefusal::TooMany);
        }
        let path = parts.iter().fold(self.incoming(), |path, part| path.join(part));
        let unwritable = |error: std::io::Error| PartRefusal::Failed(Failure::unwritable(&path, &error));
        if let Some(folder) = path.parent() {
            fs_err::create_dir_all(folder).map_err(|error| match error.kind() {
                ErrorKind::NotADirectory | ErrorKind::AlreadyExists => {
                    refusal("uses another file in the upload as a folder")
                }
                _ => unwritable(error),
            })?;
        }
        if path.is_dir() {
            return Err(refusal("is also the name of a folder in the upload"));
        }
        if path.exists() {
            return Err(refusal("is already the name of another file in the upload"));
        }
        let file = fs_err::OpenOptions::new().write(true).create_new(true).open(&path).map_err(unwritable)?;
        self.names.push(parts.join("/"));
        Ok(Some(file.into_parts().0))
    }

    /// Returns the path of the zip file or folder to grade. If all files are in subfolders of one folder, returns the
    /// path of that folder, so its name is not part of the paths of the submissions.
    fn download(&self) -> PathBuf {
        let incoming = self.incoming();
        if let [only] = &self.names[..]
            && only.len() > 4
            && only.as_bytes()[only.len() - 4..].eq_ignore_ascii_case(b".zip")
        {
            return incoming.join(only);
        }
        match common_folder(&self.names) {
            Some(folder) => incoming.join(folder),
            None => incoming,
        }
    }

    /// Stores the class and returns its id.
    ///
    /// # Errors
    /// Fails if the upload has no files or its zip file can't be read, if the rules are invalid, or if the store can't
    /// be written.
    pub(super) fn store(mut self, host: &Host, new: &NewClass, who: &str) -> Result<String, Failure> {
        if self.names.is_empty() {
            let help =
                "send a zip file as the form field `submissions`, or several files whose names are relative paths";
            return Err(Diagnostic::new("the upload contains no files other than hidden files").help(help).into());
        }
        let store = GradeStore::open(&self.dir)?;
        let download = self.download();
        let is_folder = download.is_dir();
        let mut enrolled = enrol(&store, host, &download, &new.problems, &[], &self.dir.join("none"))?;
        if is_folder {
            // The modification times are those of the upload, not of the submissions.
            enrolled.files.iter_mut().for_each(|file| file.modified = None);
            enrolled.roster.claims.iter_mut().for_each(|claim| claim.at = None);
        }
        let Enrolled { files, roster, .. } = &enrolled;
        if files.is_empty() && roster.left.is_empty() {
            return Err(Failure::complaint(
                "the upload contains no submissions; upload source files, or a zip file that contains them",
            ));
        }
        let phase = if new.start { ClassPhase::Running } else { ClassPhase::Draft };
        let name = if new.name.trim().is_empty() { self.own_name() } else { new.name.trim().to_owned() };
        let mut settings = StoredClass::new(name, now(), &new.problems, phase);
        settings.rules = settings.rules.changed(&new.rules, &settings.ids())?;
        store.at_once(|store| {
            store.act(&Action { at: now(), who: who.to_owned(), what: "created".to_owned(), ..Action::default() })?;
            store.set(ENROLLED, &to_json(&enrolled)?)?;
            store.set(SETTINGS, &to_json(&settings)?)
        })?;
        self.kept = true;
        // The store contains the files, so the uploaded copies are no longer needed.
        _ = std::fs::remove_dir_all(self.incoming());
        Ok(self.id.clone())
    }

    /// Returns the default name of the class: the path of the only file or, if there are several files, the first
    /// component of the first path, in both cases without the extension `.zip`.
    fn own_name(&self) -> String {
        let first = self.names.first().map_or("", String::as_str);
        let name = if self.names.len() == 1 { first } else { first.split('/').next().unwrap_or(first) };
        name.strip_suffix(".zip").unwrap_or(name).to_owned()
    }

    /// Returns the maximum size of an upload as text, with a unit.
    pub fn largest() -> String {
        ByteSize::new(MAX_UPLOAD).human()
    }
}

impl Drop for ClassUpload {
    fn drop(&mut self) {
        if !self.kept {
            _ = std::fs::remove_dir_all(&self.dir);
        }
    }
}

/// Returns the common top-level folder if every file is in a subfolder of that folder, and `None` otherwise.
fn common_folder(names: &[String]) -> Option<&str> {
    let first = names.first()?.split('/').next()?;
    let below = |name: &'_ String| name.strip_prefix(first)?.strip_prefix('/').map(|rest| rest.contains('/'));
    let inside = |name: &String| below(name) == Some(true);
    names.iter().all(inside).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_parts_stay_inside() {
        let root = tempfile::tempdir().unwrap();
        let mut upload = ClassUpload::begin(root.path()).unwrap();
        for name in ["../x.py", "a/../../x.py", "/etc/x.py", "c:\\..\\x.py", "", "a\0b"] {
            let refused = upload.part(name);
            assert!(matches!(refused, Err(PartRefusal::Name { .. })), "{name:?}: {refused:?}");
        }
        let refused = upload.part("../x.py").unwrap_err().to_string();
        assert!(refused.starts_with("`../x.py` cannot be the name of a submission: it "), "{refused}");
        assert!(upload.part("ann/sum.py").unwrap().is_some());
        assert!(matches!(upload.part("ann/sum.py"), Err(PartRefusal::Name { .. })));
        assert!(matches!(upload.part("ann/sum.py/x.py"), Err(PartRefusal::Name { .. })));
        assert!(upload.part("ann/.git/config").unwrap().is_none());
        assert!(upload.part("bob\\sum.py").unwrap().is_some());
        let found =
            walkdir::WalkDir::new(root.path()).into_iter().flatten().filter(|entry| entry.file_type().is_file());
        let found: Vec<String> = found.map(|entry| entry.path().display().to_string()).collect();
        assert!(found.len() == 2 && found.iter().all(|path| path.contains("/incoming/")), "{found:?}");
        drop(upload);
        assert_eq!(std::fs::read_dir(root.path()).unwrap().count(), 0, "an upload without a class is removed");
    }

    #[test]
    fn top_folder_of_a_dropped_folder_is_left_out() {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        assert_eq!(common_folder(&names(&["class/ann/sum.py", "class/bob/sum.py"])), Some("class"));
        assert_eq!(common_folder(&names(&["ann/sum.py", "ann/nim.py"])), None);
        assert_eq!(common_folder(&names(&["a/b/c.py", "ab/c/d.py"])), None);
    }
}
