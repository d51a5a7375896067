//! The files of a problem as they are sent to workers: a list of names and hashes, and a blob for each file.

use std::collections::HashMap;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use walkdir::WalkDir;

use crate::lang::{TESTLIB, TESTLIB_FOLDERS};
use crate::model::{Diagnostic, Digest, Failure, Fault, FaultKind};
use crate::problem::load;
use crate::runner::has_no_content;
use crate::service::ProblemSource;

use super::blob_store::BlobStore;
use super::storage_limit::StorageLimit;

/// The number of folder levels from a problem up to the root of its bundle, which contains the folders `problems` and
/// `solutions`.
const ROOT_DISTANCE: usize = 2;

/// The limit on the files of problems at the coordinator. A file that is removed is read again from its problem.
const LIMIT: StorageLimit = StorageLimit { bytes: 8 << 30, kept: Duration::from_secs(3_600) };

/// The kind of a problem, which determines how its files are read: as a native problem, as a package of another judge's
/// format, or as samples without a description.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum BundleKind {
    Native,
    Package,
    Samples,
}

/// The files of a problem. The files of a native problem include its solutions, because the reference solution
/// generates the answers. Paths are relative to a root, which on a worker is the folder into which the files are
/// written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ProblemManifest {
    pub kind: BundleKind,
    /// The path of the problem, relative to the root.
    pub main: String,
    pub files: Vec<ManifestFile>,
}

/// A file of a problem.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ManifestFile {
    /// The path relative to the root, with `/` as the separator.
    pub path: String,
    pub digest: Digest,
    pub executable: bool,
}

impl ManifestFile {
    /// Returns the path of the file in the folder `root`; `None` if the file would be outside of that folder.
    pub(super) fn below(&self, root: &Path) -> Option<PathBuf> {
        let path = Path::new(&self.path);
        let is_inside = path.components().all(|part| matches!(part, Component::Normal(_)));
        (is_inside && !self.path.is_empty()).then(|| root.join(path))
    }
}

/// A file of a problem on the coordinator.
struct BundledPath {
    /// The path relative to the root.
    name: String,
    path: PathBuf,
    executable: bool,
}

/// Puts the files of problems into a store of blobs.
#[derive(Debug)]
pub(super) struct ProblemBundles {
    pub blobs: BlobStore,
    /// For the path of each problem, a hash of the names, sizes and times of the problem's files, and the hash of its
    /// manifest.
    known: Mutex<HashMap<PathBuf, (Digest, Digest)>>,
}

impl ProblemBundles {
    pub(super) fn new(blobs: BlobStore) -> ProblemBundles {
        ProblemBundles { blobs, known: Mutex::default() }
    }

    /// Puts the files of a problem and their manifest into the store, and returns the hash of the manifest. If no file
    /// of the problem has changed since the last call, the files are read again only if `again` is true.
    ///
    /// # Errors
    /// Fails if the problem is invalid or can't be read, if the name of a file is not UTF-8, or if the store can't be
    /// written.
    pub(super) fn bundle(&self, source: &ProblemSource, again: bool) -> Result<Digest, Failure> {
        let (kind, main, files) = files_of(source)?;
        let stamp = stamp_of(&files)?;
        let key = source.path().to_owned();
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(&key).copied();
        if let Some((_, manifest)) = known.filter(|(known, _)| *known == stamp && !again) {
            return Ok(manifest);
        }
        let mut listed = Vec::with_capacity(files.len());
        for BundledPath { name, path, executable } in files {
            let content = fs_err::read(&path).map_err(|error| unreadable(&error))?;
            listed.push(ManifestFile { path: name, digest: self.blobs.put(&content)?, executable });
        }
        let manifest = serde_json::to_vec(&ProblemManifest { kind, main, files: listed });
        let manifest = self.blobs.put(&manifest.map_err(|error| unreadable(&error.into()))?)?;
        self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(key, (stamp, manifest));
        self.blobs.shrink(&LIMIT);
        Ok(manifest)
    }
}

fn unreadable(error: &std::io::Error) -> Failure {
    Fault::io(FaultKind::Data, error).context("cannot read the files of a problem").into()
}

/// Returns the kind of a problem, its path relative to the root, and its files.
fn files_of(source: &ProblemSource) -> Result<(BundleKind, String, Vec<BundledPath>), Failure> {
    let kind = match source {
        ProblemSource::Native(_) => BundleKind::Native,
        ProblemSource::Package(_) => BundleKind::Package,
        ProblemSource::Samples { .. } => BundleKind::Samples,
    };
    let path = source.path();
    let whole = path.canonicalize().map_err(|error| Failure::user_file(&error))?;
    let name = text_of(whole.file_name().map(Path::new).unwrap_or(&whole))?;
    let mut files = Vec::new();
    if kind != BundleKind::Native {
        let main = format!("problems/{name}");
        add_files(&mut files, path, &main, kind)?;
        return Ok((kind, main, files));
    }
    let headers = testlib_headers(&whole);
    // The number of folders above the root is preserved, because the header is searched for in a fixed number of
    // folders.
    let above = "above/".repeat(headers.last().map_or(0, |(distance, _)| distance.saturating_sub(ROOT_DISTANCE)));
    let main = format!("{above}problems/{name}");
    add_files(&mut files, path, &main, kind)?;
    let problem = load(path)?;
    let solutions = problem.solutions();
    if !solutions.starts_with(&problem.dir) && solutions.is_dir() {
        let name = format!("{above}solutions/{}", problem.id);
        add_files(&mut files, &solutions, &name, kind)?;
        // Folders further up are also above the problem, so `headers` contains those with a header.
        add_header(&mut files, &format!("{above}solutions"), solutions.parent())?;
    }
    for (distance, folder) in &headers {
        let name = Path::new(&main).ancestors().nth(*distance).unwrap_or(Path::new(""));
        add_header(&mut files, &text_of(name)?, Some(folder))?;
    }
    Ok((kind, main, files))
}

/// Returns the folders above a problem that contain the header of testlib, each with its distance from the problem. The
/// problem's programs use the nearest of these headers.
fn testlib_headers(problem: &Path) -> Vec<(usize, &Path)> {
    let above = problem.ancestors().enumerate().skip(1).take(TESTLIB_FOLDERS);
    above.filter(|(_, folder)| folder.join(TESTLIB).is_file()).collect()
}

/// Adds the testlib header in `folder`, if there is one, to the folder `name` of the bundle.
fn add_header(files: &mut Vec<BundledPath>, name: &str, folder: Option<&Path>) -> Result<(), Failure> {
    let Some(path) = folder.map(|folder| folder.join(TESTLIB)).filter(|path| path.is_file()) else { return Ok(()) };
    let name = if name.is_empty() { TESTLIB.to_owned() } else { format!("{name}/{TESTLIB}") };
    files.push(BundledPath { name, path, executable: false });
    Ok(())
}

/// Adds the file `root`, or, if `root` is a folder, all files in it and its subfolders. Skips hidden files of native
/// problems, and files and folders named `.git` of other problems.
fn add_files(files: &mut Vec<BundledPath>, root: &Path, name: &str, kind: BundleKind) -> Result<(), Failure> {
    let is_skipped = |path: &Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if kind == BundleKind::Native { name.starts_with('.') } else { name == ".git" }
    };
    let walk = WalkDir::new(root).follow_links(true).sort_by_file_name().into_iter();
    for entry in walk.filter_entry(|entry| entry.depth() == 0 || !is_skipped(entry.path())) {
        let entry = match entry {
            Ok(entry) if entry.file_type().is_file() => entry,
            // Folders and dangling links have no content.
            Ok(_) => continue,
            Err(error) if error.depth() > 0 && has_no_content(&error) => continue,
            // A problem without some of its tests would accept wrong programs.
            Err(error) => return Err(unreadable(&error.into())),
        };
        let about = entry.metadata().map_err(|error| unreadable(&error.into()))?;
        let below = entry.path().strip_prefix(root).unwrap_or(entry.path());
        let name = if below.as_os_str().is_empty() { name.to_owned() } else { format!("{name}/{}", text_of(below)?) };
        let executable = about.permissions().mode() & 0o100 != 0;
        files.push(BundledPath { name, path: entry.into_path(), executable });
    }
    Ok(())
}

fn text_of(path: &Path) -> Result<String, Failure> {
    let text = path.to_str().map(str::to_owned);
    text.ok_or_else(|| {
        Diagnostic::new(format!("the name of the file `{}` is not UTF-8; rename the file", path.display())).into()
    })
}

/// Returns a hash of the names, sizes and times of files, which changes when a file changes.
fn stamp_of(files: &[BundledPath]) -> Result<Digest, Failure> {
    let mut parts = Vec::new();
    for file in files {
        let about = fs_err::metadata(&file.path).map_err(|error| unreadable(&error))?;
        let times = [about.mtime(), about.mtime_nsec(), about.ctime(), about.ctime_nsec(), about.len().cast_signed()];
        parts.push(file.name.as_bytes().to_vec());
        parts.push(times.iter().flat_map(|time| time.to_le_bytes()).collect());
    }
    Ok(Digest::of_parts(parts.iter().map(Vec::as_slice)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::AuthorFiles;

    /// Returns the folder of a problem in a bundle that was written to `target`, as a worker writes it.
    fn unpacked(problem: &Path, target: &Path) -> PathBuf {
        let (_, main, files) = files_of(&ProblemSource::Native(problem.to_owned())).unwrap();
        for file in files {
            let path = target.join(&file.name);
            fs_err::create_dir_all(path.parent().unwrap()).unwrap();
            fs_err::copy(&file.path, path).unwrap();
        }
        target.join(main)
    }

    #[test]
    fn a_worker_finds_the_header_of_testlib_where_the_server_finds_it() {
        for place in ["", "a", "a/b", "a/b/c", "a/b/c/problems", "a/b/c/problems/sum", "a/b/c/solutions"] {
            let [server, worker] = [(); 2].map(|()| tempfile::tempdir().unwrap());
            let problem = server.path().join("a/b/c/problems/sum");
            let solutions = server.path().join("a/b/c/solutions/sum");
            for folder in [&problem.join("make"), &solutions] {
                fs_err::create_dir_all(folder).unwrap();
                fs_err::write(folder.join("p.cpp"), "#include \"testlib.h\"\n").unwrap();
            }
            let yaml =
                "name: Sum\ninput:\n  - n: 1..=9\nanswer:\n  - m: 1..=9\ntests:\n  all: { every: { n: 1..=9 } }\n";
            fs_err::write(problem.join("problem.yaml"), yaml).unwrap();
            fs_err::write(problem.join("p.cpp"), "#include \"testlib.h\"\n").unwrap();
            fs_err::write(server.path().join(place).join(TESTLIB), place).unwrap();
            let there = unpacked(&problem, worker.path());
            let root = there.parent().and_then(Path::parent).unwrap();
            let pairs = [
                (problem.join("p.cpp"), there.join("p.cpp")),
                (problem.join("make/p.cpp"), there.join("make/p.cpp")),
                (solutions.join("p.cpp"), root.join("solutions/sum/p.cpp")),
            ];
            for (here, there) in pairs {
                let headers = |path: &Path| AuthorFiles::read(path).unwrap().headers;
                assert_eq!(headers(&here), headers(&there), "{place}: {}", here.display());
            }
        }
    }

    #[test]
    fn a_path_out_of_the_root_is_refused() {
        let below = |path: &str| {
            let file = ManifestFile { path: path.to_owned(), digest: Digest::of(b""), executable: false };
            file.below(Path::new("/w"))
        };
        assert_eq!(below("problems/sum/problem.yaml"), Some(PathBuf::from("/w/problems/sum/problem.yaml")));
        for path in ["", "/etc/passwd", "../a", "a/../../b", "./a/.."] {
            assert_eq!(below(path), None, "{path}");
        }
    }
}
