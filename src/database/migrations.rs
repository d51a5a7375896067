//! Migrations of an SQLite database, whose tables are created and upgraded in numbered steps.

use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode, Transaction, TransactionBehavior};

use super::model::{Diagnostic, Failure, FaultKind};

/// Pause before the next attempt to access a locked database.
const RETRY_PAUSE: Duration = Duration::from_millis(2);

/// Converts an error of the database at `path` to a fault.
pub fn fault(path: &Path, error: &rusqlite::Error) -> Failure {
    Failure::fault(FaultKind::Data, format!("{}: {error}", path.display()))
}

/// Creates the file of the database if it does not exist. A new file is readable only by its owner; SQLite creates the
/// journal files with the same permissions.
///
/// # Errors
/// Fails if the file can't be created.
pub fn create_private(path: &Path) -> Result<(), Failure> {
    let mut options = fs_err::OpenOptions::new();
    options.create(true).append(true);
    fs_err::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop).map_err(|error| Failure::user_file(&error))
}

/// Returns the version of the tables, which is the number of migrations that were applied.
///
/// # Errors
/// Returns an error if the version cannot be read, for example because the file is not a database.
pub fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.query_row("PRAGMA user_version", [], |row| row.get(0))
}

/// Enables the write-ahead log; the setting is stored in the database file. SQLite does not wait for another process
/// that is enabling it, so the attempt is repeated for up to `timeout`.
///
/// # Errors
/// Returns an error if the database is locked for longer than `timeout`, or if it can't be read or written.
pub fn use_write_ahead_log(connection: &Connection, timeout: Duration) -> rusqlite::Result<()> {
    let start = Instant::now();
    loop {
        match connection.pragma_update(None, "journal_mode", "WAL") {
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) && start.elapsed() < timeout => {
                std::thread::sleep(RETRY_PAUSE);
            }
            ended => return ended,
        }
    }
}

/// Applies the missing entries of `migrations` in one transaction. Entry `n` upgrades the tables from version `n` to
/// version `n + 1`. Entries must never be changed, since databases of every version exist. Several processes may call
/// this function on the same database at the same time. If the tables did not exist, `fill` is called in the same
/// transaction.
///
/// # Errors
/// Fails if the version of the database is greater than the number of `migrations`; the help text of this error is
/// `advice`. Also fails if the database can't be read or written.
pub fn migrate(
    connection: &mut Connection,
    path: &Path,
    (migrations, advice): (&[&str], &str),
    fill: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<()>,
) -> Result<(), Failure> {
    let failed = |error: rusqlite::Error| fault(path, &error);
    if version(connection).map_err(failed)? == latest(migrations) {
        return Ok(());
    }
    let batch = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed)?;
    let from = version(&batch).map_err(failed)?;
    let Some(missing) = usize::try_from(from).ok().and_then(|from| migrations.get(from..)) else {
        let supported = latest(migrations);
        let message = format!(
            "the database `{}` has version {from}, but this version of nimatron supports versions up to {supported}",
            path.display()
        );
        return Err(Diagnostic::new(message).help(advice).into());
    };
    let apply = || {
        batch.execute_batch(&missing.concat())?;
        if from == 0 {
            fill(&batch)?;
        }
        batch.pragma_update(None, "user_version", latest(migrations))
    };
    apply().map_err(failed)?;
    batch.commit().map_err(failed)
}

fn latest(migrations: &[&str]) -> i64 {
    migrations.len() as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEPS: [&str; 2] = ["CREATE TABLE t (a INTEGER);", "ALTER TABLE t ADD COLUMN b INTEGER;"];

    #[test]
    fn every_version_is_upgraded_once_and_newer_ones_are_refused() {
        let path = Path::new("x");
        let mut connection = Connection::open_in_memory().unwrap();
        let mut filled = 0;
        for steps in [&STEPS[..1], &STEPS[..1], &STEPS, &STEPS] {
            migrate(&mut connection, path, (steps, ""), |_| {
                filled += 1;
                Ok(())
            })
            .unwrap();
        }
        assert_eq!((filled, version(&connection).unwrap()), (1, 2));
        connection.execute("INSERT INTO t VALUES (1, 2)", []).unwrap();
        let error = migrate(&mut connection, path, (&STEPS[..1], "advice"), |_| Ok(())).unwrap_err();
        assert!(
            error.to_string().contains("version 2, but this version of nimatron supports versions up to 1"),
            "{error}"
        );
    }

    #[test]
    fn a_step_that_fails_changes_nothing() {
        let mut connection = Connection::open_in_memory().unwrap();
        let steps = [STEPS[0], "INSERT INTO nowhere VALUES (1);"];
        assert!(migrate(&mut connection, Path::new("x"), (&steps, ""), |_| Ok(())).is_err());
        assert_eq!(version(&connection).unwrap(), 0);
        assert!(connection.execute("SELECT a FROM t", []).is_err(), "the table was not created");
    }
}
