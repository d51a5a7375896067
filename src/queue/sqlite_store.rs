//! An implementation of the queue's store in an SQLite database, which only one process may open at a time.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use nimatron_database::{self as database, FileLock};
use nimatron_model::{Diagnostic, Failure};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Transaction, TransactionBehavior, params_from_iter};

use super::sql::{RowLock, SqlDatabase, SqlRow, SqlTransaction, SqlValue, SqlWork};
use super::sql_store::SqlStore;
use super::store::QueueStoreError;

/// The SQL scripts that create and upgrade the tables of submissions, which databases of earlier versions contain. Long
/// columns are last, so that a query of the other columns does not read them.
pub const SUBMISSION_STEPS: [&str; 2] =
    [include_str!("sqlite/1_submissions.sql"), include_str!("sqlite/2_own_tests.sql")];
/// All SQL scripts that create and upgrade the database, in order. The third script creates the table of jobs, with a
/// job for each submission that has not been judged yet.
const STEPS: [&str; 4] = [
    SUBMISSION_STEPS[0],
    SUBMISSION_STEPS[1],
    include_str!("sqlite/3_jobs.sql"),
    include_str!("sqlite/4_conditions.sql"),
];
/// The advice that is shown if the database was created by a newer version of Nimatron.
const ADVICE: &str = "use a newer version of nimatron, or choose another folder with `--data`";
/// Maximum time to wait for the lock of the database while another process holds it.
const BUSY: Duration = Duration::from_secs(5);

/// The queue's store in an SQLite database, which only one process may open at a time.
pub type SqliteQueueStore = SqlStore<SqliteFile>;

/// An SQLite database: its path, a connection for writing, and a read-only connection.
#[derive(Debug)]
pub struct SqliteFile {
    path: PathBuf,
    writer: Mutex<Connection>,
    reader: Mutex<Connection>,
    /// A lock that is held while the store is open, because two processes would otherwise grant the same jobs.
    _lock: FileLock,
}

impl SqliteQueueStore {
    /// Opens the store in the file `path`, and creates the file if necessary.
    ///
    /// # Errors
    /// Fails if the file can't be written or locked, if another process uses it, or if it is damaged or was created by
    /// a newer version of Nimatron.
    pub fn open(path: &Path) -> Result<SqliteQueueStore, Failure> {
        let lock = FileLock::acquire(&path.with_extension("lock"))?.ok_or_else(|| {
            Diagnostic::new(format!("another nimatron process is using `{}`", path.display()))
                .help("wait for that process to end, or choose another folder with `--data`")
        })?;
        database::create_private(path)?;
        let connect = || -> rusqlite::Result<Connection> {
            let connection = Connection::open(path)?;
            connection.busy_timeout(BUSY)?;
            database::use_write_ahead_log(&connection, BUSY)?;
            // If a power failure could undo a claim, two workers could hold the same job with the same epoch.
            connection.pragma_update(None, "synchronous", "FULL")?;
            Ok(connection)
        };
        let mut writer = connect().map_err(|error| database::fault(path, &error))?;
        database::migrate(&mut writer, path, (&STEPS, ADVICE), |_| Ok(()))?;
        let reader = connect().map_err(|error| database::fault(path, &error))?;
        reader.pragma_update(None, "query_only", true).map_err(|error| database::fault(path, &error))?;
        let (writer, reader) = (Mutex::new(writer), Mutex::new(reader));
        let file = SqliteFile { path: path.to_owned(), writer, reader, _lock: lock };
        Ok(SqlStore(file))
    }
}

impl SqliteFile {
    fn error(&self, error: &rusqlite::Error) -> QueueStoreError {
        QueueStoreError(format!("{}: {error}", self.path.display()))
    }

    fn run<T>(
        &self,
        connection: &Mutex<Connection>,
        behavior: TransactionBehavior,
        work: SqlWork<'_, T>,
    ) -> Result<T, QueueStoreError> {
        let mut connection = connection.lock().unwrap_or_else(PoisonError::into_inner);
        let batch = connection.transaction_with_behavior(behavior).map_err(|error| self.error(&error))?;
        let value = work(&mut SqliteBatch { file: self, batch: &batch })?;
        batch.commit().map_err(|error| self.error(&error))?;
        Ok(value)
    }
}

impl SqlDatabase for SqliteFile {
    fn write<T>(&self, work: SqlWork<'_, T>) -> Result<T, QueueStoreError> {
        self.run(&self.writer, TransactionBehavior::Immediate, work)
    }

    fn read<T>(&self, work: SqlWork<'_, T>) -> Result<T, QueueStoreError> {
        self.run(&self.reader, TransactionBehavior::Deferred, work)
    }
}

struct SqliteBatch<'a> {
    file: &'a SqliteFile,
    batch: &'a Transaction<'a>,
}

impl SqlTransaction for SqliteBatch<'_> {
    fn query(&mut self, sql: &str, values: &[SqlValue], _lock: RowLock) -> Result<Vec<SqlRow>, QueueStoreError> {
        let query = || -> rusqlite::Result<Vec<SqlRow>> {
            let mut statement = self.batch.prepare_cached(sql)?;
            let columns = statement.column_count();
            let mut rows = statement.query(params_from_iter(values))?;
            let mut found = Vec::new();
            while let Some(row) = rows.next()? {
                let value = |column| Ok(sql_value(row.get_ref(column)?));
                found.push((0..columns).map(value).collect::<rusqlite::Result<_>>()?);
            }
            Ok(found)
        };
        query().map_err(|error| self.file.error(&error))
    }

    fn execute(&mut self, sql: &str, values: &[SqlValue]) -> Result<u64, QueueStoreError> {
        let execute = || self.batch.prepare_cached(sql)?.execute(params_from_iter(values));
        execute().map(|changed| changed as u64).map_err(|error| self.file.error(&error))
    }
}

impl rusqlite::ToSql for SqlValue {
    fn to_sql(&self) -> rusqlite::Result<rusqlite::types::ToSqlOutput<'_>> {
        let value = match self {
            SqlValue::Null => ValueRef::Null,
            SqlValue::Int(number) => ValueRef::Integer(*number),
            SqlValue::Text(text) => ValueRef::Text(text.as_bytes()),
            SqlValue::Blob(bytes) => ValueRef::Blob(bytes),
        };
        Ok(rusqlite::types::ToSqlOutput::Borrowed(value))
    }
}

fn sql_value(value: ValueRef<'_>) -> SqlValue {
    match value {
        ValueRef::Null => SqlValue::Null,
        ValueRef::Integer(number) => SqlValue::Int(number),
        // No column of the store contains floating-point numbers.
        ValueRef::Real(number) => SqlValue::Text(number.to_string()),
        ValueRef::Text(text) => SqlValue::Text(String::from_utf8_lossy(text).into_owned()),
        ValueRef::Blob(bytes) => SqlValue::Blob(bytes.to_owned()),
    }
}

#[cfg(test)]
#[path = "sqlite_tests.rs"]
mod tests;
