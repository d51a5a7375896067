//! Emptying a folder that a hostile program has filled, and counting what it held.

use std::ffi::{CStr, CString};
use std::io::{Error, Result};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};

use rustix::fs::{AtFlags, FileType, Mode, OFlags, RawDir, fchmod, openat, renameat, statat, unlinkat};

/// How a folder that is to be emptied is opened.
pub(in crate::sandbox) const FOLDER: OFlags =
    OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// Removes everything in the folder behind `top`, however deep, whatever its permissions; returns the bytes that its
/// files held.
///
/// Folders inside folders are moved up to `top` first, so neither depth nor path length can exhaust anything.
/// Call it when nothing runs any more that could change the folder meanwhile.
pub(in crate::sandbox) fn empty(top: &OwnedFd) -> Result<u64> {
    let mut bytes = 0;
    let mut moved = 0_u64;
    loop {
        let names = list(top)?;
        if names.is_empty() {
            return Ok(bytes);
        }
        for name in names {
            bytes += remove(top, &name, &mut moved)?;
        }
    }
}

/// Whether there is nothing in the folder.
pub(super) fn is_empty(top: &OwnedFd) -> Result<bool> {
    Ok(list(top)?.is_empty())
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

/// Removes one entry of `top`. A folder's own folders move up and wait for the next round.
fn remove(top: &OwnedFd, name: &CStr, moved: &mut u64) -> Result<u64> {
    let stat = statat(top, name, AtFlags::SYMLINK_NOFOLLOW).map_err(Error::from)?;
    if FileType::from_raw_mode(stat.st_mode) != FileType::Directory {
        unlinkat(top, name, AtFlags::empty()).map_err(Error::from)?;
        // A sparse file counts what was written, not how long it says it is.
        return Ok(if FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile {
            (stat.st_size as u64).min(stat.st_blocks as u64 * 512)
        } else {
            0
        });
    }
    let dir = open_dir(top, name)?;
    let mut bytes = 0;
    for inner in list(&dir)? {
        let stat = statat(&dir, &inner, AtFlags::SYMLINK_NOFOLLOW).map_err(Error::from)?;
        if FileType::from_raw_mode(stat.st_mode) == FileType::Directory {
            // Moving a folder rewrites its `..`, for which it must be writable itself.
            open_dir(&dir, &inner)?;
            bring_up(&dir, &inner, top, moved)?;
        } else {
            bytes += remove(&dir, &inner, moved)?;
        }
    }
    unlinkat(top, name, AtFlags::REMOVEDIR).map_err(Error::from)?;
    Ok(bytes)
}

fn bring_up(dir: &OwnedFd, name: &CStr, top: &OwnedFd, moved: &mut u64) -> Result<()> {
    loop {
        *moved += 1;
        let target = format!(".moved-{moved}");
        match rustix::fs::renameat_with(dir, name, top, target.as_str(), rustix::fs::RenameFlags::NOREPLACE) {
            Err(rustix::io::Errno::EXIST) => {}
            // A filesystem that cannot refuse to replace replaces at most an empty folder, which is no loss.
            Err(rustix::io::Errno::INVAL) => return Ok(renameat(dir, name, top, target.as_str())?),
            other => return Ok(other?),
        }
    }
}

/// Opens a folder for reading, giving us back the permissions that its maker took away.
fn open_dir(at: &OwnedFd, name: &CStr) -> Result<OwnedFd> {
    if let Err(error) = rustix::fs::chmodat(at, name, Mode::RWXU, AtFlags::empty()) {
        return Err(error.into());
    }
    let dir = openat(at, name, FOLDER, Mode::empty()).map_err(Error::from)?;
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
    fn everything_goes_however_deep_and_locked() {
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
            fs_err::set_permissions(top.join(locked), std::fs::Permissions::from_mode(0)).unwrap();
        }
        let dir = open(top);
        assert_eq!(empty(&dir).unwrap(), 10_005);
        assert!(is_empty(&dir).unwrap());
        assert!(outside.path().join("keep").exists(), "a link was followed");
    }

    #[test]
    fn a_thousand_folders_inside_each_other_are_no_trouble() {
        let scratch = tempfile::tempdir().unwrap();
        let mut dir = open(scratch.path());
        for _ in 0..3_000 {
            rustix::fs::mkdirat(&dir, "deeper", Mode::RWXU).unwrap();
            dir = openat(&dir, "deeper", OFlags::RDONLY | OFlags::DIRECTORY, Mode::empty()).unwrap();
        }
        let top = open(scratch.path());
        empty(&top).unwrap();
        assert!(is_empty(&top).unwrap());
    }

    #[test]
    fn sparse_files_count_what_was_written() {
        let scratch = tempfile::tempdir().unwrap();
        let file = fs_err::File::create(scratch.path().join("sparse")).unwrap();
        file.set_len(1 << 40).unwrap();
        assert!(empty(&open(scratch.path())).unwrap() < 1 << 20);
    }
}
