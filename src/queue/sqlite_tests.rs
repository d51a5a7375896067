//! Tests that apply only to the SQLite store.

use rusqlite::Connection;

use super::super::store_tests::{holder, program};
use super::super::{Applied, JobRow, JobStage, Moment, Priority, QueueStore};
use super::*;

impl SqliteQueueStore {
    /// Opens a store for the simulation, which does not wait until data is written to the disk.
    pub(crate) fn open_without_sync(path: &Path) -> SqliteQueueStore {
        let store = SqliteQueueStore::open(path).unwrap();
        store.0.writer.lock().unwrap().pragma_update(None, "synchronous", "OFF").unwrap();
        store
    }
}

#[test]
fn a_database_of_an_earlier_version_keeps_its_submissions() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("submissions.sqlite");
    let old = Connection::open(&path).unwrap();
    old.execute_batch(include_str!("../server/submissions/store_v1.sql")).unwrap();
    drop(old);
    let store = SqliteQueueStore::open(&path).unwrap();
    // The database contains a running submission, which is judged again, a submission to be cancelled, and a finished
    // submission.
    let open = store.open_jobs().unwrap();
    assert_eq!(open.len(), 1);
    let job: &JobRow = &open[0];
    assert_eq!(job.spec.submission, "2".repeat(32));
    assert_eq!((job.spec.owner.as_str(), job.spec.priority, job.epoch), ("zoë", Priority::Person, 0));
    let program = store.program(&job.spec.submission).unwrap().unwrap();
    assert_eq!((program.problem.as_str(), program.input.as_deref()), ("classic-nim", Some(&b"1\n"[..])));
    assert_eq!(store.events_since(&job.spec.submission, None, 10).unwrap().len(), 1);
    let states = || {
        let connection = Connection::open(&path).unwrap();
        let mut query = connection.prepare("SELECT state FROM submissions ORDER BY number").unwrap();
        query.query_map([], |row| row.get::<_, String>(0)).unwrap().collect::<Result<Vec<_>, _>>().unwrap()
    };
    assert_eq!(states(), ["finished", "queued", "cancelled"]);
    store.claim(job.number, 1, holder("w1", 1), Moment(9), Moment(1)).unwrap();
    assert_eq!(states(), ["finished", "running", "cancelled"]);
}

#[test]
fn a_store_is_used_by_one_process_and_survives_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("submissions.sqlite");
    let store = SqliteQueueStore::open(&path).unwrap();
    let job = store.submit(&[program("s", "k")], Moment(5)).unwrap().pop().unwrap();
    let claimed = store.claim(job.number, 1, holder("w1", 1), Moment(9), Moment(6)).unwrap();
    let message = SqliteQueueStore::open(&path).unwrap_err().to_string();
    assert!(message.contains("another nimatron process is using"), "{message}");
    drop(store);
    let store = SqliteQueueStore::open(&path).unwrap();
    let open = store.open_jobs().unwrap();
    assert_eq!(Applied::Stored(Some(Box::new(open[0].clone()))), claimed);
    assert_eq!(open[0].stage, JobStage::Running);
    let mode = std::os::unix::fs::PermissionsExt::mode(&fs_err::metadata(&path).unwrap().permissions());
    assert_eq!(mode & 0o077, 0, "only the owner may read submissions");
}
