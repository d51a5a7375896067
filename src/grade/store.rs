//! Stores contents, results and a log in an SQLite database. The database stays consistent if the process is killed.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension, params};

use crate::database::{self, FileLock};
use crate::model::{Diagnostic, Digest, Failure, Fault, FaultKind, Level};
use crate::runner::TARGET_VERSION;

use super::key::Key;
use super::record::Record;

/// File name of the database.
pub const STORE_FILE: &str = "nimatron.sqlite";

/// SQL that upgrades the database from each version to the next. The first entry creates the tables.
const MIGRATIONS: &[&str] = &[
    "
CREATE TABLE contents (hash TEXT PRIMARY KEY, bytes BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE results (
    key TEXT PRIMARY KEY, problem TEXT NOT NULL, source TEXT NOT NULL, data TEXT NOT NULL, limits TEXT NOT NULL,
    toolchain TEXT NOT NULL, isolation TEXT NOT NULL, rejudge INTEGER NOT NULL, at INTEGER NOT NULL,
    record TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX results_by_source ON results (source, problem);
CREATE TABLE rejudges (id INTEGER PRIMARY KEY, at INTEGER NOT NULL, why TEXT NOT NULL, done INTEGER NOT NULL);
CREATE TABLE marks (student TEXT, problem TEXT, mark TEXT NOT NULL, PRIMARY KEY (student, problem)) WITHOUT ROWID;
CREATE TABLE log (id INTEGER PRIMARY KEY, at INTEGER NOT NULL, student TEXT NOT NULL, problem TEXT NOT NULL,
    was TEXT, now TEXT NOT NULL, why TEXT NOT NULL);
",
    // In version 1, keys of results were hashes of `Debug` output. The key of a row is updated when the row is read.
    "ALTER TABLE results ADD COLUMN key_version INTEGER NOT NULL DEFAULT 1;",
    super::ledger::TABLES,
];
/// Help message for a database of a newer version.
const ADVICE: &str = "use a newer version of nimatron, or grade into another folder (`nimatron grade --out DIR`)";

/// The database of a class.
#[derive(Debug)]
pub struct GradeStore {
    path: PathBuf,
    connection: Connection,
    /// The lock file, locked while the store is open, so that only one process grades a class at a time; `None` for a
    /// store in memory or a store opened for reading.
    _lock: Option<FileLock>,
}

/// A result in the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredResult {
    /// The result of judging.
    pub record: Record,
    /// Number of the rejudging that produced the result; 0 if the result was produced before the first rejudging.
    pub rejudge: i64,
}

/// A change to a published mark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Name of the student.
    pub student: String,
    /// Column of the gradebook: the id of a problem, or `total`.
    pub problem: String,
    /// Previous mark; `None` if no mark was published.
    pub was: Option<String>,
    /// New mark.
    pub now: String,
}

impl GradeStore {
    /// Opens the store in this folder, and creates the folder and the store if necessary.
    ///
    /// # Errors
    /// Fails if the folder can't be written or locked, if another process uses it, or if its store can't be opened or
    /// has a newer version.
    pub fn open(dir: &Path) -> Result<GradeStore, Failure> {
        fs_err::create_dir_all(dir).map_err(|error| Failure::user_file(&error))?;
        let lock = FileLock::acquire(&dir.join(".lock"))?.ok_or_else(|| {
            Diagnostic::new(format!("another nimatron process is using `{}`", dir.display()))
                .help("wait for that process to end, or grade into another folder (`nimatron grade --out DIR`)")
        })?;
        let path = dir.join(STORE_FILE);
        let connection = Connection::open(&path).map_err(|error| database::fault(&path, &error))?;
        GradeStore { path, connection, _lock: Some(lock) }.prepared()
    }

    /// Opens the store in this folder for reading. The store may be open for writing at the same time.
    ///
    /// # Errors
    /// Fails if there is no store in the folder or it can't be opened.
    pub fn reader(dir: &Path) -> Result<GradeStore, Failure> {
        let path = dir.join(STORE_FILE);
        let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY;
        let connection = Connection::open_with_flags(&path, flags).map_err(|error| database::fault(&path, &error))?;
        Ok(GradeStore { path, connection, _lock: None })
    }

    /// Creates a temporary store in memory.
    ///
    /// # Errors
    /// Returns [`Failure::Fault`] if the database can't be created.
    pub fn in_memory() -> Result<GradeStore, Failure> {
        let path = PathBuf::from(":memory:");
        let connection = Connection::open_in_memory().map_err(|error| database::fault(&path, &error))?;
        GradeStore { path, connection, _lock: None }.prepared()
    }

    fn prepared(mut self) -> Result<GradeStore, Failure> {
        // With `synchronous = NORMAL`, a power failure may lose the last results. Their programs are judged again.
        let pragmas = "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;";
        self.connection.execute_batch(pragmas).map_err(|error| self.fault(&error))?;
        database::migrate(&mut self.connection, &self.path, (MIGRATIONS, ADVICE), |_| Ok(()))?;
        Ok(self)
    }

    pub(super) fn fault(&self, error: &rusqlite::Error) -> Failure {
        database::fault(&self.path, error)
    }

    pub(super) fn run(&self, sql: &str, values: impl rusqlite::Params) -> Result<(), Failure> {
        let done = self.connection.prepare_cached(sql).and_then(|mut statement| statement.execute(values));
        done.map(|_| ()).map_err(|error| self.fault(&error))
    }

    pub(super) fn ask<T: rusqlite::types::FromSql>(
        &self,
        sql: &str,
        values: impl rusqlite::Params,
    ) -> Result<Option<T>, Failure> {
        let asked = self
            .connection
            .prepare_cached(sql)
            .and_then(|mut statement| statement.query_row(values, |row| row.get(0)).optional());
        asked.map_err(|error| self.fault(&error))
    }

    pub(super) fn rows<T>(
        &self,
        sql: &str,
        values: impl rusqlite::Params,
        row: impl FnMut(&rusqlite::Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, Failure> {
        let read =
            || self.connection.prepare_cached(sql)?.query_map(values, row)?.collect::<rusqlite::Result<Vec<T>>>();
        read().map_err(|error| self.fault(&error))
    }

    /// Runs `work` in a transaction.
    ///
    /// # Errors
    /// Rolls back and returns the error if `work` fails. Returns [`Failure::Fault`] if the store can't be written.
    pub fn at_once<T>(&self, work: impl FnOnce(&GradeStore) -> Result<T, Failure>) -> Result<T, Failure> {
        let batch = self.connection.unchecked_transaction().map_err(|error| self.fault(&error))?;
        let done = work(self)?;
        batch.commit().map_err(|error| self.fault(&error))?;
        Ok(done)
    }

    /// Stores the content of a file under its hash.
    ///
    /// # Errors
    /// Returns [`Failure::Fault`] if the store can't be written.
    pub fn keep(&self, bytes: &[u8]) -> Result<Digest, Failure> {
        let digest = Digest::of(bytes);
        self.run("INSERT OR IGNORE INTO contents VALUES (?1, ?2)", params![digest.to_string(), bytes])?;
        Ok(digest)
    }

    /// Returns the content with this hash.
    ///
    /// # Errors
    /// Returns [`Failure::Fault`] if the content is missing, or if the store can't be read.
    pub fn content(&self, digest: &Digest) -> Result<Vec<u8>, Failure> {
        let found = self.ask("SELECT bytes FROM contents WHERE hash = ?1", [digest.to_string()])?;
        found.ok_or_else(|| {
            let message = format!("the database `{}` lacks the file with the hash {digest}", self.path.display());
            Failure::fault(FaultKind::Data, message)
        })
    }

    /// Returns the result with this key, or `None` if there is none.
    ///
    /// # Errors
    /// Returns [`Failure::Fault`] if the store can't be read.
    pub fn result(&self, key: &Digest) -> Result<Option<StoredResult>, Failure> {
        let sql = "SELECT record, rejudge FROM results WHERE key = ?1";
        let found = self.connection.prepare_cached(sql).and_then(|mut statement| {
            let row = |row: &rusqlite::Row<'_>| Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?));
            statement.query_row([key.to_string()], row).optional()
        });
        let found = found.map_err(|error| self.fault(&error))?;
        // A record that can't be parsed, for example because its format is older, is treated as missing.
        Ok(found.and_then(|(text, rejudge)| Some(StoredResult { record: serde_json::from_str(&text).ok()?, rejudge })))
    }

    /// Returns the rejudging number of the result with this key, or `None` if there is no result.
    ///
    /// # Errors
    /// Returns [`Failure::Fault`] if the store can't be read.
    pub fn has(&self, key: &Digest) -> Result<Option<i64>, Failure> {
        self.ask("SELECT rejudge FROM results WHERE key = ?1", [key.to_string()])
    }

    /// Moves a result from its key of version 1 to its current key, unless the current key has a result.
    ///
    /// # Errors
    /// Returns [`Failure::Fault`] if the store can't be read or written.
    pub fn adopt(&self, v1: &Key, current: &Key) -> Result<(), Failure> {
        let hash = |digest: Digest| digest.to_string();
        self.run(
            "UPDATE OR IGNORE results SET key = ?1, data = ?2, limits = ?3, toolchain = ?4, key_version = ?5
             WHERE key = ?6 AND key_version = 1",
            params![
                hash(current.whole()),
                hash(current.data),
                hash(current.limits),
                hash(current.toolchain),
                TARGET_VERSION,
                hash(v1.whole())
            ],
        )
    }

    /// Returns the key of the newest result for this program and problem, and the version of the key, or `None` if
    /// there is no result.
    ///
    /// # Errors
    /// Returns [`Failure::Fault`] if the store can't be read.
    pub fn older(&self, source: &Digest, problem: &str) -> Result<Option<(Key, u32)>, Failure> {
        let sql = "SELECT data, limits, toolchain, isolation, key_version FROM results
                   WHERE source = ?1 AND problem = ?2 ORDER BY at DESC LIMIT 1";
        let found = self.connection.prepare_cached(sql).and_then(|mut statement| {
            let row = |row: &rusqlite::Row<'_>| -> rusqlite::Result<([String; 4], u32)> {
                Ok(([row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?], row.get(4)?))
            };
            statement.query_row(params![source.to_string(), problem], row).optional()
        });
        let found = found.map_err(|error| self.fault(&error))?;
        Ok(found.and_then(|([data, limits, toolchain, isolation], version)| {
            let isolation = match isolation.as_str() {
                "A" => Level::A,
                "B" => Level::B,
                "C" => Level::C,
                _ => Level::D,
            };
            let part = |text: String| text.parse().ok();
            let (data, limits, toolchain) = (part(data)?, part(limits)?, part(toolchain)?);
            Some((Key { source: *source, data, limits, toolchain, isolation }, version))
        }))
    }

    /// Stores a result, and replaces an older result with the same key.
    ///
    /// # Errors
    /// Returns [`Failure::Fault`] if the store can't be written.
    pub fn put(&self, key: &Key, problem: &str, rejudge: i64, at: i64, record: &Record) -> Result<(), Failure> {
        let text = serde_json::to_string(record)
            .map_err(|error| Fault::io(FaultKind::Data, &error.into()).context("cannot serialize a result"))?;
        let hash = |digest: Digest| digest.to_string();
        self.run(
            "INSERT OR REPLACE INTO results VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
            params![
                hash(key.whole()),
                problem,
                hash(key.source),
                hash(key.data),
                hash(key.limits),
                hash(key.toolchain),
                key.isolation.to_string(),
                rejudge,
                at,
                text,
                TARGET_VERSION
            ],
        )
    }

    /// Returns the number of the unfinished rejudging with this reason, or of a new rejudging if there is none.
    ///
    /// # Errors
    /// Returns [`Failure::Fault`] if the store can't be read or written.
    pub fn begin_rejudge(&self, why: &str, at: i64) -> Result<i64, Failure> {
        let open = self.ask("SELECT id FROM rejudges WHERE why = ?1 AND done = 0", [why])?;
        if let Some(open) = open {
            return Ok(open);
        }
        self.run("INSERT INTO rejudges (at, why, done) VALUES (?1, ?2, 0)", params![at, why])?;
        Ok(self.connection.last_insert_rowid())
    }

    /// Marks a rejudging as finished.
    ///
    /// # Errors
    /// Returns [`Failure::Fault`] if the store can't be written.
    pub fn end_rejudge(&self, id: i64) -> Result<(), Failure> {
        self.run("UPDATE rejudges SET done = 1 WHERE id = ?1", [id])
    }

    /// Returns the marks that differ from the last published marks. Each entry of `marks` contains the student, the
    /// problem and the mark.
    ///
    /// # Errors
    /// Returns [`Failure::Fault`] if the store can't be read.
    pub fn changes(&self, marks: &[(String, String, String)]) -> Result<Vec<Change>, Failure> {
        let mut changes = Vec::new();
        for (student, problem, now) in marks {
            let sql = "SELECT mark FROM marks WHERE student = ?1 AND problem = ?2";
            let was: Option<String> = self.ask(sql, params![student, problem])?;
            if was.as_ref() != Some(now) {
                changes.push(Change { student: student.clone(), problem: problem.clone(), was, now: now.clone() });
            }
        }
        Ok(changes)
    }

    /// Records that the marks in `changes` were published, with `why` as the reason.
    ///
    /// # Errors
    /// Returns [`Failure::Fault`] if the store can't be written.
    pub fn publish(&self, changes: &[Change], at: i64, why: &str) -> Result<(), Failure> {
        self.at_once(|store| {
            for Change { student, problem, was, now } in changes {
                store.run("INSERT OR REPLACE INTO marks VALUES (?1, ?2, ?3)", params![student, problem, now])?;
                let sql = "INSERT INTO log (at, student, problem, was, now, why) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
                store.run(sql, params![at, student, problem, was, now, why])?;
            }
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::{Plan, Stop};

    fn key(data: &str) -> Key {
        let hash = |text: &str| Digest::of(text.as_bytes());
        Key { source: hash("s"), data: hash(data), limits: hash("l"), toolchain: hash("t"), isolation: Level::B }
    }

    fn record() -> Record {
        Record::refused(
            "it is empty",
            &Plan {
                groups: Vec::new(),
                stop: Stop::Never,
                skip_certain: false,
                alone: false,
                part: false,
                rules: None,
                outputs: crate::judge::OutputUse::Checked,
            },
        )
    }

    #[test]
    fn result_is_found_by_its_key_only() {
        let store = GradeStore::in_memory().unwrap();
        store.put(&key("a"), "nim", 0, 5, &record()).unwrap();
        assert_eq!(store.result(&key("a").whole()).unwrap().unwrap().record, record());
        assert_eq!(store.result(&key("b").whole()).unwrap(), None);
        let (older, version) = store.older(&key("b").source, "nim").unwrap().unwrap();
        assert_eq!(version, TARGET_VERSION);
        assert_eq!(key("b").changed_since(&older), ["the problem's tests"]);
        assert_eq!(store.older(&key("b").source, "other").unwrap(), None);
    }

    #[test]
    fn interrupted_rejudging_is_resumed() {
        let store = GradeStore::in_memory().unwrap();
        let first = store.begin_rejudge("new tests", 1).unwrap();
        assert_eq!(store.begin_rejudge("new tests", 2).unwrap(), first);
        store.end_rejudge(first).unwrap();
        assert!(store.begin_rejudge("new tests", 3).unwrap() > first);
    }

    #[test]
    fn changed_marks_are_returned_and_logged() {
        let store = GradeStore::in_memory().unwrap();
        let marks = |mark: &str| vec![("Zoë".to_owned(), "nim".to_owned(), mark.to_owned())];
        let changes = store.changes(&marks("10")).unwrap();
        assert_eq!(changes[0].was, None);
        store.publish(&changes, 1, "first").unwrap();
        assert_eq!(store.changes(&marks("10")).unwrap(), []);
        assert_eq!(store.changes(&marks("20")).unwrap()[0].was.as_deref(), Some("10"));
    }

    #[test]
    fn second_process_and_newer_version_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let store = GradeStore::open(dir.path()).unwrap();
        store.keep(b"x").unwrap();
        assert!(GradeStore::open(dir.path()).unwrap_err().to_string().contains("another nimatron process"));
        store.connection.execute_batch("PRAGMA user_version = 99").unwrap();
        drop(store);
        assert!(GradeStore::open(dir.path()).unwrap_err().to_string().contains("version 99"));
    }
}
