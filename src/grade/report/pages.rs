//! Writes the pages of a report. Unchanged files are not rewritten, and obsolete pages are removed.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::data::{remove_unfinished, write_in_pieces, write_whole};
use crate::model::Failure;

/// Subfolders that contain pages.
const FOLDERS: [&str; 3] = ["students", "problems", "likeness"];

/// A writer for the pages of a report, which records the pages that were written.
pub(super) struct Pages<'a> {
    dir: &'a Path,
    /// Paths of the pages written so far, relative to the report's folder.
    kept: BTreeSet<String>,
}

impl<'a> Pages<'a> {
    /// Creates a writer for a report in the folder `dir`.
    pub(super) fn new(dir: &'a Path) -> Pages<'a> {
        Pages { dir, kept: BTreeSet::new() }
    }

    /// Writes a page to the path `name`, relative to the report's folder, and returns the full path.
    ///
    /// # Errors
    /// Fails if the page can't be written.
    pub(super) fn put(&mut self, name: String, page: &str) -> Result<PathBuf, Failure> {
        let path = self.dir.join(&name);
        // Replacing a file takes much longer than reading it, since the new content must be flushed to the disk.
        if fs_err::read(&path).ok().as_deref() != Some(page.as_bytes()) {
            write_whole(&path, page.as_bytes()).map_err(|error| Failure::unwritable(&path, &error))?;
        }
        self.kept.insert(name);
        Ok(path)
    }

    /// Writes a large page to the path `name`, in the pieces that `emit` produces.
    ///
    /// # Errors
    /// Fails if the page can't be written.
    pub(super) fn put_in_pieces(
        &mut self,
        name: &str,
        emit: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<PathBuf, Failure> {
        let path = self.dir.join(name);
        write_in_pieces(&path, emit).map_err(|error| Failure::unwritable(&path, &error))?;
        self.kept.insert(name.to_owned());
        Ok(path)
    }

    /// Removes the pages of earlier reports that are not part of this report, and temporary files that interrupted runs
    /// left behind. Other files are kept.
    ///
    /// # Errors
    /// Fails if a page can't be removed.
    pub(super) fn finish(self) -> Result<(), Failure> {
        remove_unfinished(self.dir);
        for folder in FOLDERS {
            let place = self.dir.join(folder);
            remove_unfinished(&place);
            for entry in fs_err::read_dir(&place).into_iter().flatten().flatten() {
                let name = format!("{folder}/{}", entry.file_name().to_string_lossy());
                if name.ends_with(".html") && !self.kept.contains(&name) {
                    fs_err::remove_file(entry.path()).map_err(|error| Failure::user_file(&error))?;
                }
            }
            // `remove_dir` fails for a folder that is not empty.
            let _ = std::fs::remove_dir(place);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::ProcessId;

    #[test]
    fn unchanged_pages_are_kept_and_obsolete_pages_are_removed() {
        use std::os::unix::fs::MetadataExt;
        let dir = tempfile::tempdir().unwrap();
        let write = |names: &[&str]| {
            let mut pages = Pages::new(dir.path());
            names.iter().for_each(|name| drop(pages.put((*name).to_owned(), name).unwrap()));
            pages.finish().unwrap();
        };
        write(&["index.html", "students/ann.html", "likeness/a.html"]);
        let file = |name: &str| fs_err::metadata(dir.path().join(name)).map(|about| about.ino()).ok();
        let before = file("students/ann.html");
        let own = ["notes.txt", "mine.html", "course/page.html", "students/photo.png"];
        fs_err::create_dir(dir.path().join("course")).unwrap();
        own.iter().for_each(|name| fs_err::write(dir.path().join(name), "a teacher's").unwrap());
        let me = ProcessId::current().to_string();
        let half = format!("students/.new-{}-0-x", me.rsplit_once('-').unwrap().0);
        fs_err::write(dir.path().join(&half), "half").unwrap();
        write(&["index.html", "students/ann.html"]);
        assert!(before.is_some() && file("students/ann.html") == before);
        assert!(file("likeness").is_none() && own.iter().all(|name| file(name).is_some()));
        assert!(file(&half).is_none(), "the process of a temporary file has ended");
    }
}
