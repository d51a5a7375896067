//! The index of test data: a file that maps the key of a case to its input and answer. The key is the hash of all data
//! from which the case is generated.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::model::{Digest, Failure};

use super::store::{Blob, write_whole};

/// The index of one problem's test data.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Index {
    cases: BTreeMap<String, (Blob, Blob)>,
}

impl Index {
    pub(super) fn new(cases: impl Iterator<Item = (Digest, (Blob, Blob))>) -> Index {
        Index { cases: cases.map(|(key, blobs)| (key.to_string(), blobs)).collect() }
    }

    /// Reads the index. A missing or damaged file is treated as an empty index, so that all cases are generated again.
    pub(super) fn read(path: &Path) -> Index {
        fs_err::read(path).ok().and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default()
    }

    pub(super) fn get(&self, key: &Digest) -> Option<(Blob, Blob)> {
        self.cases.get(&key.to_string()).copied()
    }

    pub(super) fn write(&self, path: &Path) -> Result<(), Failure> {
        let unwritable = |error: std::io::Error| Failure::unwritable(path, &error);
        let text = serde_json::to_vec(self).map_err(|error| unwritable(error.into()))?;
        write_whole(path, &text).map_err(unwritable)
    }
}
