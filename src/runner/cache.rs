//! The cache folder: builds, test data, measured time limits. All of it can be recreated.

use std::path::{Path, PathBuf};

use crate::data::Store;
use crate::model::Digest;
use crate::problem::Problem;

/// The layout of the cache. Removing any of it is safe and only costs time.
#[derive(Debug, Clone)]
pub struct Cache {
    root: PathBuf,
    store: Store,
}

impl Cache {
    /// Creates a cache in this folder. The folder is created when it is first written to.
    pub fn new(root: &Path) -> Cache {
        Cache { root: root.to_owned(), store: Store::new(root.join("blobs")) }
    }

    /// The root folder of the cache.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The store of test data.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// The folder of the indexes of test data, which has one index for each problem.
    pub(super) fn made_data(&self) -> PathBuf {
        self.root.join("made")
    }

    /// The index of this problem's test data. Each problem folder has its own index, since two problems may have the
    /// same id.
    pub(super) fn data_index(&self, problem: &Problem) -> PathBuf {
        let place = Digest::of(problem.dir.as_os_str().as_encoded_bytes()).to_string();
        self.made_data().join(format!("{}-{}.json", problem.id, &place[..12]))
    }

    /// The file for the time limit that was measured under this key.
    pub(super) fn time_limit(&self, key: &str) -> PathBuf {
        self.root.join("limits").join(format!("{key}.json"))
    }

    /// The file with the hash of a problem's files. Its name is the hash of their modification times and sizes.
    pub(super) fn content_digest(&self, stamp: &Digest) -> PathBuf {
        self.root.join("digests").join(stamp.to_string())
    }

    /// The file with an output of a package's program. Its name is the digest of everything that the output depends on.
    pub(super) fn package_output(&self, digest: &str) -> PathBuf {
        self.root.join("packages").join(format!("made-{}", &digest[..32]))
    }

    /// The folder of a user's program with this content.
    pub(super) fn own_program(&self, content: &Digest) -> PathBuf {
        self.root.join("own-programs").join(&content.to_string()[..32])
    }

    /// The folder with the results of verifying the problem in this folder.
    pub(crate) fn verified(&self, problem: &Path) -> PathBuf {
        let place = Digest::of(problem.as_os_str().as_encoded_bytes()).to_string();
        self.root.join("verified").join(&place[..32])
    }

    /// The folder for the files of auxiliary programs.
    pub(super) fn aux_folders(&self) -> PathBuf {
        self.root.join("aux-programs")
    }
}
