//! The pages of a report in their folder. A page that is as it was is left alone, so that the same command again writes
//! little; a page that is no longer any goes.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::data::{sweep, write_in_pieces, write_whole};
use crate::model::Failure;

/// The folders of the report's folder in which pages are.
const FOLDERS: [&str; 3] = ["students", "problems", "likeness"];

/// The pages that were written, or are as they should be.
pub(super) struct Pages<'a> {
    dir: &'a Path,
    /// Their paths in the folder.
    kept: BTreeSet<String>,
}

impl<'a> Pages<'a> {
    /// None so far.
    pub(super) fn new(dir: &'a Path) -> Pages<'a> {
        Pages { dir, kept: BTreeSet::new() }
    }

    /// Puts a page at this path in the folder.
    ///
    /// # Errors
    /// It can't be written.
    pub(super) fn put(&mut self, name: String, page: &str) -> Result<PathBuf, Failure> {
        let path = self.dir.join(&name);
        // To replace a file costs far more than to read it: on some disks a wait for each.
        if fs_err::read(&path).ok().as_deref() != Some(page.as_bytes()) {
            write_whole(&path, page.as_bytes()).map_err(|error| Failure::unwritable(&path, &error))?;
        }
        self.kept.insert(name);
        Ok(path)
    }

    /// Puts a page that grows with the class, written piece by piece.
    ///
    /// # Errors
    /// It can't be written.
    pub(super) fn put_in_pieces(
        &mut self,
        name: &str,
        tell: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<PathBuf, Failure> {
        let path = self.dir.join(name);
        write_in_pieces(&path, tell).map_err(|error| Failure::unwritable(&path, &error))?;
        self.kept.insert(name.to_owned());
        Ok(path)
    }

    /// Removes the pages that were not put, and what a report that was killed left unfinished. What else there is, in
    /// the folder or below it, is somebody's own.
    ///
    /// # Errors
    /// A page can't be removed.
    pub(super) fn finish(self) -> Result<(), Failure> {
        sweep(self.dir);
        for folder in FOLDERS {
            let place = self.dir.join(folder);
            sweep(&place);
            for entry in fs_err::read_dir(&place).into_iter().flatten().flatten() {
                let name = format!("{folder}/{}", entry.file_name().to_string_lossy());
                if name.ends_with(".html") && !self.kept.contains(&name) {
                    fs_err::remove_file(entry.path()).map_err(|error| Failure::unreadable(&error))?;
                }
            }
            // Only an empty one goes.
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
    fn a_page_that_is_as_it_was_is_left_alone_and_one_that_is_no_longer_any_goes() {
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
        assert!(file(&half).is_none(), "whoever wrote it is gone");
    }
}
