//! Drains a worker at the request of another process on the same machine.
//!
//! The request is a file next to the lock of the worker and not a signal, because a second signal stops the jobs, and
//! the request may be repeated or made while the worker already drains for another reason.

use std::collections::BTreeSet;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::data::write_whole;
use crate::model::{Diagnostic, Failure, Fault, FaultKind};
use crate::sandbox::Cancel;

use super::worker::FOLDER;

/// Interval at which the lock of the worker is checked, to detect that the worker has ended.
const CHECK: Duration = Duration::from_millis(100);

/// The files of a worker in the folder of its cache.
#[derive(Debug, Clone)]
pub(super) struct WorkerFiles {
    folder: PathBuf,
    name: String,
}

impl WorkerFiles {
    pub(super) fn new(cache: &Path, name: &str) -> WorkerFiles {
        WorkerFiles { folder: cache.join(FOLDER), name: name.to_owned() }
    }

    /// Returns the file that the process of the worker has locked.
    pub(super) fn lock(&self) -> PathBuf {
        self.with("lock")
    }

    /// Returns the file with the number of the worker's process.
    pub(super) fn instance(&self) -> PathBuf {
        self.with("instance")
    }

    /// Returns the file that exists if the worker must drain.
    fn drain(&self) -> PathBuf {
        self.with("drain")
    }

    /// Returns the file with the jobs that the worker has.
    fn jobs(&self) -> PathBuf {
        self.with("jobs")
    }

    fn with(&self, ending: &str) -> PathBuf {
        self.folder.join(format!("{}.{ending}", self.name))
    }

    /// Removes the drain request and the list of jobs that an earlier process of the worker left behind.
    pub(super) fn reset(&self) {
        for left in [self.drain(), self.jobs()] {
            // A missing file is the usual case. A request that can't be removed drains the worker immediately.
            _ = fs_err::remove_file(left);
        }
    }

    /// Returns whether a process of the worker is running.
    fn is_locked(&self) -> Result<bool, Failure> {
        let Ok(file) = File::open(self.lock()) else { return Ok(false) };
        match file.try_lock() {
            Ok(()) => Ok(false),
            Err(TryLockError::WouldBlock) => Ok(true),
            Err(TryLockError::Error(error)) => {
                let context = format!("cannot lock `{}`", self.lock().display());
                Err(Fault::io(FaultKind::Data, &error).context(context).into())
            }
        }
    }
}

/// The ways to request that a worker drain: a signal to its process, or a file that another process creates.
#[derive(Debug, Clone)]
pub(super) struct DrainRequest {
    pub signal: Cancel,
    pub files: WorkerFiles,
}

impl DrainRequest {
    pub(super) fn is_made(&self) -> bool {
        self.signal.is_cancelled() || self.files.drain().exists()
    }
}

/// A file that lists the running jobs of a worker for other processes.
#[derive(Debug)]
pub(super) struct RunningJobs {
    path: PathBuf,
    jobs: Mutex<BTreeSet<String>>,
}

impl RunningJobs {
    pub(super) fn new(files: &WorkerFiles) -> RunningJobs {
        RunningJobs { path: files.jobs(), jobs: Mutex::default() }
    }

    /// Adds `job` to the list. Dropping the returned value removes it.
    pub(super) fn enter(&self, job: String) -> ListedJob<'_> {
        self.change(|jobs| _ = jobs.insert(job.clone()));
        ListedJob { list: self, job }
    }

    fn change(&self, change: impl FnOnce(&mut BTreeSet<String>)) {
        let mut jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut jobs);
        let text = jobs.iter().cloned().collect::<Vec<_>>().join("; ");
        // The file is used only for display, so a failure is ignored.
        _ = write_whole(&self.path, text.as_bytes());
    }
}

/// An entry of [`RunningJobs`], which is removed when the value is dropped.
pub(super) struct ListedJob<'a> {
    list: &'a RunningJobs,
    job: String,
}

impl Drop for ListedJob<'_> {
    fn drop(&mut self) {
        self.list.change(|jobs| _ = jobs.remove(&self.job));
    }
}

/// Requests that the worker `name` with the cache folder `cache` drain, and waits until the worker's process has ended.
/// `report` is called with a line about the remaining jobs of the worker each time that they change. Returns false if
/// waiting was cancelled; the worker drains nevertheless.
///
/// # Errors
/// Fails if no such worker runs on this machine, or if the request can't be written.
pub fn drain_worker(cache: &Path, name: &str, cancel: &Cancel, report: &dyn Fn(&str)) -> Result<bool, Failure> {
    let files = WorkerFiles::new(cache, name);
    if !files.is_locked()? {
        let message =
            format!("no worker with the name `{name}` and the cache `{}` is running on this machine", cache.display());
        return Err(Diagnostic::new(message)
            .help("specify the worker's name with `--name` and its cache with `--cache`")
            .into());
    }
    let process = fs_err::read(files.instance()).unwrap_or_default();
    let drain = files.drain();
    write_whole(&drain, b"").map_err(|error| Failure::unwritable(&drain, &error))?;
    let mut told = None;
    // At the next check, a later process of the worker may hold the lock.
    while files.is_locked()? && fs_err::read(files.instance()).unwrap_or_default() == process {
        if cancel.is_cancelled() {
            return Ok(false);
        }
        let jobs = fs_err::read_to_string(files.jobs()).unwrap_or_default();
        let waits = match jobs.is_empty() {
            true => format!("worker {name} is draining"),
            false => format!("worker {name} is draining; it is still judging {jobs}"),
        };
        if told.as_ref() != Some(&waits) {
            report(&waits);
            told = Some(waits);
        }
        std::thread::sleep(CHECK);
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_jobs_of_a_worker_are_listed_while_they_run() {
        let cache = tempfile::tempdir().unwrap();
        fs_err::create_dir(cache.path().join(FOLDER)).unwrap();
        let files = WorkerFiles::new(cache.path(), "w1");
        let list = RunningJobs::new(&files);
        let read = || fs_err::read_to_string(files.jobs()).unwrap();
        let first = list.enter("job 1, attempt 1".to_owned());
        let second = list.enter("job 2, attempt 3".to_owned());
        assert_eq!(read(), "job 1, attempt 1; job 2, attempt 3");
        drop(first);
        assert_eq!(read(), "job 2, attempt 3");
        drop(second);
        assert_eq!(read(), "");
    }

    #[test]
    fn only_a_worker_that_runs_is_drained_and_a_new_process_is_not() {
        let cache = tempfile::tempdir().unwrap();
        fs_err::create_dir(cache.path().join(FOLDER)).unwrap();
        let files = WorkerFiles::new(cache.path(), "w1");
        let cancel = Cancel::new().unwrap();
        let drain = || drain_worker(cache.path(), "w1", &cancel, &|_| {});
        assert!(drain().unwrap_err().to_string().contains("no worker with the name `w1`"));
        let lock = fs_err::File::create(files.lock()).unwrap();
        assert!(drain().is_err(), "the lock of a process that has ended");
        lock.file().lock().unwrap();
        let request = DrainRequest { signal: cancel.clone(), files: files.clone() };
        assert!(!request.is_made());
        let ended = std::thread::scope(|scope| {
            let drained = scope.spawn(drain);
            while !request.is_made() {
                std::thread::sleep(Duration::from_millis(5));
            }
            lock.file().unlock().unwrap();
            drained.join().unwrap()
        });
        assert!(ended.unwrap());
        files.reset();
        assert!(!request.is_made());
    }
}
