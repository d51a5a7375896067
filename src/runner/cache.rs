//! The cache folder: builds, test data and measured time limits, all of which can be recreated.

use std::path::{Path, PathBuf};

use crate::data::Store;
use crate::model::Digest;
use crate::problem::Problem;

/// The layout of the cache folder. Any part of the folder can be removed safely; it is recreated when it is needed.
#[derive(Debug, Clone)]
pub struct Cache {
    root: PathBuf,
    store: Store,
}

impl Cache {
    /// Creates a cache in the folder `root`, which is created on the first write.
    pub fn new(root: &Path) -> Cache {
        Cache { root: root.to_owned(), store: Store::new(root.join("blobs")) }
    }

    /// Returns the root folder of the cache.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the store of test data.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Returns the folder that contains an index of test data for each problem.
    pub(super) fn made_data(&self) -> PathBuf {
        self.root.join("made")
    }

    /// Returns the path of the index of this problem's test data. Each problem folder has its own index, since two
    /// problems may have the same id.
    pub(super) fn data_index(&self, problem: &Problem) -> PathBuf {
        let place = Digest::of(problem.dir.as_os_str().as_encoded_bytes()).to_string();
        self.made_data().join(format!("{}-{}.json", problem.id, &place[..12]))
    }

    /// Returns the path of the file that stores the measured time limit with the key `key`.
    pub(super) fn time_limit(&self, key: &str) -> PathBuf {
        self.root.join("limits").join(format!("{key}.json"))
    }

    /// Returns the path of the file with the hash of a problem's files. `stamp`, the hash of the paths, times and sizes
    /// of the problem's files, is the name of the file.
    pub(super) fn content_digest(&self, stamp: &Digest) -> PathBuf {
        self.root.join("digests").join(stamp.to_string())
    }

    /// Returns the path of the file that caches an output of a package's program. The file name is `digest`, which
    /// covers all data on which the output depends.
    pub(super) fn package_output(&self, digest: &str) -> PathBuf {
        self.root.join("packages").join(format!("made-{}", &digest[..32]))
    }

    /// Returns the folder for a user's program whose content has the hash `content`.
    pub(super) fn own_program(&self, content: &Digest) -> PathBuf {
        self.root.join("own-programs").join(&content.to_string()[..32])
    }

    /// Returns the folder with the results of earlier verifications of the problem in the folder `problem`.
    pub(crate) fn verified(&self, problem: &Path) -> PathBuf {
        let place = Digest::of(problem.as_os_str().as_encoded_bytes()).to_string();
        self.root.join("verified").join(&place[..32])
    }

    /// Returns the folder for the files of auxiliary programs.
    pub(super) fn aux_folders(&self) -> PathBuf {
        self.root.join("aux-programs")
    }
}
