//! Lists the files of a download, and stores the contents of all files that are not too large.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use walkdir::WalkDir;

use crate::lang::LARGEST_SOURCE;
use crate::model::{Diagnostic, Digest, Failure};
use crate::unzip::Charset;

use super::super::roster::{GuessedLanguage, Left, Listed, composed, strip_folder};
use super::super::submission::Unusable;
use super::git::Git;
use super::unzip;

/// Maximum number of files in a download.
pub(super) const MOST_FILES: usize = 200_000;

/// The files of a download.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Intake {
    /// Files of the download, sorted by path once [`read`] returns.
    pub files: Vec<Listed>,
    /// Paths that were skipped, with reasons.
    pub left: Vec<Left>,
    /// Character sets of names that are not UTF-8.
    pub charsets: BTreeSet<&'static str>,
}

impl Intake {
    /// Adds a file. `content` is the content of the file, or the reason why it can't be read.
    ///
    /// # Errors
    /// Fails if the content can't be stored.
    pub(super) fn add(
        &mut self,
        path: String,
        modified: Option<i64>,
        content: Result<Vec<u8>, String>,
        context: &mut IntakeContext<'_>,
    ) -> Result<(), Failure> {
        let knows = (context.knows)(Path::new(&path));
        let is_text = has_ending(&path, ".txt");
        let text = content.as_ref().ok().filter(|_| is_text && !knows).map(|bytes| String::from_utf8_lossy(bytes));
        let guessed = text.and_then(|text| (context.guess)(&text));
        let content = match content {
            Ok(bytes) => Ok((context.keep)(&bytes)?),
            Err(reason) => Err(reason),
        };
        self.files.push(Listed { source: knows || guessed.is_some(), guessed, path, modified, content });
        Ok(())
    }
}

/// Callbacks and settings for reading a download.
pub struct IntakeContext<'a> {
    /// Callback that stores the content of a file and returns its hash.
    pub keep: &'a mut dyn FnMut(&[u8]) -> Result<Digest, Failure>,
    /// Callback that returns whether the extension of a file name is that of a known language.
    pub knows: &'a dyn Fn(&Path) -> bool,
    /// Callback that guesses the language of a program from its text.
    pub guess: &'a dyn Fn(&str) -> Option<GuessedLanguage>,
    /// Output folder of the grader, which is ignored if it is inside the download; `None` if the folder does not
    /// exist.
    pub except: Option<PathBuf>,
    /// The program that reads the commit times of repositories; `None` if git is not installed.
    pub git: Option<Git<'a>>,
}

/// Reads a folder or a zip file.
///
/// # Errors
/// Fails if the path is neither a folder nor a zip file, if it can't be read, if the download is too large, or if a
/// file can't be stored.
pub fn read(from: &Path, context: &mut IntakeContext<'_>) -> Result<Intake, Failure> {
    let mut intake = Intake::default();
    let unreadable = |error: std::io::Error| Failure::complaint(format!("{}: {error}", from.display()));
    let about = std::fs::metadata(from).map_err(unreadable)?;
    if about.is_dir() {
        folder(from, context, &mut intake)?;
    } else if is_zip(&from.to_string_lossy()) {
        if about.len() > unzip::LARGEST_ZIP {
            let most = crate::model::ByteSize::new(unzip::LARGEST_ZIP).human();
            let message = format!("`{}` is larger than {most}, the maximum size of a zip file", from.display());
            return Err(Diagnostic::new(message).help("unpack the zip file and grade the resulting folder").into());
        }
        let mut content = opened_zip(from).map_err(|unusable| match unusable {
            Unusable::Refused(reason) => Failure::complaint(format!("{}: {reason}", from.display())),
            Unusable::Failed(failure) => failure,
        })?;
        let name = from.file_name().unwrap_or(from.as_os_str()).to_string_lossy();
        unzip::entries(&mut content, "", 0, context, &mut intake).map_err(|failure| match failure {
            Failure::Complaint(complaint) => Failure::from(complaint.in_file(name)),
            fault @ Failure::Fault(_) => fault,
        })?;
        without_folder_of_zip(&mut intake, from);
    } else {
        return Err(Diagnostic::new(format!(
            "`{}` is neither a folder nor a file whose name ends in `.zip` or `.csv`",
            from.display()
        ))
        .help("specify the submissions as a folder, a zip file, or a CSV file that lists them")
        .into());
    }
    intake.files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(intake)
}

/// Returns whether a file name ends in `.zip`.
pub(super) fn is_zip(name: &str) -> bool {
    has_ending(name, ".zip")
}

/// Returns whether a name ends with `ending`, ignoring case, and is longer than `ending`.
fn has_ending(name: &str, ending: &str) -> bool {
    let start = name.len().checked_sub(ending.len()).filter(|start| *start > 0);
    start.is_some_and(|start| name.as_bytes()[start..].eq_ignore_ascii_case(ending.as_bytes()))
}

/// The reason for skipping files for which [`is_litter`] returns true.
pub(super) const LITTER: &str = "hidden, or created by an operating system";

/// Returns whether a file is not part of a submission, because it is hidden or was created by an operating system.
pub(super) fn is_litter(name: &str) -> bool {
    name.starts_with('.') || matches!(name, "__MACOSX" | "Thumbs.db" | "desktop.ini")
}

/// Returns the character set of the names in a folder that are not UTF-8, or `None` if all names are UTF-8.
fn charset_of(root: &Path) -> Option<Charset> {
    let entries = WalkDir::new(root).min_depth(1).into_iter().flatten();
    Charset::of(entries.map(|entry| entry.file_name().as_encoded_bytes().to_vec()))
}

fn folder(root: &Path, context: &mut IntakeContext<'_>, intake: &mut Intake) -> Result<(), Failure> {
    let charset = charset_of(root);
    intake.charsets.extend(charset.map(Charset::name));
    let below = |path: &Path| below(root, path, charset);
    let mut walk = WalkDir::new(root).min_depth(1).sort_by_file_name().into_iter();
    let mut repository = Repository::at(root, "", context);
    while let Some(entry) = walk.next() {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                let path = error.path().map(below).filter(|path| !path.is_empty()).unwrap_or_else(|| ".".to_owned());
                let cause = error.io_error().map_or_else(|| error.to_string(), ToString::to_string);
                intake.left.push(Left::new(path, format!("cannot be read: {cause}")));
                continue;
            }
        };
        let path = below(entry.path());
        let kind = entry.file_type();
        if kind.is_dir() && context.except.is_some() && fs_err::canonicalize(entry.path()).ok() == context.except {
            walk.skip_current_dir();
        } else if is_litter(&entry.file_name().to_string_lossy()) {
            if kind.is_dir() {
                walk.skip_current_dir();
            }
            intake.left.push(Left::new(path, LITTER));
        } else if kind.is_file() {
            let modified = entry.metadata().ok().and_then(|about| about.modified().ok());
            let modified = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
            let modified = modified.and_then(|time| i64::try_from(time.as_secs()).ok());
            let modified = repository.committed(&path).or(modified);
            file(entry.path(), path, modified, context, intake)?;
        } else if kind.is_dir() {
            if !repository.has(&path) || entry.path().join(".git").exists() {
                repository = Repository::at(entry.path(), &path, context);
            }
            if entry.depth() == 1 && std::fs::read_dir(entry.path()).is_ok_and(|mut inside| inside.next().is_none()) {
                intake.left.push(Left::new(path, "empty folder"));
            }
        } else {
            intake.left.push(Left::new(path, "symbolic link or special file"));
        }
    }
    Ok(())
}

/// The Git repository that contains the files being read.
#[derive(Default)]
struct Repository {
    /// Path of the repository in the download, followed by `/` unless it is empty; `None` if there is no
    /// repository.
    under: Option<String>,
    /// Time of the last commit of each file, in seconds since the Unix epoch, by path.
    times: BTreeMap<String, i64>,
}

impl Repository {
    /// Reads the commit times of the repository in `folder`, whose path in the download is `path`. Returns an empty
    /// value if there is no repository or the commit times can't be read.
    fn at(folder: &Path, path: &str, context: &IntakeContext<'_>) -> Repository {
        let times = context.git.as_ref().filter(|_| folder.join(".git").is_dir()).and_then(|git| git.committed(folder));
        let Some(times) = times else { return Repository::default() };
        let under = if path.is_empty() { String::new() } else { format!("{path}/") };
        Repository { under: Some(under), times }
    }

    fn has(&self, path: &str) -> bool {
        self.under.as_ref().is_some_and(|under| path.starts_with(under.as_str()))
    }

    /// Returns the time of the file's last commit, or `None` if no commit contains the file.
    fn committed(&self, path: &str) -> Option<i64> {
        let below = path.strip_prefix(self.under.as_deref()?)?;
        self.times.get(below).copied()
    }
}

fn file(
    from: &Path,
    path: String,
    modified: Option<i64>,
    context: &mut IntakeContext<'_>,
    intake: &mut Intake,
) -> Result<(), Failure> {
    too_many(intake)?;
    if is_zip(&path) {
        match opened_zip(from) {
            Ok(mut content) => unzip::entries(&mut content, &path, 1, context, intake)?,
            Err(Unusable::Refused(reason)) => intake.left.push(Left::new(path, reason)),
            Err(Unusable::Failed(failure)) => return Err(failure),
        }
        return Ok(());
    }
    let content = match bounded(from, LARGEST_SOURCE) {
        Ok(bytes) => Ok(bytes),
        Err(Unusable::Refused(reason)) => Err(reason),
        Err(Unusable::Failed(failure)) => return Err(failure),
    };
    intake.add(path, modified, content, context)
}

/// Returns an error if the download has too many files.
pub(super) fn too_many(intake: &Intake) -> Result<(), Failure> {
    if intake.files.len() + intake.left.len() < MOST_FILES {
        return Ok(());
    }
    let message = format!("the download exceeds the maximum of {MOST_FILES} files");
    Err(Diagnostic::new(message).help("remove the files that belong to no submission").into())
}

/// Returns the content of a file, or the reason why the file is skipped: its size exceeds `most` bytes, or it can't
/// be read.
fn bounded(path: &Path, most: u64) -> Result<Vec<u8>, Unusable> {
    let read = || -> std::io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        std::fs::File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let bytes = read().map_err(|error| unreadable(&error))?;
    if bytes.len() as u64 > most { Err(Unusable::Refused(too_large(most))) } else { Ok(bytes) }
}

/// Opens a zip file of at most [`unzip::LARGEST_ZIP`] bytes, which is read entry by entry.
fn opened_zip(path: &Path) -> Result<BufReader<std::fs::File>, Unusable> {
    let open = || {
        let file = std::fs::File::open(path)?;
        Ok((file.metadata()?.len(), file))
    };
    let (bytes, file) = open().map_err(|error| unreadable(&error))?;
    if bytes > unzip::LARGEST_ZIP {
        return Err(Unusable::Refused(too_large(unzip::LARGEST_ZIP)));
    }
    Ok(BufReader::new(file))
}

/// Returns the reason why an unreadable file is skipped, or the fault if the machine failed.
fn unreadable(error: &std::io::Error) -> Unusable {
    match Failure::user_file(error) {
        Failure::Complaint(complaint) => Unusable::Refused(format!("cannot be read: {complaint}")),
        fault @ Failure::Fault(_) => Unusable::Failed(fault),
    }
}

pub(super) fn too_large(most: u64) -> String {
    format!("larger than the maximum size of {}", crate::model::ByteSize::new(most).human())
}

fn below(root: &Path, path: &Path, charset: Option<Charset>) -> String {
    let below = path.strip_prefix(root).unwrap_or(path);
    let text = |part: &std::ffi::OsStr| match charset {
        Some(charset) => charset.decode(part.as_encoded_bytes()),
        None => part.to_string_lossy().into_owned(),
    };
    let parts: Vec<String> = below.iter().map(|part| composed(&text(part))).collect();
    parts.join("/")
}

/// Removes the top folder of a zip file from the paths if the folder contains all files and has the name of the zip
/// file without the extension.
fn without_folder_of_zip(intake: &mut Intake, from: &Path) {
    let Some(stem) = from.file_stem().map(|stem| composed(&stem.to_string_lossy())) else { return };
    let is_inside = |path: &str| path.strip_prefix(&stem).is_some_and(|rest| rest.starts_with('/'));
    if intake.files.iter().all(|file| is_inside(&file.path)) {
        strip_folder(&mut intake.files, &mut intake.left, &stem);
    }
}
