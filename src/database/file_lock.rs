//! An exclusive lock on a file.

use std::fs::{File, TryLockError};
use std::path::Path;

use crate::model::{Failure, Fault, FaultKind};

/// An exclusive lock on a file, which is released when the value is dropped.
///
/// The lock is released explicitly, because closing the descriptor is not enough: a child process that is being started
/// has a copy of the descriptor, and would hold the lock until its `exec`.
#[derive(Debug)]
pub struct FileLock(File);

impl FileLock {
    /// Locks the file, and creates it if necessary. Returns `None` if it is already locked, by this or another process.
    ///
    /// # Errors
    /// Fails if the file can't be opened for writing, or can't be locked.
    pub fn acquire(path: &Path) -> Result<Option<FileLock>, Failure> {
        let file = fs_err::OpenOptions::new().create(true).append(true).open(path);
        let file = file.map_err(|error| Failure::user_file(&error))?.into_parts().0;
        match file.try_lock() {
            Ok(()) => Ok(Some(FileLock(file))),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => {
                let context = format!("cannot lock `{}`", path.display());
                Err(Fault::io(FaultKind::Data, &error).context(context).into())
            }
        }
    }
}

impl Drop for FileLock {
    fn drop(&mut self) {
        // If this fails, the lock ends when all copies of the descriptor are closed.
        _ = self.0.unlock();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_of_the_descriptor_does_not_keep_the_lock() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let lock = FileLock::acquire(&path).unwrap().unwrap();
        assert!(FileLock::acquire(&path).unwrap().is_none());
        let copy = lock.0.try_clone().unwrap();
        drop(lock);
        assert!(FileLock::acquire(&path).unwrap().is_some());
        drop(copy);
        assert!(FileLock::acquire(&folder.path().join("missing/lock")).is_err());
    }
}
