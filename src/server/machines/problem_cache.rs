//! The problems that a worker has fetched, each in a folder that is named by the hash of its manifest.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, SystemTime};

use tokio::sync::Mutex as TaskMutex;
use walkdir::WalkDir;

use crate::data::write_whole;
use crate::model::{Digest, Failure, Fault, FaultKind};
use crate::package::SampleQuery;
use crate::service::ProblemSource;

use super::blob_client::BlobClient;
use super::problem_bundle::{BundleKind, ManifestFile, ProblemManifest};
use super::storage_limit::{StorageLimit, entries_of, note_use, remove};

/// The name of the file with the manifest in the folder of a problem.
const MANIFEST: &str = "manifest.json";

/// The limit on the problems of a worker.
const LIMIT: StorageLimit = StorageLimit { bytes: 8 << 30, kept: Duration::from_secs(3_600) };

/// A guard that prevents the removal of a problem from the cache until the guard is dropped.
#[derive(Debug)]
pub(super) struct HeldProblem(#[expect(dead_code, reason = "its references are counted")] Arc<()>);

/// The problems that a worker has fetched. All files are checked before each job, and damaged files are fetched again.
#[derive(Debug)]
pub(super) struct ProblemCache {
    folder: PathBuf,
    /// The locks of problems whose files are being checked, so that two jobs do not fetch the same files. A job of
    /// another problem does not wait for these locks.
    checking: Mutex<HashMap<Digest, Arc<TaskMutex<()>>>>,
    /// The problems of running jobs.
    held: Mutex<HashMap<Digest, Weak<()>>>,
    limit: StorageLimit,
}

impl ProblemCache {
    pub(super) fn new(folder: PathBuf) -> ProblemCache {
        ProblemCache { folder, checking: Mutex::default(), held: Mutex::default(), limit: LIMIT }
    }

    /// Creates a cache with a limit of `bytes` bytes, in which only the problems of running jobs are protected from
    /// removal.
    #[cfg(test)]
    pub(super) fn limited(folder: PathBuf, bytes: u64) -> ProblemCache {
        ProblemCache { limit: StorageLimit { bytes, kept: Duration::ZERO }, ..ProblemCache::new(folder) }
    }

    /// Returns the problem with this manifest, after fetching the files that are missing or damaged.
    ///
    /// # Errors
    /// Fails if a file can't be fetched or written, if the manifest is invalid, or if the path of a file leaves the
    /// folder of the problem. Fails immediately if the job of the client must stop.
    pub(super) fn problem(
        &self,
        manifest: Digest,
        client: &BlobClient<'_>,
    ) -> Result<(ProblemSource, HeldProblem), Failure> {
        let _checking = client.until_stopped(self.lock_of(manifest).lock_owned())?;
        let held = self.hold(manifest);
        let root = self.folder.join(manifest.to_string());
        let is_new = !root.exists();
        let json = checked_file(&root.join(MANIFEST), manifest, client)?;
        let manifest: ProblemManifest = serde_json::from_slice(&json).map_err(|error| {
            Fault::io(FaultKind::Data, &error.into()).context("cannot parse the manifest of the problem")
        })?;
        let files = root.join("files");
        for file in &manifest.files {
            let path = path_of(file, &files)?;
            checked_file(&path, file.digest, client)?;
            set_executable(&path, file.executable)?;
        }
        remove_others(&manifest, &files);
        let main = ManifestFile { path: manifest.main, digest: Digest::of(b""), executable: false };
        let path = path_of(&main, &files)?;
        note_use(&root.join(MANIFEST));
        if is_new {
            self.shrink();
        }
        let source = match manifest.kind {
            BundleKind::Native => ProblemSource::Native(path),
            BundleKind::Package => ProblemSource::Package(path),
            BundleKind::Samples => ProblemSource::Samples { path, query: SampleQuery::default() },
        };
        Ok((source, held))
    }

    /// Prevents the removal of a problem until the returned value is dropped.
    fn hold(&self, manifest: Digest) -> HeldProblem {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.retain(|_, hold| hold.strong_count() > 0);
        let hold = held.get(&manifest).and_then(Weak::upgrade).unwrap_or_default();
        held.insert(manifest, Arc::downgrade(&hold));
        HeldProblem(hold)
    }

    /// Removes the least recently used problems if the total size of all problems exceeds the limit.
    fn shrink(&self) {
        let mut problems = entries_of(&self.folder, 1);
        for problem in &mut problems {
            if let Ok(used) = fs_err::metadata(problem.path.join(MANIFEST)).and_then(|about| about.modified()) {
                problem.used = used;
            }
        }
        for path in self.limit.surplus(problems, SystemTime::now()) {
            // No job may begin to hold the problem while it is removed.
            let held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
            let digest = path.file_name().and_then(|name| name.to_str()?.parse::<Digest>().ok());
            let is_held = digest.and_then(|digest| held.get(&digest)).is_some_and(|hold| hold.strong_count() > 0);
            if !is_held {
                remove(&path);
            }
        }
    }

    /// Returns the lock of a problem. Locks that no job uses are removed.
    fn lock_of(&self, manifest: Digest) -> Arc<TaskMutex<()>> {
        let mut checking = self.checking.lock().unwrap_or_else(PoisonError::into_inner);
        checking.retain(|_, lock| Arc::strong_count(lock) > 1);
        checking.entry(manifest).or_default().clone()
    }
}

fn path_of(file: &ManifestFile, root: &Path) -> Result<PathBuf, Fault> {
    let refused = || Fault::new(FaultKind::Data, format!("the path `{}` is outside the problem's folder", file.path));
    file.below(root).ok_or_else(refused)
}

/// Returns the content of a file after checking its hash. A missing or damaged file is fetched.
fn checked_file(path: &Path, digest: Digest, client: &BlobClient<'_>) -> Result<Vec<u8>, Failure> {
    if let Ok(content) = fs_err::read(path)
        && Digest::of(&content) == digest
    {
        return Ok(content);
    }
    let content = client.fetch(digest)?;
    if let Some(folder) = path.parent() {
        fs_err::create_dir_all(folder).map_err(|error| Failure::unwritable(path, &error))?;
    }
    write_whole(path, &content).map_err(|error| Failure::unwritable(path, &error))?;
    Ok(content)
}

fn set_executable(path: &Path, executable: bool) -> Result<(), Failure> {
    use std::os::unix::fs::PermissionsExt as _;
    let failed = |error: std::io::Error| Failure::unwritable(path, &error);
    let mode = fs_err::metadata(path).map_err(failed)?.permissions().mode();
    let wanted = if executable { mode | 0o100 } else { mode & !0o111 };
    if wanted == mode {
        return Ok(());
    }
    fs_err::set_permissions(path, std::fs::Permissions::from_mode(wanted)).map_err(failed)
}

/// Removes files that are not in the manifest, because the hash of the problem would include them.
fn remove_others(manifest: &ProblemManifest, root: &Path) {
    let own: HashSet<PathBuf> = manifest.files.iter().filter_map(|file| file.below(root)).collect();
    let found = WalkDir::new(root).into_iter().flatten().filter(|entry| !entry.file_type().is_dir());
    for other in found.filter(|entry| !own.contains(entry.path())) {
        // If a file can't be removed, the hash of the problem differs, and the job fails.
        _ = fs_err::remove_file(other.path());
    }
}
