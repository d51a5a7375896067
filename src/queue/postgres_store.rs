//! An implementation of [`QueueStore`](super::QueueStore) in a PostgreSQL database, which several processes can share.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use nimatron_model::{Diagnostic, Failure, FaultKind};
use postgres::error::SqlState;
use postgres::types::{IsNull, ToSql, Type, private::BytesMut, to_sql_checked};
use postgres::{Client, Config, NoTls, Statement, Transaction};

use super::sql::{RowLock, SqlDatabase, SqlRow, SqlTransaction, SqlValue, SqlWork};
use super::sql_store::SqlStore;
use super::store::QueueStoreError;

/// The steps that create and upgrade the tables. Entries must never be changed.
const STEPS: [&str; 2] = [include_str!("postgres/1_queue.sql"), include_str!("postgres/2_conditions.sql")];
/// The key of the advisory lock that a process holds while it upgrades the tables.
const UPGRADE_LOCK: i64 = 0x6e69_6d61_7472_6f6e;
/// The oldest supported version of the server, as in `server_version_num`.
const OLDEST_VERSION: i64 = 150_000;
/// Options of each connection. The server enforces the time limits, so a process that is stopped in the middle of a
/// transaction does not block other processes for long. The server sends no messages below the level `error`.
const LIMITS: &str = "-c statement_timeout=10s -c lock_timeout=5s -c idle_in_transaction_session_timeout=10s -c client_min_messages=error";
/// Time to wait for a connection.
const CONNECT: Duration = Duration::from_secs(5);
/// Time to wait for the server to acknowledge sent data.
const UNCONFIRMED: Duration = Duration::from_secs(10);
/// Maximum number of times that a transaction is tried.
const TRIES: usize = 5;
/// Maximum number of idle connections.
const IDLE: usize = 8;

/// A [`QueueStore`](super::QueueStore) in a database of PostgreSQL 15 or newer.
pub type PostgresQueueStore = SqlStore<PostgresDatabase>;

/// The connections to a PostgreSQL database.
pub struct PostgresDatabase {
    config: Config,
    idle: Mutex<Vec<PostgresConnection>>,
}

struct PostgresConnection {
    client: Client,
    statements: HashMap<String, Statement>,
}

/// An error of the database, and whether the transaction may succeed if it is tried again.
struct PostgresFailure {
    error: QueueStoreError,
    passes: bool,
}

impl PostgresQueueStore {
    /// Connects to the database and creates or upgrades its tables. `url` is a connection string of libpq:
    /// `postgres://user@host/name` or `host=… user=…`.
    ///
    /// # Errors
    /// Fails if `url` is malformed, if the database can't be reached or written, if it was created by a newer version
    /// of Nimatron, or if the server is older than PostgreSQL 15.
    pub fn connect(url: &str) -> Result<PostgresQueueStore, Failure> {
        let mut config: Config = url.parse().map_err(|error| {
            Diagnostic::new(format!("the address of the database is invalid: {error}")).help(
                "write the address as `postgres://USER:PASSWORD@HOST/DATABASE` or as \
                 `host=HOST user=USER password=PASSWORD dbname=DATABASE`",
            )
        })?;
        if config.get_options().is_none() {
            config.options(LIMITS);
        }
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT);
        }
        if config.get_tcp_user_timeout().is_none() {
            config.tcp_user_timeout(UNCONFIRMED);
        }
        let database = PostgresDatabase { config, idle: Mutex::default() };
        database.write(&mut upgrade).map_err(|error| Failure::fault(FaultKind::Data, error.0))?;
        Ok(SqlStore(database))
    }
}

/// Checks the version of the server, and applies the entries of [`STEPS`] that have not been applied to the database
/// yet.
fn upgrade(batch: &mut dyn SqlTransaction) -> Result<(), QueueStoreError> {
    let number = |rows: Vec<SqlRow>| match rows.first().and_then(|row| row.first()) {
        Some(SqlValue::Int(number)) => Some(*number),
        _ => None,
    };
    let server = batch.query("SELECT current_setting('server_version_num')::BIGINT", &[], RowLock::None)?;
    let server = number(server).unwrap_or(0);
    if server < OLDEST_VERSION {
        let (found, oldest) = (server / 10_000, OLDEST_VERSION / 10_000);
        let message = format!("the server runs PostgreSQL {found}, but version {oldest} or newer is required");
        return Err(QueueStoreError(message));
    }
    let lock = "SELECT 1::BIGINT FROM (SELECT pg_advisory_xact_lock($1)) AS locked";
    batch.query(lock, &[SqlValue::Int(UPGRADE_LOCK)], RowLock::None)?;
    batch.execute("CREATE TABLE IF NOT EXISTS nimatron_version (version BIGINT NOT NULL)", &[])?;
    let version = number(batch.query("SELECT version FROM nimatron_version", &[], RowLock::None)?);
    let missing = usize::try_from(version.unwrap_or(0)).ok().and_then(|version| STEPS.get(version..));
    let Some(missing) = missing else {
        let (version, supported) = (version.unwrap_or(0), STEPS.len());
        let message = format!(
            "the database has schema version {version}, but this program supports only schema versions up to \
             {supported}; use a newer version of nimatron"
        );
        return Err(QueueStoreError(message));
    };
    for statement in missing.iter().flat_map(|step| step.split(';')).filter(|text| !text.trim().is_empty()) {
        batch.execute(statement, &[])?;
    }
    let sql = match version {
        None => "INSERT INTO nimatron_version (version) VALUES ($1)",
        Some(_) => "UPDATE nimatron_version SET version = $1",
    };
    batch.execute(sql, &[(STEPS.len() as u64).into()]).map(drop)
}

impl PostgresDatabase {
    fn connection(&self) -> Result<PostgresConnection, PostgresFailure> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        while let Some(connection) = idle.pop() {
            if !connection.client.is_closed() {
                return Ok(connection);
            }
        }
        drop(idle);
        let client = self.config.connect(NoTls).map_err(|error| failure(&error))?;
        Ok(PostgresConnection { client, statements: HashMap::new() })
    }

    fn once<T>(&self, is_read_only: bool, work: SqlWork<'_, T>) -> Result<T, PostgresFailure> {
        let mut connection = self.connection()?;
        let value = connection.run(is_read_only, work)?;
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < IDLE {
            idle.push(connection);
        }
        Ok(value)
    }

    fn run<T>(&self, is_read_only: bool, work: SqlWork<'_, T>) -> Result<T, QueueStoreError> {
        let mut tries = 1;
        loop {
            match self.once(is_read_only, work) {
                Ok(value) => return Ok(value),
                Err(failure) if failure.passes && tries < TRIES => tries += 1,
                Err(failure) => return Err(failure.error),
            }
        }
    }
}

impl PostgresConnection {
    fn run<T>(&mut self, is_read_only: bool, work: SqlWork<'_, T>) -> Result<T, PostgresFailure> {
        let batch = self.client.build_transaction().read_only(is_read_only).start();
        let batch = batch.map_err(|error| failure(&error))?;
        let mut batch = PostgresBatch { batch, statements: &mut self.statements, passes: false };
        match work(&mut batch) {
            // A commit that fails may have taken effect, so the transaction is not tried again.
            Ok(value) => match batch.batch.commit() {
                Ok(()) => Ok(value),
                Err(error) => Err(PostgresFailure { passes: false, ..failure(&error) }),
            },
            // Dropping the transaction rolls it back.
            Err(error) => Err(PostgresFailure { error, passes: batch.passes }),
        }
    }
}

fn failure(error: &postgres::Error) -> PostgresFailure {
    let passing = [SqlState::T_R_SERIALIZATION_FAILURE, SqlState::T_R_DEADLOCK_DETECTED, SqlState::ADMIN_SHUTDOWN];
    let passes = error.is_closed() || error.code().is_some_and(|code| passing.contains(code));
    let reason = error.as_db_error().map_or_else(|| error.to_string(), |error| error.message().to_owned());
    PostgresFailure { error: QueueStoreError(format!("PostgreSQL: {reason}")), passes }
}

impl SqlDatabase for PostgresDatabase {
    fn write<T>(&self, work: SqlWork<'_, T>) -> Result<T, QueueStoreError> {
        self.run(false, work)
    }

    fn read<T>(&self, work: SqlWork<'_, T>) -> Result<T, QueueStoreError> {
        self.run(true, work)
    }
}

struct PostgresBatch<'a> {
    batch: Transaction<'a>,
    statements: &'a mut HashMap<String, Statement>,
    /// Whether the transaction may succeed after the last error if it is tried again.
    passes: bool,
}

impl PostgresBatch<'_> {
    fn failed(&mut self, error: &postgres::Error) -> QueueStoreError {
        let failure = failure(error);
        self.passes = failure.passes;
        failure.error
    }

    fn statement(&mut self, sql: &str) -> Result<Statement, postgres::Error> {
        if let Some(statement) = self.statements.get(sql) {
            return Ok(statement.clone());
        }
        let statement = self.batch.prepare(sql)?;
        self.statements.insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }
}

impl SqlTransaction for PostgresBatch<'_> {
    fn query(&mut self, sql: &str, values: &[SqlValue], lock: RowLock) -> Result<Vec<SqlRow>, QueueStoreError> {
        let lock = match lock {
            RowLock::None => "",
            RowLock::Wait => " FOR UPDATE",
            RowLock::Skip => " FOR UPDATE SKIP LOCKED",
        };
        let mut query = || -> Result<Vec<SqlRow>, postgres::Error> {
            let statement = self.statement(&format!("{sql}{lock}"))?;
            let rows = self.batch.query(&statement, &parameters(values))?;
            rows.iter().map(|row| (0..row.len()).map(|column| sql_value(row, column)).collect()).collect()
        };
        query().map_err(|error| self.failed(&error))
    }

    fn execute(&mut self, sql: &str, values: &[SqlValue]) -> Result<u64, QueueStoreError> {
        let mut execute = || {
            let statement = self.statement(sql)?;
            self.batch.execute(&statement, &parameters(values))
        };
        execute().map_err(|error| self.failed(&error))
    }
}

fn parameters(values: &[SqlValue]) -> Vec<&(dyn ToSql + Sync)> {
    values.iter().map(|value| value as &(dyn ToSql + Sync)).collect()
}

fn sql_value(row: &postgres::Row, column: usize) -> Result<SqlValue, postgres::Error> {
    let value = match *row.columns()[column].type_() {
        Type::INT8 => row.try_get::<_, Option<i64>>(column)?.map(SqlValue::Int),
        Type::BYTEA => row.try_get::<_, Option<Vec<u8>>>(column)?.map(SqlValue::Blob),
        _ => row.try_get::<_, Option<String>>(column)?.map(SqlValue::Text),
    };
    Ok(value.unwrap_or(SqlValue::Null))
}

impl std::fmt::Debug for SqlStore<PostgresDatabase> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("PostgresDatabase")
    }
}

impl ToSql for SqlValue {
    fn to_sql(&self, column: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        match self {
            SqlValue::Null => Ok(IsNull::Yes),
            SqlValue::Int(number) => number.to_sql(column, out),
            // A text in PostgreSQL can't contain NUL characters.
            SqlValue::Text(text) if text.contains('\0') => text.replace('\0', "\u{fffd}").to_sql(column, out),
            SqlValue::Text(text) => text.to_sql(column, out),
            SqlValue::Blob(bytes) => bytes.to_sql(column, out),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

#[cfg(test)]
#[path = "postgres_tests.rs"]
mod tests;
