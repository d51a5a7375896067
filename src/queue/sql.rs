//! The interface between the store and an SQL database. The statements are the same for all databases: parameters are
//! `$1`, `$2` and so on, in the order of their first use.

use super::store::QueueStoreError;

/// A value of a column or a parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SqlValue {
    Null,
    Int(i64),
    Text(String),
    Blob(Vec<u8>),
}

/// A row of a query's result: a value for each column.
pub(super) type SqlRow = Vec<SqlValue>;

/// The lock that a query holds on the rows that it reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowLock {
    /// The query locks no rows.
    None,
    /// The query locks the rows, and waits until no other transaction has locked them.
    Wait,
    /// The query locks the rows, and skips rows that another transaction has locked.
    Skip,
}

/// An open transaction of an SQL database.
pub trait SqlTransaction {
    /// Runs a query, and returns its rows. Databases that only one process writes ignore the lock.
    fn query(&mut self, sql: &str, values: &[SqlValue], lock: RowLock) -> Result<Vec<SqlRow>, QueueStoreError>;

    /// Runs a statement, and returns the number of rows that it changed.
    fn execute(&mut self, sql: &str, values: &[SqlValue]) -> Result<u64, QueueStoreError>;
}

/// The body of a transaction: a closure that runs queries and statements, and returns a value or an error.
pub(super) type SqlWork<'w, T> = &'w mut (dyn FnMut(&mut dyn SqlTransaction) -> Result<T, QueueStoreError> + 'w);

/// An SQL database that can run transactions.
pub trait SqlDatabase {
    /// Runs a transaction with the body `work`, and commits it if `work` succeeds. `work` may be called again if the
    /// transaction fails for a transient reason.
    fn write<T>(&self, work: SqlWork<'_, T>) -> Result<T, QueueStoreError>;

    /// Runs a read-only transaction, whose body is `work`.
    fn read<T>(&self, work: SqlWork<'_, T>) -> Result<T, QueueStoreError>;
}

impl From<u64> for SqlValue {
    fn from(number: u64) -> SqlValue {
        SqlValue::Int(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

impl From<&str> for SqlValue {
    fn from(text: &str) -> SqlValue {
        SqlValue::Text(text.to_owned())
    }
}

impl From<&[u8]> for SqlValue {
    fn from(bytes: &[u8]) -> SqlValue {
        SqlValue::Blob(bytes.to_owned())
    }
}

impl<T: Into<SqlValue>> From<Option<T>> for SqlValue {
    fn from(value: Option<T>) -> SqlValue {
        value.map_or(SqlValue::Null, Into::into)
    }
}

/// The column values of a row that remain to be read, in column order.
pub(super) struct SqlColumns(std::vec::IntoIter<SqlValue>);

impl SqlColumns {
    pub(super) fn of(row: SqlRow) -> SqlColumns {
        SqlColumns(row.into_iter())
    }

    fn unexpected(value: Option<SqlValue>) -> QueueStoreError {
        let value = match value {
            None | Some(SqlValue::Null) => "NULL".to_owned(),
            Some(SqlValue::Int(number)) => number.to_string(),
            Some(SqlValue::Text(text)) => text,
            Some(SqlValue::Blob(bytes)) => {
                return QueueStoreError(format!(
                    "a column of the queue's database has an unexpected value of {} bytes",
                    bytes.len()
                ));
            }
        };
        QueueStoreError(format!("a column of the queue's database has the unexpected value `{value}`"))
    }

    pub(super) fn number(&mut self) -> Result<u64, QueueStoreError> {
        self.maybe_number()?.ok_or_else(|| SqlColumns::unexpected(None))
    }

    pub(super) fn maybe_number(&mut self) -> Result<Option<u64>, QueueStoreError> {
        match self.0.next() {
            Some(SqlValue::Null) => Ok(None),
            Some(SqlValue::Int(number)) if number >= 0 => Ok(Some(number.cast_unsigned())),
            other => Err(SqlColumns::unexpected(other)),
        }
    }

    pub(super) fn text(&mut self) -> Result<String, QueueStoreError> {
        self.maybe_text()?.ok_or_else(|| SqlColumns::unexpected(None))
    }

    pub(super) fn maybe_text(&mut self) -> Result<Option<String>, QueueStoreError> {
        match self.0.next() {
            Some(SqlValue::Null) => Ok(None),
            Some(SqlValue::Text(text)) => Ok(Some(text)),
            other => Err(SqlColumns::unexpected(other)),
        }
    }

    pub(super) fn maybe_bytes(&mut self) -> Result<Option<Vec<u8>>, QueueStoreError> {
        match self.0.next() {
            Some(SqlValue::Null) => Ok(None),
            Some(SqlValue::Blob(bytes)) => Ok(Some(bytes)),
            other => Err(SqlColumns::unexpected(other)),
        }
    }
}
