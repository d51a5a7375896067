//! Empties and measures a directory that a hostile program may have filled.

use std::ffi::{CStr, CString, OsStr};
use std::io::{Error, Read, Result};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;

use rustix::fs::{AtFlags, FileType, Mode, OFlags, RawDir, fchmod, openat, renameat, statat, unlinkat};
use rustix::io::Errno;

/// The flags with which a directory must be opened for [`empty`].
pub(crate) const OPEN_DIR: OFlags =
    OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// The mode of a directory that belongs to the programs' user.
pub(crate) const PRIVATE: Mode = Mode::RWXU;
/// The mode of a directory in which the programs' user may create files, but which this user does not own.
pub(super) const SHARED: Mode = Mode::RWXU.union(Mode::RWXG).union(Mode::RWXO).union(Mode::SVTX);

/// Removes the contents of the directory `top`, at any depth and with any permissions. Returns the number of bytes that
/// its regular files used.
///
/// The permissions of the directory itself are set to `mode`, and its times to the epoch. Subdirectories are moved to
/// `top` first, so depth and path length are unlimited. Mount points in `top` are not removed. No process that can
/// change the directory may be running.
pub(crate) fn empty(top: &OwnedFd, mode: Mode) -> Result<u64> {
    reset_dir(top, mode)?;
    let mut bytes = 0;
    let mut cleaner = DirCleaner { device: None, moved: 0 };
    loop {
        let mut removed = false;
        for name in list(top)? {
            if let Some(freed) = cleaner.remove(top, top, &name)? {
                bytes += freed;
                removed = true;
            }
        }
        if !removed {
            reset_dir(top, mode)?;
            return Ok(bytes);
        }
    }
}

/// Returns true if a directory still has the times that [`empty`] set. Such a directory has been neither read nor
/// written since, unless a program set its times.
pub(super) fn is_untouched(folder: &OwnedFd) -> Result<bool> {
    let stat = rustix::fs::fstat(folder)?;
    Ok([stat.st_atime, stat.st_mtime] == [0; 2] && [stat.st_atime_nsec, stat.st_mtime_nsec] == [0; 2])
}

/// Sets the permissions of a directory to `mode` and its times to the epoch. A program could use the times to pass
/// information to the next run.
pub(super) fn reset_dir(folder: &OwnedFd, mode: Mode) -> Result<()> {
    const EPOCH: rustix::fs::Timespec = rustix::fs::Timespec { tv_sec: 0, tv_nsec: 0 };
    fchmod(folder, mode)?;
    rustix::fs::futimens(folder, &rustix::fs::Timestamps { last_access: EPOCH, last_modification: EPOCH })?;
    Ok(())
}

fn list(dir: &OwnedFd) -> Result<Vec<CString>> {
    rustix::fs::seek(dir, rustix::fs::SeekFrom::Start(0)).map_err(Error::from)?;
    let mut names = Vec::new();
    let mut buffer = [MaybeUninit::uninit(); 8192];
    let mut entries = RawDir::new(dir, &mut buffer);
    while let Some(entry) = entries.next() {
        let entry = entry.map_err(Error::from)?;
        if entry.file_name() != c"." && entry.file_name() != c".." {
            names.push(entry.file_name().to_owned());
        }
    }
    Ok(names)
}

/// The size of the parts in which files are read, in bytes.
const PART: u64 = 64 << 10;

/// Reads the regular files at the top level of a directory, sorted by name, and calls `part` with the name of the file and
/// each part of its content. An empty file has one empty part. A file is skipped if it is unreadable, or if the total size
/// would exceed `most` bytes.
///
/// No process that can change the directory may be running.
pub(super) fn read_files(top: &OwnedFd, most: u64, mut part: impl FnMut(&OsStr, &[u8]) -> Result<()>) -> Result<()> {
    let mut left = most;
    let mut names = list(top)?;
    names.sort();
    for name in names {
        let stat = statat(top, &name, AtFlags::SYMLINK_NOFOLLOW)?;
        let size = u64::try_from(stat.st_size).unwrap_or(u64::MAX);
        if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile || size > left {
            continue;
        }
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        // The program may have removed the read permission of a file. Without namespaces, the cell runs as the same
        // user, so it can't read the file either.
        let mut file = match openat(top, &name, flags, Mode::empty()) {
            Err(Errno::ACCESS) => continue,
            other => std::fs::File::from(other?),
        };
        let mut content = Vec::new();
        for number in 0.. {
            content.clear();
            (&mut file).take(PART.min(left)).read_to_end(&mut content)?;
            if content.is_empty() && number > 0 {
                break;
            }
            left -= content.len() as u64;
            part(OsStr::from_bytes(name.as_bytes()), &content)?;
        }
    }
    Ok(())
}

/// The state of one call of [`empty`].
struct DirCleaner {
    /// The device number of `top`, read at the first entry. Entries on other devices are mount points.
    device: Option<u64>,
    moved: u64,
}

impl DirCleaner {
    /// Removes one entry of `dir`. Returns the number of bytes that the entry used, or `None` if it is a mount point,
    /// which is not removed. Subdirectories of a removed directory are moved to `top` and removed in the next round.
    fn remove(&mut self, top: &OwnedFd, dir: &OwnedFd, name: &CStr) -> Result<Option<u64>> {
        let stat = statat(dir, name, AtFlags::SYMLINK_NOFOLLOW)?;
        let device = match self.device {
            Some(device) => device,
            None => *self.device.insert(rustix::fs::fstat(top)?.st_dev),
        };
        if stat.st_dev != device {
            return Ok(None);
        }
        match FileType::from_raw_mode(stat.st_mode) {
            FileType::Directory => self.remove_dir(top, dir, name).map(Some),
            FileType::RegularFile => {
                unlinkat(dir, name, AtFlags::empty())?;
                // A sparse file uses only its allocated blocks (of 512 bytes), which are smaller than its apparent
                // size.
                Ok(Some((stat.st_size as u64).min(stat.st_blocks as u64 * 512)))
            }
            _ => {
                unlinkat(dir, name, AtFlags::empty())?;
                Ok(Some(0))
            }
        }
    }

    fn remove_dir(&mut self, top: &OwnedFd, at: &OwnedFd, name: &CStr) -> Result<u64> {
        let dir = open_dir(at, name)?;
        let mut bytes = 0;
        for inner in list(&dir)? {
            let stat = statat(&dir, &inner, AtFlags::SYMLINK_NOFOLLOW)?;
            if FileType::from_raw_mode(stat.st_mode) == FileType::Directory {
                // Moving a directory changes its `..` entry, which requires the write permission on the directory
                // that `open_dir` grants.
                open_dir(&dir, &inner)?;
                self.move_to_top(&dir, &inner, top)?;
            } else {
                bytes += self.remove(top, &dir, &inner)?.unwrap_or(0);
            }
        }
        unlinkat(at, name, AtFlags::REMOVEDIR)?;
        Ok(bytes)
    }

    fn move_to_top(&mut self, dir: &OwnedFd, name: &CStr, top: &OwnedFd) -> Result<()> {
        loop {
            self.moved += 1;
            let target = format!(".moved-{}", self.moved);
            match rustix::fs::renameat_with(dir, name, top, target.as_str(), rustix::fs::RenameFlags::NOREPLACE) {
                Err(rustix::io::Errno::EXIST) => {}
                // The filesystem does not support RENAME_NOREPLACE. A plain rename can replace only an empty directory.
                Err(rustix::io::Errno::INVAL) => return Ok(renameat(dir, name, top, target.as_str())?),
                other => return Ok(other?),
            }
        }
    }
}

/// Grants the owner all permissions on a directory, and opens the directory.
fn open_dir(at: &OwnedFd, name: &CStr) -> Result<OwnedFd> {
    if let Err(error) = rustix::fs::chmodat(at, name, Mode::RWXU, AtFlags::empty()) {
        return Err(error.into());
    }
    let dir = openat(at, name, OPEN_DIR, Mode::empty()).map_err(Error::from)?;
    fchmod(dir.as_fd(), Mode::RWXU).map_err(Error::from)?;
    Ok(dir)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn open(path: &std::path::Path) -> OwnedFd {
        rustix::fs::open(path, OFlags::RDONLY | OFlags::DIRECTORY, Mode::empty()).unwrap()
    }

    #[test]
    fn deep_and_locked_directories_are_removed() {
        let scratch = tempfile::tempdir().unwrap();
        let outside = tempfile::tempdir().unwrap();
        fs_err::write(outside.path().join("keep"), "me").unwrap();
        let top = scratch.path();
        fs_err::write(top.join("file"), vec![b'x'; 10_000]).unwrap();
        fs_err::create_dir_all(top.join("a/b/c/.moved-1/d")).unwrap();
        fs_err::create_dir(top.join(".moved-1")).unwrap();
        fs_err::write(top.join("a/b/c/inner"), "12345").unwrap();
        std::os::unix::fs::symlink(outside.path(), top.join("a/link")).unwrap();
        std::os::unix::fs::symlink("nowhere", top.join("dangling")).unwrap();
        for locked in ["a/b/c", "a/b", "a"] {
            fs_err::set_permissions(top.join(locked), std::fs::Permissions::from_mode(0o0)).unwrap();
        }
        let dir = open(top);
        assert_eq!(empty(&dir, PRIVATE).unwrap(), 10_005);
        assert!(list(&dir).unwrap().is_empty());
        assert!(outside.path().join("keep").exists(), "a link was followed");
    }

    #[test]
    fn a_new_file_changes_the_directory_times() {
        let scratch = tempfile::tempdir().unwrap();
        let top = open(scratch.path());
        assert!(!is_untouched(&top).unwrap(), "the directory is new");
        empty(&top, PRIVATE).unwrap();
        assert!(is_untouched(&top).unwrap());
        fs_err::write(scratch.path().join("note"), "").unwrap();
        fs_err::remove_file(scratch.path().join("note")).unwrap();
        assert!(!is_untouched(&top).unwrap(), "a file was created");
    }

    #[test]
    fn nesting_of_3000_directories_is_removed() {
        let scratch = tempfile::tempdir().unwrap();
        let mut dir = open(scratch.path());
        for _ in 0..3_000 {
            rustix::fs::mkdirat(&dir, "deeper", Mode::RWXU).unwrap();
            dir = openat(&dir, "deeper", OFlags::RDONLY | OFlags::DIRECTORY, Mode::empty()).unwrap();
        }
        let top = open(scratch.path());
        empty(&top, PRIVATE).unwrap();
        assert!(list(&top).unwrap().is_empty());
    }

    #[test]
    fn sparse_files_count_with_their_blocks() {
        let scratch = tempfile::tempdir().unwrap();
        let file = fs_err::File::create(scratch.path().join("sparse")).unwrap();
        file.set_len(1 << 40).unwrap();
        assert!(empty(&open(scratch.path()), PRIVATE).unwrap() < 1 << 20);
    }
}
