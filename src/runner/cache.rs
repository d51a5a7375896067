//! The folder that keeps what can be made again: builds, test data, measured time limits.

use std::path::{Path, PathBuf};

use crate::data::Store;
use crate::model::Digest;
use crate::problem::Problem;

/// The layout of the cache. Removing any of it costs only time.
#[derive(Debug, Clone)]
pub struct Cache {
    root: PathBuf,
    store: Store,
}

impl Cache {
    /// The cache in this folder, which is made when something is kept.
    pub fn new(root: &Path) -> Cache {
        Cache { root: root.to_owned(), store: Store::new(root.join("blobs")) }
    }

    /// The folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The store of test data.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// The folder with one index of test data a problem.
    pub(super) fn made_data(&self) -> PathBuf {
        self.root.join("made")
    }

    /// The index of this problem's test data: one for each folder, since two problems may have the same id.
    pub(super) fn data_index(&self, problem: &Problem) -> PathBuf {
        let place = Digest::of(problem.dir.as_os_str().as_encoded_bytes()).to_string();
        self.made_data().join(format!("{}-{}.json", problem.id, &place[..12]))
    }

    /// The file with a time limit that was measured under this key.
    pub(super) fn time_limit(&self, key: &str) -> PathBuf {
        self.root.join("limits").join(format!("{key}.json"))
    }

    /// The file with the hash of a problem's files, by the hash of their times and sizes.
    pub(super) fn content_digest(&self, stamp: &Digest) -> PathBuf {
        self.root.join("digests").join(stamp.to_string())
    }

    /// The file with an output of a package's program, by the digest of all that it depends on.
    pub(super) fn package_output(&self, digest: &str) -> PathBuf {
        self.root.join("packages").join(format!("made-{}", &digest[..32]))
    }

    /// The folder below which auxiliary programs are shown their files.
    pub(super) fn aux_folders(&self) -> PathBuf {
        self.root.join("aux-programs")
    }
}
