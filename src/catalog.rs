//! Finds problems by id in a list of folders, or by the path of their folder.

use std::path::{Path, PathBuf};

use include_dir::{Dir, File, include_dir};

use crate::model::{Diagnostic, Failure, FaultKind, ProblemId, folder_of};
use crate::problem::{Problem, SPEC_FILE, load};
use crate::yaml;

/// The problem set that is embedded in the binary.
static PROBLEMS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/problems");
/// The solutions of the embedded problems.
static SOLUTIONS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/solutions");

/// The hash of the embedded problems and solutions, computed by the build script. Cargo reruns the script if a file
/// is newer than the last run, so the hash may be outdated if files were replaced by older files; see [`set_key`].
const SET_HASH: &str = env!("NIMATRON_PROBLEM_SET");

/// The folders in which problems are looked up by id. The first match is used.
#[derive(Debug, Clone)]
pub struct Catalog {
    dirs: Vec<PathBuf>,
    /// The folder of the embedded set, without symbolic links.
    embedded: PathBuf,
}

impl Catalog {
    /// Creates a catalog of the folders `named`, followed by the nearest `problems/` in `start` or its ancestors,
    /// followed by the embedded problem set, which is extracted under `cache`.
    ///
    /// # Errors
    /// Fails if a named folder does not exist or is not a folder, or if the embedded problem set can't be extracted.
    pub fn new(named: &[PathBuf], start: &Path, cache: &Path) -> Result<Catalog, Failure> {
        if let Some(missing) = named.iter().find(|dir| !dir.is_dir()) {
            let complaint = format!("expected a folder of problems, but `{}` {}", missing.display(), defect(missing));
            let help = "specify an existing folder of problems with `--problems` or `NIMATRON_PROBLEMS`";
            return Err(Diagnostic::new(complaint).help(help).into());
        }
        let mut dirs = named.to_vec();
        let nearest = start.ancestors().map(|dir| dir.join("problems")).find(|dir| dir.is_dir());
        dirs.extend(nearest);
        dirs.push(embedded(cache)?);
        let embedded = dirs.last().map(|set| canonical(set)).unwrap_or_default();
        Ok(Catalog { dirs, embedded })
    }

    /// Returns the folder that is searched first.
    pub fn first(&self) -> PathBuf {
        self.dirs.first().cloned().unwrap_or_default()
    }

    /// Returns whether `dir` is in the folder of the embedded set.
    pub fn is_embedded(&self, dir: &Path) -> bool {
        self.dirs.last().is_some_and(|set| dir.starts_with(set) || canonical(dir).starts_with(&self.embedded))
    }

    /// Returns the ids and folders of all problems, sorted by id. If several folders contain a problem with the same
    /// id, the folder that [`Catalog::find`] returns is listed.
    pub fn list(&self) -> Vec<(ProblemId, PathBuf)> {
        let mut found = std::collections::BTreeMap::new();
        for dir in &self.dirs {
            for entry in dir.read_dir().into_iter().flatten().flatten() {
                let path = entry.path();
                let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
                // A symbolic link to a problem is listed under the name of the folder that it points to.
                let real = if is_link { canonical(&path) } else { path.clone() };
                let id = real.file_name().and_then(|name| name.to_str()?.parse::<ProblemId>().ok());
                if let (Some(id), true) = (id, path.join(SPEC_FILE).is_file()) {
                    // A folder with this name takes precedence over a link in the same folder of problems.
                    let kept = found.entry(id).or_insert_with(|| path.clone());
                    if !is_link && kept.parent() == path.parent() {
                        *kept = path;
                    }
                }
            }
        }
        found.into_iter().collect()
    }

    /// Returns the folder of a problem that is named by its id or by a path.
    ///
    /// # Errors
    /// Fails if the problem does not exist. The error suggests the most similar id, if one is similar.
    pub fn find(&self, name: &str) -> Result<PathBuf, Diagnostic> {
        let path = Path::new(name);
        let as_path = name.contains('/') || path.join(SPEC_FILE).is_file() || name == ".";
        if as_path {
            return find_path(path);
        }
        // The name is looked up directly first, since listing all folders takes longer.
        if let Some(dir) = self.dirs.iter().find_map(|dir| problem_in(dir, name)) {
            return Ok(dir);
        }
        let list = self.list();
        let diagnostic = Diagnostic::new(format!("unknown problem `{name}`"));
        Err(match yaml::nearest(name, list.iter().map(|(id, _)| id.as_str())) {
            Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
            None => diagnostic.help("list all problems with `nimatron list`, or specify the path of a problem folder"),
        })
    }

    /// Finds and reads a problem.
    ///
    /// # Errors
    /// Fails if the problem does not exist, if its folder's name is not a valid id, or if its spec can't be read or is
    /// invalid.
    pub fn load(&self, name: &str) -> Result<Problem, Diagnostic> {
        load(&self.find(name)?)
    }
}

/// Returns the path of the problem with the id `name` in a folder of problems: the subfolder of this name or, if there
/// is none, a symbolic link to a problem folder of this name. Returns `None` if there is neither.
fn problem_in(dir: &Path, name: &str) -> Option<PathBuf> {
    name.parse::<ProblemId>().ok()?;
    let is_problem = |path: &Path| path.join(SPEC_FILE).is_file();
    let direct = dir.join(name);
    if !direct.is_symlink() && is_problem(&direct) {
        return Some(direct);
    }
    let entries = dir.read_dir().into_iter().flatten().flatten();
    let links = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_symlink()));
    let leads_there = |path: &PathBuf| {
        is_problem(path) && fs_err::canonicalize(path).is_ok_and(|real| real.file_name().is_some_and(|end| end == name))
    };
    links.map(|entry| entry.path()).find(leads_there)
}

fn find_path(path: &Path) -> Result<PathBuf, Diagnostic> {
    if path.is_file() && path.file_name().is_some_and(|name| name == SPEC_FILE) {
        return Ok(folder_of(path).to_owned());
    }
    if path.join(SPEC_FILE).is_file() {
        return Ok(path.to_owned());
    }
    let what = if path.is_dir() { format!("has no file `{SPEC_FILE}`") } else { defect(path) };
    Err(Diagnostic::new(format!("expected a problem folder, but `{}` {what}", path.display()))
        .help("list all problems with `nimatron list`, or create a problem folder with `nimatron new`"))
}

/// Returns the reason why a path can't be used as a folder, as the predicate of a sentence.
fn defect(path: &Path) -> String {
    match path.metadata() {
        Ok(_) => "is not a folder".to_owned(),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => "does not exist".to_owned(),
        Err(error) => format!("cannot be read: {error}"),
    }
}

/// Extracts the embedded problem set under `cache`, unless this version of the set already exists there. Returns the
/// extracted folder of problems.
fn embedded(cache: &Path) -> Result<PathBuf, Failure> {
    let root = cache.join("set").join(set_key());
    let problems = root.join("problems");
    if !problems.is_dir() {
        lay_out(&root).map_err(|error| {
            let root = root.display();
            let why = format!(
                "cannot extract the built-in problems to `{root}`: {error}; choose another cache folder with `--cache`"
            );
            Failure::fault(FaultKind::Data, why)
        })?;
    }
    Ok(problems)
}

/// Returns the name under which the embedded set is extracted: its hash, and the total size in bytes of the files that
/// are actually embedded, which usually changes even if the hash is outdated.
fn set_key() -> String {
    let bytes: usize = files(&PROBLEMS).chain(files(&SOLUTIONS)).map(|file| file.contents().len()).sum();
    format!("{SET_HASH}-{bytes}")
}

/// Returns the path without symbolic links, or the path itself if it can't be resolved.
fn canonical(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

fn files(dir: &'static Dir<'_>) -> Box<dyn Iterator<Item = &'static File<'static>>> {
    Box::new(dir.files().chain(dir.dirs().flat_map(files)))
}

/// Writes the embedded set to a temporary folder and renames the folder, so that other processes never read an
/// incomplete set.
fn lay_out(root: &Path) -> std::io::Result<()> {
    let parent = root.parent().unwrap_or(Path::new("."));
    fs_err::create_dir_all(parent)?;
    let fresh = tempfile::Builder::new().prefix(".set-").tempdir_in(parent)?;
    for (name, dir) in [("problems", &PROBLEMS), ("solutions", &SOLUTIONS)] {
        let place = fresh.path().join(name);
        fs_err::create_dir_all(&place)?;
        dir.extract(&place)?;
    }
    match std::fs::rename(fresh.path(), root) {
        Err(_) if root.join("problems").is_dir() => Ok(()),
        other => other,
    }
}
