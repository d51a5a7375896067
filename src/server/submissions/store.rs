//! Writes the database of submissions. One connection writes, and others read.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior, params};

use crate::clock::now_ms;
use crate::database::{self, FileLock};
use crate::model::{Diagnostic, Failure, Score, Verdict};
use crate::queue::SUBMISSION_STEPS;

use super::fair_queue::QueueEntry;
use super::id::SubmissionId;
use super::record::{JudgingState, NewSubmission, StoredEvent};

/// Name of the database in the data folder.
pub const SUBMISSIONS_FILE: &str = "submissions.sqlite";
/// Name of the file that is locked while a process uses the database.
const LOCK_FILE: &str = "submissions.lock";

/// SQL statements that create and upgrade the tables, one item for each version.
const MIGRATIONS: &[&str] = &SUBMISSION_STEPS;
/// Help message for a database of a newer version.
const ADVICE: &str = "use a newer version of nimatron, or choose another folder with `--data`";
/// Maximum time to wait for a lock on the database.
const BUSY: Duration = Duration::from_secs(5);
/// Maximum number of idle connections for reading.
const IDLE_READERS: usize = 8;

/// A store of submissions, which is an SQLite database in the data folder.
#[derive(Debug)]
pub struct SubmissionStore {
    path: PathBuf,
    writer: Mutex<Connection>,
    /// Idle connections for reading.
    readers: Mutex<Vec<Connection>>,
    /// The lock that is held while the store is open, because two processes would otherwise judge the same submissions.
    _lock: FileLock,
}

/// The time at which a transaction becomes durable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Durability {
    /// The time of the commit: nothing is lost in a power failure.
    Now,
    /// A later time: nothing is lost if the process is killed, but a power failure may lose the transaction.
    Later,
}

/// The final record of a submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SubmissionEnd {
    /// The final state: finished or cancelled.
    pub state: JudgingState,
    /// The verdict, the score and its maximum; `None` without a verdict.
    pub result: Option<(Verdict, Score, Score)>,
    /// The id of the program's language; `None` if the program was not judged.
    pub language: Option<String>,
    /// The reason why a finished submission has no verdict; otherwise `None`.
    pub error: Option<String>,
    /// The report as JSON; `None` if the program was not judged.
    pub report: Option<String>,
}

impl SubmissionStore {
    /// Opens the store in this folder, and creates both if necessary.
    ///
    /// # Errors
    /// Fails if the folder can't be written or locked, if another process uses the store, or if its file is damaged or
    /// of a newer version.
    pub fn open(folder: &Path) -> Result<SubmissionStore, Failure> {
        fs_err::create_dir_all(folder).map_err(|error| Failure::user_file(&error))?;
        database::create_private(&folder.join(LOCK_FILE))?;
        let lock = FileLock::acquire(&folder.join(LOCK_FILE))?.ok_or_else(|| {
            Diagnostic::new(format!("another nimatron process is using `{}`", folder.display()))
                .help("wait for that process to end, or choose another folder with `--data`")
        })?;
        let path = folder.join(SUBMISSIONS_FILE);
        database::create_private(&path)?;
        let mut writer = connect(&path).map_err(|error| database::fault(&path, &error))?;
        database::migrate(&mut writer, &path, (MIGRATIONS, ADVICE), |_| Ok(()))?;
        Ok(SubmissionStore { path, writer: Mutex::new(writer), readers: Mutex::default(), _lock: lock })
    }

    /// Returns the path of the database.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Runs `work` on a connection that does not wait for the writer, and that sees all transactions committed so far.
    pub(super) fn read<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, Failure> {
        let idle = || self.readers.lock().unwrap_or_else(PoisonError::into_inner);
        let known = idle().pop();
        let done = known.map_or_else(|| connect_reader(&self.path), Ok).and_then(|connection| {
            let value = work(&connection)?;
            let mut idle = idle();
            if idle.len() < IDLE_READERS {
                idle.push(connection);
            }
            Ok(value)
        });
        done.map_err(|error| database::fault(&self.path, &error))
    }

    pub(super) fn write<T>(
        &self,
        durability: Durability,
        work: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, Failure> {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let done = set_durability(&writer, durability)
            .and_then(|()| writer.transaction_with_behavior(TransactionBehavior::Immediate))
            .and_then(|batch| {
                let value = work(&batch)?;
                batch.commit()?;
                Ok(value)
            });
        done.map_err(|error| database::fault(&self.path, &error))
    }

    /// Adds a queued submission. When this function returns, the submission is stored durably.
    pub(super) fn insert(&self, id: &SubmissionId, new: &NewSubmission) -> Result<(), Failure> {
        self.write(Durability::Now, |batch| {
            let sql = "INSERT INTO submissions
                (id, person, problem, name, language, kind, priority, state, created_ms, source, input)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 'queued', ?8, ?9, ?10)";
            let NewSubmission { person, problem, name, language, kind, priority, source, input } = new;
            batch.prepare_cached(sql)?.execute(params![
                id.as_str(),
                person,
                problem.as_str(),
                name,
                language,
                kind.name(),
                priority.name(),
                now_ms(),
                source,
                input
            ])
        })?;
        Ok(())
    }

    /// Records that the judging of a submission has started, unless the submission is no longer queued.
    pub(super) fn start(&self, id: &SubmissionId) -> Result<(), Failure> {
        let sql = "UPDATE submissions SET state = 'running', started_ms = ?2 WHERE id = ?1 AND state = 'queued'";
        self.write(Durability::Later, |batch| batch.prepare_cached(sql)?.execute(params![id.as_str(), now_ms()]))?;
        Ok(())
    }

    /// Adds events to a submission's log.
    pub(super) fn append(&self, id: &SubmissionId, events: &[StoredEvent]) -> Result<(), Failure> {
        if events.is_empty() {
            return Ok(());
        }
        self.write(Durability::Later, |batch| append(batch, id, events))
    }

    /// Stores the end of a submission and the last events of its log.
    pub(super) fn end(&self, id: &SubmissionId, events: &[StoredEvent], ending: &SubmissionEnd) -> Result<(), Failure> {
        // A cancellation is acknowledged to the caller, so it must be durable; a program whose verdict is lost is
        // judged again.
        let durability = if ending.state == JudgingState::Cancelled { Durability::Now } else { Durability::Later };
        self.write(durability, |batch| end(batch, id, events, ending))
    }

    /// Stores the ends of submissions, each with the last events of the submission's log. The results and cancellations
    /// must be stored durably elsewhere, since a power failure may lose this transaction.
    pub(super) fn end_all(&self, ends: &[(SubmissionId, Vec<StoredEvent>, SubmissionEnd)]) -> Result<(), Failure> {
        self.write(Durability::Later, |batch| {
            ends.iter().try_for_each(|(id, events, ending)| end(batch, id, events, ending))
        })
    }

    /// Records that the cancellation of submissions was requested. If the process exits before their ends are stored,
    /// the submissions are not judged again.
    pub(super) fn request_cancel(&self, ids: &[SubmissionId]) -> Result<(), Failure> {
        let sql = "UPDATE submissions SET cancel_requested = 1 WHERE id = ?1";
        self.write(Durability::Now, |batch| {
            let mut request = batch.prepare_cached(sql)?;
            ids.iter().try_for_each(|id| request.execute([id.as_str()]).map(drop))
        })
    }

    /// Records that a running submission is queued again.
    pub(super) fn requeue(&self, id: &SubmissionId) -> Result<(), Failure> {
        let sql = "UPDATE submissions SET state = 'queued', started_ms = NULL WHERE id = ?1 AND state = 'running'";
        self.write(Durability::Later, |batch| batch.prepare_cached(sql)?.execute([id.as_str()]))?;
        Ok(())
    }

    /// Requeues the submissions that were running when the last process exited. Returns all queued submissions, the
    /// oldest first, and for each whether its cancellation was requested.
    pub(super) fn reopen(&self) -> Result<Vec<(QueueEntry, bool)>, Failure> {
        let requeue = "UPDATE submissions SET state = 'queued', started_ms = NULL WHERE state = 'running'";
        self.write(Durability::Later, |batch| batch.execute(requeue, []))?;
        self.queued()
    }
}

fn end(
    batch: &Transaction<'_>,
    id: &SubmissionId,
    events: &[StoredEvent],
    ending: &SubmissionEnd,
) -> rusqlite::Result<()> {
    let points = |score: Score| i64::try_from(score.as_thousandths()).unwrap_or(i64::MAX);
    let SubmissionEnd { state, result, language, error, report } = ending;
    append(batch, id, events)?;
    let sql = "UPDATE submissions SET state = ?2, ended_ms = ?3, judged_language = ?4, verdict = ?5, score = ?6,
        max_score = ?7, error = ?8, report = ?9 WHERE id = ?1";
    let values = params![
        id.as_str(),
        state.name(),
        now_ms(),
        language,
        result.map(|(verdict, ..)| verdict.short()),
        result.map(|(_, score, _)| points(score)),
        result.map(|(.., most)| points(most)),
        error,
        report
    ];
    batch.prepare_cached(sql)?.execute(values).map(drop)
}

fn append(batch: &Transaction<'_>, id: &SubmissionId, events: &[StoredEvent]) -> rusqlite::Result<()> {
    let sql = "INSERT INTO events SELECT number, ?2, ?3 FROM submissions WHERE id = ?1";
    let mut insert = batch.prepare_cached(sql)?;
    for event in events {
        insert.execute(params![id.as_str(), event.number.cast_signed(), event.json])?;
    }
    Ok(())
}

/// Opens a connection for writing.
fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(BUSY)?;
    database::use_write_ahead_log(&connection, BUSY)?;
    Ok(connection)
}

/// Opens a connection for reading.
fn connect_reader(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY)?;
    connection.pragma_update(None, "query_only", true)?;
    Ok(connection)
}

fn set_durability(connection: &Connection, durability: Durability) -> rusqlite::Result<()> {
    let level = match durability {
        Durability::Now => "FULL",
        Durability::Later => "NORMAL",
    };
    connection.pragma_update(None, "synchronous", level)
}

#[cfg(test)]
#[path = "store_tests.rs"]
mod tests;
