//! Results of earlier verifications: a program that met its expectations is not judged again until the program, the
//! data, the limits, the settings, a compiler or this version of the judge changes.
//!
//! Results that did not meet the expectations are never stored, so a disturbed run has no lasting effect.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::data::write_whole;
use crate::model::{Digest, Failure};
use crate::runner::{Host, own_digest};

/// Age after which a result is removed if a verification does not use it, for example because the program has changed.
const KEPT: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// The results of one problem.
pub(super) struct ResultCache {
    folder: PathBuf,
    /// The hash of nimatron's executable, since another version may judge differently.
    program: Digest,
    /// Whether results of earlier verifications are used.
    reads: bool,
    /// Names of the result files that this verification looked up or wrote. [`ResultCache::remove_unused`] retains
    /// them.
    used: Mutex<BTreeSet<String>>,
}

impl ResultCache {
    /// Opens the results of the problem in this folder. If `again` is true, results of earlier verifications are not
    /// used.
    ///
    /// # Errors
    /// Fails if nimatron's executable can't be read.
    pub(super) fn open(host: &Host, problem: &Path, again: bool) -> Result<ResultCache, Failure> {
        let problem = fs_err::canonicalize(problem).unwrap_or_else(|_| problem.to_owned());
        Ok(ResultCache {
            folder: host.cache().verified(&problem),
            program: own_digest(host.cache())?,
            reads: !again,
            used: Mutex::default(),
        })
    }

    /// Returns the key of a result. `parts` contains all data on which the result depends, except for nimatron's
    /// executable.
    pub(super) fn key(&self, kind: &str, parts: &[&[u8]]) -> Digest {
        Digest::of_parts([self.program.bytes().as_slice(), kind.as_bytes()].into_iter().chain(parts.iter().copied()))
    }

    /// Returns the result under this key, or `None` if there is none, it can't be read, or the results of earlier
    /// verifications are not used.
    pub(super) fn get<T: DeserializeOwned>(&self, key: &Digest) -> Option<T> {
        let path = self.path(key);
        if !self.reads {
            return None;
        }
        serde_json::from_slice(&fs_err::read(path).ok()?).ok()
    }

    /// Stores a result. If it can't be written, it is computed again the next time.
    pub(super) fn put<T: Serialize>(&self, key: &Digest, result: &T) {
        if let Ok(text) = serde_json::to_vec(result) {
            _ = write_whole(&self.path(key), &text);
        }
    }

    /// Removes results that this verification did not use and that are older than [`KEPT`]. It is called at the end of
    /// the verification.
    pub(super) fn remove_unused(self) {
        let used = self.used.into_inner().unwrap_or_else(PoisonError::into_inner);
        for entry in fs_err::read_dir(&self.folder).into_iter().flatten().flatten() {
            let age =
                entry.metadata().and_then(|about| about.modified()).map(|time| time.elapsed().unwrap_or_default());
            let is_used = entry.file_name().to_str().is_some_and(|name| used.contains(name));
            if !is_used && age.is_ok_and(|age| age > KEPT) {
                _ = fs_err::remove_file(entry.path());
            }
        }
    }

    fn path(&self, key: &Digest) -> PathBuf {
        let name = format!("{key}.json");
        let path = self.folder.join(&name);
        self.used.lock().unwrap_or_else(PoisonError::into_inner).insert(name);
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cache(folder: &Path, again: bool) -> ResultCache {
        ResultCache { folder: folder.to_owned(), program: Digest::of(b"judge"), reads: !again, used: Mutex::default() }
    }

    #[test]
    fn old_unused_results_are_removed_and_others_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let first = cache(folder.path(), false);
        let [a, b] = ["a", "b"].map(|part| first.key("solution", &[part.as_bytes()]));
        assert_eq!(first.get::<u32>(&a), None);
        first.put(&a, &1_u32);
        first.put(&b, &2_u32);
        let old = std::time::SystemTime::now() - 2 * KEPT;
        for path in [first.path(&a), first.path(&b)] {
            fs_err::File::options().write(true).open(path).unwrap().set_modified(old).unwrap();
        }
        first.remove_unused();
        let second = cache(folder.path(), false);
        assert_eq!(second.get::<u32>(&a), Some(1));
        assert_eq!(second.get::<String>(&a), None, "a result of another type counts as none");
        let fresh = second.key("solution", &[b"c"]);
        cache(folder.path(), false).put(&fresh, &3_u32);
        second.remove_unused();
        let third = cache(folder.path(), false);
        assert_eq!((third.get::<u32>(&a), third.get::<u32>(&b), third.get::<u32>(&fresh)), (Some(1), None, Some(3)));
        assert_eq!(cache(folder.path(), true).get::<u32>(&a), None, "everything is judged again");
    }

    #[test]
    fn another_judge_has_other_keys() {
        let folder = tempfile::tempdir().unwrap();
        let one = cache(folder.path(), false);
        let other = ResultCache { program: Digest::of(b"other"), ..cache(folder.path(), false) };
        assert_ne!(one.key("solution", &[b"a"]), other.key("solution", &[b"a"]));
        assert_ne!(one.key("solution", &[b"a"]), one.key("proof", &[b"a"]));
    }
}
