//! The database of the history. Writing a row takes about a millisecond, since data is synchronized to the disk only
//! every dozen runs. A power failure can therefore lose the last rows, but never damages the others.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::types::ToSql;
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, Row, Transaction, params};

use crate::clock::now;
use crate::database;
use crate::model::{ByteSize, Digest, Failure, Score, TimeSpan, Verdict};

use super::key::ProblemKey;
use super::old_marks::{OLD_FOLDER, OldMark, old_marks, remove_old_marks};
use super::rows::{HistoryFilter, HistoryRow, KnownProblem, NewRun, RunStanding};

/// The file name of the database in the state folder.
pub const HISTORY_FILE: &str = "history.sqlite";

/// SQL statements that create and upgrade the tables, one item for each version.
const MIGRATIONS: &[&str] = &["
CREATE TABLE problems (
    key TEXT PRIMARY KEY, id TEXT NOT NULL, title TEXT NOT NULL, url TEXT NOT NULL, received INTEGER, message TEXT
) WITHOUT ROWID;
CREATE TABLE runs (
    number INTEGER PRIMARY KEY, at INTEGER NOT NULL, problem TEXT NOT NULL, program TEXT NOT NULL,
    language TEXT NOT NULL, verdict TEXT NOT NULL, score INTEGER NOT NULL, max_score INTEGER NOT NULL,
    accepted INTEGER NOT NULL, cases INTEGER NOT NULL, time_us INTEGER, memory_bytes INTEGER NOT NULL,
    whole INTEGER NOT NULL
);
CREATE INDEX runs_by_problem ON runs (problem, at, verdict, whole);
"];
/// The help text of the error about a database of a newer version.
const ADVICE: &str = "use a newer version of nimatron";
/// The maximum time to wait for another process that is writing.
const BUSY: Duration = Duration::from_secs(2);

/// The size in bytes at or above which the write-ahead log is checkpointed when the database is closed. The log reaches
/// this size after about a dozen runs.
const LONG_LOG: u64 = 256 << 10;

/// The history of one user's runs, which is an SQLite database.
#[derive(Debug)]
pub struct HistoryStore {
    path: PathBuf,
    connection: Connection,
}

impl HistoryStore {
    /// Opens the history in the folder `state`, and creates both if necessary. If an earlier version has written a
    /// record of solved problems, that record is moved into the database.
    ///
    /// # Errors
    /// Fails if the folder can't be written, or if the file is damaged or of a newer version.
    pub fn open(state: &Path) -> Result<HistoryStore, Failure> {
        let path = state.join(HISTORY_FILE);
        if !path.exists() {
            fs_err::create_dir_all(state).map_err(|error| Failure::user_file(&error))?;
        }
        let history = HistoryStore::with_flags(&path, OpenFlags::default())?;
        history.migrated(state)
    }

    /// Opens the history for reading. The folder `state` may be read-only; otherwise, a history of an earlier version
    /// is upgraded. Returns `None` if there is no history.
    ///
    /// # Errors
    /// Fails if the file is damaged or of a newer version.
    pub fn read(state: &Path) -> Result<Option<HistoryStore>, Failure> {
        let path = state.join(HISTORY_FILE);
        if state.join(OLD_FOLDER).is_dir() && !path.exists() {
            return HistoryStore::open(state).map(Some);
        }
        if !path.exists() {
            return Ok(None);
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let history = HistoryStore::with_flags(&path, flags)?;
        match database::version(&history.connection) {
            Ok(_) => history.migrated(state).map(Some),
            // In a read-only folder, SQLite can't create the shared-memory file of the write-ahead log.
            Err(rusqlite::Error::SqliteFailure(error, _))
                if [ErrorCode::CannotOpen, ErrorCode::ReadOnly].contains(&error.code) =>
            {
                HistoryStore::immutable(&path).map(Some)
            }
            Err(error) => Err(database::fault(&path, &error)),
        }
    }

    fn with_flags(path: &Path, flags: OpenFlags) -> Result<HistoryStore, Failure> {
        let open = || {
            let connection = Connection::open_with_flags(path, flags)?;
            connection.busy_timeout(BUSY)?;
            // A checkpoint waits for the disk, so most connections are closed without one. Every process that opens the
            // database reads the whole log, so a long log is checkpointed and removed when the connection is closed.
            let log_is_short = write_ahead_log_size(path) < LONG_LOG;
            connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, log_is_short)?;
            connection.pragma_update(None, "synchronous", "NORMAL")?;
            Ok(HistoryStore { path: path.to_owned(), connection })
        };
        open().map_err(|error: rusqlite::Error| database::fault(path, &error))
    }

    /// Opens the database as immutable: without locks and without the write-ahead log.
    fn immutable(path: &Path) -> Result<HistoryStore, Failure> {
        let plain = |c: u8| c.is_ascii_alphanumeric() || b"/-_.".contains(&c);
        let escape = |c: u8| if plain(c) { char::from(c).to_string() } else { format!("%{c:02X}") };
        let name: String = path.as_os_str().as_encoded_bytes().iter().map(|c| escape(*c)).collect();
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(format!("file:{name}?immutable=1"), flags)
            .map_err(|error| database::fault(path, &error))?;
        Ok(HistoryStore { path: path.to_owned(), connection })
    }

    fn migrated(mut self, state: &Path) -> Result<HistoryStore, Failure> {
        let version = database::version(&self.connection).map_err(|error| self.fault(&error))?;
        if version == MIGRATIONS.len() as i64 {
            return Ok(self);
        }
        // The journal mode is stored in the file, so it is set only when the file is migrated.
        database::use_write_ahead_log(&self.connection, BUSY).map_err(|error| self.fault(&error))?;
        let mut marks = Vec::new();
        database::migrate(&mut self.connection, &self.path, (MIGRATIONS, ADVICE), |batch| {
            marks = old_marks(state);
            marks.iter().try_for_each(|mark| insert_mark(batch, mark))
        })?;
        remove_old_marks(state, &marks);
        Ok(self)
    }

    fn fault(&self, error: &rusqlite::Error) -> Failure {
        database::fault(&self.path, error)
    }

    /// Records a run with the current time as its end.
    ///
    /// # Errors
    /// Fails if the database can't be written.
    pub fn record(&mut self, run: &NewRun) -> Result<(), Failure> {
        self.write(|batch| insert_run(batch, run, now()))
    }

    /// Records a problem that was received from the browser, with the digest of its `problem.json` if one was written.
    ///
    /// # Errors
    /// Fails if the database can't be written.
    pub fn receive(&mut self, problem: &KnownProblem, message: Option<Digest>) -> Result<(), Failure> {
        self.write(|batch| {
            let sql = "INSERT INTO problems (key, id, title, url, received, message) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                 ON CONFLICT (key) DO UPDATE SET title = ?3, url = ?4, received = ?5, message = coalesce(?6, message)";
            let KnownProblem { key, id, title, url, .. } = problem;
            let message = message.map(|digest| digest.to_string());
            batch.prepare_cached(sql)?.execute(params![key.as_str(), id, title, url, now(), message]).map(|_| ())
        })
    }

    fn write(&mut self, work: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<()>) -> Result<(), Failure> {
        let behavior = rusqlite::TransactionBehavior::Immediate;
        let done = self.connection.transaction_with_behavior(behavior).and_then(|batch| {
            work(&batch)?;
            batch.commit()
        });
        done.map_err(|error| self.fault(&error))
    }

    /// Returns the digest of the `problem.json` that was last written to the problem's folder; `None` if none was
    /// written.
    ///
    /// # Errors
    /// Fails if the database can't be read.
    pub fn message_digest(&self, key: &ProblemKey) -> Result<Option<Digest>, Failure> {
        let sql = "SELECT message FROM problems WHERE key = ?1";
        let found = self.connection.query_row(sql, [key.as_str()], |row| row.get::<_, Option<String>>(0)).optional();
        Ok(found.map_err(|error| self.fault(&error))?.flatten().and_then(|text| text.parse().ok()))
    }

    /// Returns all problems that have runs or were received, the latest first.
    ///
    /// # Errors
    /// Fails if the database can't be read.
    pub fn problems(&self) -> Result<Vec<KnownProblem>, Failure> {
        self.known("", [])
    }

    /// Returns the record of a problem; `None` if the problem has no runs and was not received.
    ///
    /// # Errors
    /// Fails if the database can't be read.
    pub fn problem(&self, key: &ProblemKey) -> Result<Option<KnownProblem>, Failure> {
        Ok(self.known("WHERE key = ?1", [key.as_str()])?.pop())
    }

    fn known(&self, filter: &str, values: impl rusqlite::Params) -> Result<Vec<KnownProblem>, Failure> {
        // The verdict and the program are those of the latest run: the run with the greatest number among the runs
        // with the greatest time.
        let sql = format!(
            "SELECT key, id, title, url, received, s.solved, s.last_at, s.verdict, s.count,
                 (SELECT program FROM runs WHERE problem = key AND at = s.last_at ORDER BY number DESC LIMIT 1)
             FROM problems LEFT JOIN (
                 SELECT problem, max(whole AND verdict = 'AC') AS solved, count(*) AS count, max(at) AS last_at,
                     (SELECT verdict FROM runs r WHERE r.problem = runs.problem ORDER BY at DESC, number DESC LIMIT 1)
                         AS verdict
                 FROM runs GROUP BY problem
             ) s ON s.problem = key {filter}"
        );
        let read = || {
            let mut statement = self.connection.prepare(&sql)?;
            statement.query_map(values, known_problem)?.collect::<rusqlite::Result<Vec<_>>>()
        };
        let mut found = read().map_err(|error| self.fault(&error))?;
        found.sort_by(|a, b| (b.latest(), &a.key).cmp(&(a.latest(), &b.key)));
        Ok(found)
    }

    /// Returns the runs that a filter selects, the latest first.
    ///
    /// # Errors
    /// Fails if the database can't be read.
    pub fn runs(&self, filter: &HistoryFilter) -> Result<Vec<HistoryRow>, Failure> {
        let (conditions, values) = conditions(filter);
        let sql = format!(
            "SELECT at, problem, coalesce(id, problem), coalesce(title, ''), program, language, verdict, score, max_score,
                 accepted, cases, time_us, memory_bytes, whole
             FROM runs LEFT JOIN problems ON key = problem {conditions} ORDER BY at DESC, number DESC LIMIT ?"
        );
        let limit = filter.limit.map_or(-1, i64::from);
        let values = values.iter().map(|value| &**value).chain([&limit as &dyn ToSql]);
        let read = || {
            let mut statement = self.connection.prepare(&sql)?;
            statement.query_map(rusqlite::params_from_iter(values), history_row)?.collect::<rusqlite::Result<Vec<_>>>()
        };
        read().map_err(|error| self.fault(&error))
    }
}

/// Returns the size of the write-ahead log of the database at `path`, in bytes. A missing log has the size 0.
fn write_ahead_log_size(path: &Path) -> u64 {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    std::fs::metadata(log).map_or(0, |log| log.len())
}

/// Returns the `WHERE` clause of a filter in SQL, and the values of its parameters.
fn conditions(filter: &HistoryFilter) -> (String, Vec<Box<dyn ToSql>>) {
    let mut conditions: Vec<String> = Vec::new();
    let mut values: Vec<Box<dyn ToSql>> = Vec::new();
    if let Some((key, id)) = &filter.problem {
        // A folder may contain the folders of other problems, as the folder of a contest does.
        let below = key.path().map(|path| format!("{}/", path.to_string_lossy().trim_end_matches('/')));
        conditions.push("(problem = ?1 OR id = ?2 OR substr(problem, 1, length(?3)) = ?3)".to_owned());
        values.push(Box::new(key.as_str().to_owned()));
        values.push(Box::new(id.clone()));
        values.push(Box::new(below));
    }
    if !filter.verdicts.is_empty() {
        conditions.push(format!("verdict IN ({})", vec!["?"; filter.verdicts.len()].join(", ")));
        values.extend(filter.verdicts.iter().map(|verdict| Box::new(verdict.short()) as Box<dyn ToSql>));
    }
    if let Some(since) = filter.since {
        conditions.push("at >= ?".to_owned());
        values.push(Box::new(since));
    }
    if let Some(language) = &filter.language {
        conditions.push("language = ?".to_owned());
        values.push(Box::new(language.clone()));
    }
    let conditions = if conditions.is_empty() { String::new() } else { format!("WHERE {}", conditions.join(" AND ")) };
    (conditions, values)
}

fn insert_run(batch: &Transaction<'_>, run: &NewRun, at: i64) -> rusqlite::Result<()> {
    // The title of a problem may have changed since the last run. The title of a received problem is not replaced.
    let problem = "INSERT INTO problems (key, id, title, url) VALUES (?1, ?2, ?3, '')
         ON CONFLICT (key) DO UPDATE SET title = ?3 WHERE title <> ?3 AND received IS NULL";
    batch.prepare_cached(problem)?.execute(params![run.problem.as_str(), run.id, run.title])?;
    let signed = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    batch
        .prepare_cached(
            "INSERT INTO runs (at, problem, program, language, verdict, score, max_score, accepted, cases, time_us,
                 memory_bytes, whole) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
        )?
        .execute(params![
            at,
            run.problem.as_str(),
            run.program,
            run.language,
            run.verdict.short(),
            signed(run.score.0.as_thousandths()),
            signed(run.score.1.as_thousandths()),
            run.cases.0,
            run.cases.1,
            run.time.map(|time| signed(time.as_micros())),
            signed(run.memory.get()),
            run.whole
        ])
        .map(|_| ())
}

fn insert_mark(batch: &Transaction<'_>, mark: &OldMark) -> rusqlite::Result<()> {
    let run = NewRun {
        problem: ProblemKey::embedded(&mark.id),
        id: mark.id.to_string(),
        title: String::new(),
        program: mark.program.clone(),
        language: String::new(),
        verdict: Verdict::Accepted,
        score: (Score::default(), Score::default()),
        cases: (0, 0),
        time: None,
        memory: ByteSize::new(0),
        whole: true,
    };
    insert_run(batch, &run, mark.at)
}

fn known_problem(row: &Row<'_>) -> rusqlite::Result<KnownProblem> {
    let standing = match row.get::<_, Option<i64>>(6)? {
        None => None,
        Some(last_at) => Some(RunStanding {
            solved: row.get(5)?,
            last_at,
            last_verdict: verdict(row, 7)?,
            runs: row.get::<_, i64>(8)?.cast_unsigned(),
            last_program: row.get(9)?,
        }),
    };
    Ok(KnownProblem {
        key: ProblemKey::of_text(row.get(0)?),
        id: row.get(1)?,
        title: row.get(2)?,
        url: row.get(3)?,
        received: row.get(4)?,
        standing,
    })
}

fn history_row(row: &Row<'_>) -> rusqlite::Result<HistoryRow> {
    let number = |column: usize| row.get::<_, i64>(column).map(i64::cast_unsigned);
    let run = NewRun {
        problem: ProblemKey::of_text(row.get(1)?),
        id: row.get(2)?,
        title: row.get(3)?,
        program: row.get(4)?,
        language: row.get(5)?,
        verdict: verdict(row, 6)?,
        score: (Score::thousandths(number(7)?), Score::thousandths(number(8)?)),
        cases: (row.get(9)?, row.get(10)?),
        time: row.get::<_, Option<i64>>(11)?.map(|time| TimeSpan::micros(time.cast_unsigned())),
        memory: ByteSize::new(number(12)?),
        whole: row.get(13)?,
    };
    Ok(HistoryRow { at: row.get(0)?, run })
}

/// Reads a column with the short name of a verdict.
fn verdict(row: &Row<'_>, column: usize) -> rusqlite::Result<Verdict> {
    let short: String = row.get(column)?;
    let unknown = || format!("unknown verdict `{short}`").into();
    let found = Verdict::ALL.into_iter().find(|verdict| verdict.short() == short);
    found.ok_or_else(|| rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Text, unknown()))
}

#[cfg(test)]
#[path = "store_tests.rs"]
mod tests;
