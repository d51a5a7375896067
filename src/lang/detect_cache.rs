//! The on-disk cache of detected languages. Without the cache, probing all languages would take seconds at each
//! start.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::model::Digest;

use super::path_search::Stamp;

/// Format version of the file. A language whose entry has another version is detected again.
const FORMAT: u32 = 2;

/// The result of detecting a language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct DetectedPrograms {
    format: u32,
    /// The hash of the row, of all candidates, and of the variables and files on which a version manager depends.
    pub(super) key: Digest,
    /// The stamps of the executables, each with the name of the program's placeholder in the row.
    pub(super) programs: Vec<(String, Stamp)>,
    /// Folders that the programs must be able to read.
    pub(super) show: Vec<PathBuf>,
    /// Output of the probe.
    pub(super) said: String,
    /// Options that this machine supports, each with the lines that its probe printed.
    pub(super) options: Vec<(String, Vec<String>)>,
    /// The link in the row's installation prefix by which the real program is started; `None` if the program is started
    /// by its own path.
    pub(super) link: Option<PathBuf>,
}

impl DetectedPrograms {
    /// Creates a result with the key `key`, the programs and the folders. The probe output, the options and the link
    /// are initially empty.
    pub(super) fn new(key: Digest, programs: Vec<(String, Stamp)>, show: Vec<PathBuf>) -> DetectedPrograms {
        DetectedPrograms { format: FORMAT, key, programs, show, said: String::new(), options: Vec::new(), link: None }
    }

    /// Reads the stored result for a language. Returns `None` if there is no readable result, if its format, its key,
    /// or one of its programs has changed, or if its link or one of its folders no longer exists.
    pub(super) fn load(folder: &Path, language: &str, key: Digest) -> Option<DetectedPrograms> {
        let text = fs_err::read(file(folder, language)).ok()?;
        let found: DetectedPrograms = serde_json::from_slice(&text).ok()?;
        let holds = found.format == FORMAT
            && found.key == key
            && found.programs.iter().all(|(_, stamp)| stamp.holds())
            && found.show.iter().chain(&found.link).all(|path| path.exists());
        holds.then_some(found)
    }

    /// Stores the result. Write errors are ignored, because they only cause the language to be detected again.
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
    fn entry_is_valid_until_a_program_a_folder_or_the_key_changes() {
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
        let folder = folder.path().join("library");
        fs_err::create_dir(&folder).unwrap();
        let found = DetectedPrograms::new(key, vec![], vec![folder.clone()]);
        found.save(&cache, "x");
        assert_eq!(DetectedPrograms::load(&cache, "x", key).as_ref(), Some(&found));
        fs_err::remove_dir(folder).unwrap();
        assert_eq!(DetectedPrograms::load(&cache, "x", key), None, "a folder that the programs read is gone");
        fs_err::write(cache.join("x.json"), "{").unwrap();
        assert_eq!(DetectedPrograms::load(&cache, "x", key), None);
    }
}
