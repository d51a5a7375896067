//! The problems that a worker has fetched, each in a folder that is named by the hash of its manifest.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::Mutex as TaskMutex;
use walkdir::WalkDir;

use crate::data::write_whole;
use crate::model::{Digest, Failure, Fault, FaultKind};
use crate::package::SampleQuery;
use crate::service::ProblemSource;

use super::blob_client::BlobClient;
use super::problem_bundle::{BundleKind, ManifestFile, ProblemManifest};

/// The name of the file with the manifest in the folder of a problem.
const MANIFEST: &str = "manifest.json";

/// The problems that a worker has fetched. All files are checked before each job, and damaged ones are fetched again.
#[derive(Debug)]
pub(super) struct ProblemCache {
    folder: PathBuf,
    /// The locks of problems whose files are checked, so that two jobs do not fetch the same files. A job of another
    /// problem does not wait for them.
    checking: Mutex<HashMap<Digest, Arc<TaskMutex<()>>>>,
}

impl ProblemCache {
    pub(super) fn new(folder: PathBuf) -> ProblemCache {
        ProblemCache { folder, checking: Mutex::default() }
    }

    /// Returns the problem with this manifest, after fetching the files that are missing or damaged.
    ///
    /// # Errors
    /// Fails if a file can't be fetched or written, if the manifest is invalid, or if the path of a file leaves the
    /// folder of the problem. Fails at once if the job of the client must stop.
    pub(super) fn problem(&self, manifest: Digest, client: &BlobClient<'_>) -> Result<ProblemSource, Failure> {
        let _checking = client.until_stopped(self.lock_of(manifest).lock_owned())?;
        let root = self.folder.join(manifest.to_string());
        let json = checked_file(&root.join(MANIFEST), manifest, client)?;
        let manifest: ProblemManifest = serde_json::from_slice(&json)
            .map_err(|error| Fault::io(FaultKind::Data, &error.into()).context("cannot read the list of files"))?;
        let files = root.join("files");
        for file in &manifest.files {
            let path = path_of(file, &files)?;
            checked_file(&path, file.digest, client)?;
            set_executable(&path, file.executable)?;
        }
        remove_others(&manifest, &files);
        let main = ManifestFile { path: manifest.main, digest: Digest::of(b""), executable: false };
        let path = path_of(&main, &files)?;
        Ok(match manifest.kind {
            BundleKind::Native => ProblemSource::Native(path),
            BundleKind::Package => ProblemSource::Package(path),
            BundleKind::Samples => ProblemSource::Samples { path, query: SampleQuery::default() },
        })
    }

    /// Returns the lock of a problem. Locks that no job uses are removed.
    fn lock_of(&self, manifest: Digest) -> Arc<TaskMutex<()>> {
        let mut checking = self.checking.lock().unwrap_or_else(PoisonError::into_inner);
        checking.retain(|_, lock| Arc::strong_count(lock) > 1);
        checking.entry(manifest).or_default().clone()
    }
}

fn path_of(file: &ManifestFile, root: &Path) -> Result<PathBuf, Fault> {
    let refused = || Fault::new(FaultKind::Data, format!("the path `{}` leaves the folder of the problem", file.path));
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

/// Removes files that do not belong to the problem, because they would be part of its hash.
fn remove_others(manifest: &ProblemManifest, root: &Path) {
    let own: HashSet<PathBuf> = manifest.files.iter().filter_map(|file| file.below(root)).collect();
    let found = WalkDir::new(root).into_iter().flatten().filter(|entry| !entry.file_type().is_dir());
    for other in found.filter(|entry| !own.contains(entry.path())) {
        // A file that can't be removed makes the hash of the problem differ, which fails the job.
        _ = fs_err::remove_file(other.path());
    }
}
