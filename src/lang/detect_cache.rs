//! What was found out about a language on this machine, kept on disk: probing fifteen compilers takes seconds.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::model::Digest;

use super::path_search::Stamp;

/// The form of the file; an entry of another form is probed again.
const FORMAT: u32 = 1;

/// What was found out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct DetectedPrograms {
    format: u32,
    /// The hash of all that the search depends on: the row, the PATH, all candidates.
    pub(super) key: Digest,
    /// The programs: name in the row, and what is started in the end.
    pub(super) programs: Vec<(String, Stamp)>,
    /// Folders that the programs need to see.
    pub(super) show: Vec<PathBuf>,
    /// What the probe printed.
    pub(super) said: String,
    /// The options that the machine can take.
    pub(super) options: Vec<String>,
}

impl DetectedPrograms {
    /// What was found out under this key.
    pub(super) fn new(key: Digest, programs: Vec<(String, Stamp)>, show: Vec<PathBuf>) -> DetectedPrograms {
        DetectedPrograms { format: FORMAT, key, programs, show, said: String::new(), options: Vec::new() }
    }

    /// Reads what was found out earlier, if it still holds.
    pub(super) fn load(folder: &Path, language: &str, key: Digest) -> Option<DetectedPrograms> {
        let text = fs_err::read(file(folder, language)).ok()?;
        let found: DetectedPrograms = serde_json::from_slice(&text).ok()?;
        let holds = found.format == FORMAT && found.key == key && found.programs.iter().all(|(_, stamp)| stamp.holds());
        holds.then_some(found)
    }

    /// Keeps it. A cache that cannot be written costs time and nothing else, so there is nobody to tell.
    pub(super) fn save(&self, folder: &Path, language: &str) {
        let _ = self.try_save(folder, language);
    }

    fn try_save(&self, folder: &Path, language: &str) -> std::io::Result<()> {
        fs_err::create_dir_all(folder)?;
        let mut fresh = tempfile::NamedTempFile::new_in(folder)?;
        serde_json::to_writer(&mut fresh, self)?;
        fresh.persist(file(folder, language)).map_err(|error| error.error)?;
        Ok(())
    }
}

fn file(folder: &Path, language: &str) -> PathBuf {
    folder.join(format!("{language}.json"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_kept_holds_until_a_program_or_the_key_changes() {
        let folder = tempfile::tempdir().unwrap();
        let tool = folder.path().join("tool");
        fs_err::write(&tool, "one").unwrap();
        let key = Digest::of(b"key");
        let found = DetectedPrograms::new(key, vec![("tool".to_owned(), Stamp::of_file(&tool).unwrap())], vec![]);
        let cache = folder.path().join("cache");
        assert_eq!(DetectedPrograms::load(&cache, "x", key), None);
        found.save(&cache, "x");
        assert_eq!(DetectedPrograms::load(&cache, "x", key).as_ref(), Some(&found));
        assert_eq!(DetectedPrograms::load(&cache, "x", Digest::of(b"other")), None);
        fs_err::write(&tool, "another").unwrap();
        assert_eq!(DetectedPrograms::load(&cache, "x", key), None);
        fs_err::write(cache.join("x.json"), "{").unwrap();
        assert_eq!(DetectedPrograms::load(&cache, "x", key), None);
    }
}
