//! Reads the database of submissions.

use rusqlite::types::{FromSql, ToSql};
use rusqlite::{OptionalExtension, Row, params, params_from_iter};

use crate::model::{Event, EventKind, Failure, FaultKind, ProblemId, Score, Verdict};
use crate::queue::Priority;
use crate::service::RunReport;

use super::fair_queue::QueueEntry;
use super::id::SubmissionId;
use super::record::{
    EventsPage, JudgingState, NewSubmission, ProblemStanding, StoredEvent, StoredSubmission, SubmissionFilter,
    SubmissionKind,
};
use super::store::SubmissionStore;

/// Maximum number of submissions or events that one call returns.
const PAGE: u32 = 1_000;

/// The columns that [`stored`] reads.
const COLUMNS: &str = "id, person, problem, name, coalesce(judged_language, language), kind, priority, created_ms,
    started_ms, ended_ms, state, verdict, score, max_score, error";

impl SubmissionStore {
    /// Returns the submission with this id; `None` if there is none.
    pub(super) fn get(&self, id: &SubmissionId) -> Result<Option<StoredSubmission>, Failure> {
        let sql = format!("SELECT {COLUMNS} FROM submissions WHERE id = ?1");
        self.read(|connection| connection.prepare_cached(&sql)?.query_row([id.as_str()], stored).optional())
    }

    /// Returns the submissions that match a filter, the newest first.
    pub(super) fn list(&self, filter: &SubmissionFilter) -> Result<Vec<StoredSubmission>, Failure> {
        let (conditions, values) = conditions(filter);
        let limit = filter.limit.map_or(PAGE, |limit| limit.min(PAGE));
        let sql = format!("SELECT {COLUMNS} FROM submissions {conditions} ORDER BY number DESC LIMIT {limit}");
        self.read(|connection| connection.prepare_cached(&sql)?.query_map(params_from_iter(&values), stored)?.collect())
    }

    /// Returns the number of bytes used by a person's submissions: programs, inputs, reports and events.
    pub(super) fn bytes_of_person(&self, person: &str) -> Result<u64, Failure> {
        self.bytes_where("person = ?1", person)
    }

    /// Returns the number of bytes used by a submission: program, input, report and events; 0 if there is no submission
    /// with this id.
    pub(super) fn bytes_of(&self, id: &SubmissionId) -> Result<u64, Failure> {
        self.bytes_where("id = ?1", id.as_str())
    }

    fn bytes_where(&self, condition: &str, value: &str) -> Result<u64, Failure> {
        let events = "(SELECT total(octet_length(json)) FROM events WHERE submission = submissions.number)";
        let own = "octet_length(source) + coalesce(octet_length(input), 0) + coalesce(octet_length(report), 0)";
        let sql = format!("SELECT CAST(total({own} + {events}) AS INTEGER) FROM submissions WHERE {condition}");
        let bytes: i64 =
            self.read(|connection| connection.prepare_cached(&sql)?.query_row([value], |row| row.get(0)))?;
        Ok(bytes.cast_unsigned())
    }

    /// Returns the standing of a person on each problem.
    pub(super) fn standing(&self, person: &str) -> Result<Vec<ProblemStanding>, Failure> {
        // In SQLite, the columns outside of aggregate functions have the values of the row in which `max` finds the
        // maximum.
        let sql = "SELECT problem, total(verdict IS 'AC') > 0, count(*), verdict, created_ms, max(number)
            FROM submissions WHERE person = ?1 AND kind = 'submit' GROUP BY problem ORDER BY problem";
        self.read(|connection| {
            let row = |row: &Row<'_>| {
                Ok(ProblemStanding {
                    problem: problem(row, 0)?,
                    solved: row.get(1)?,
                    submissions: row.get::<_, i64>(2)?.cast_unsigned(),
                    last_verdict: verdict(row, 3)?,
                    last_at: row.get(4)?,
                })
            };
            connection.prepare_cached(sql)?.query_map([person], row)?.collect()
        })
    }

    /// Returns the submissions of kind `Submit` that `person`, or any person if `person` is `None`, has submitted to
    /// `problems` since the time `since`. They are sorted by the order of `problems`, then from oldest to newest.
    pub(super) fn attempts(
        &self,
        problems: &[ProblemId],
        person: Option<&str>,
        since: i64,
    ) -> Result<Vec<StoredSubmission>, Failure> {
        let sql = format!(
            "SELECT {COLUMNS} FROM submissions WHERE problem = ?1 AND kind = 'submit' AND created_ms >= ?2
            AND (?3 IS NULL OR person = ?3) ORDER BY number"
        );
        self.read(|connection| {
            let mut found = Vec::new();
            for problem in problems {
                let mut query = connection.prepare_cached(&sql)?;
                for run in query.query_map(params![problem.as_str(), since, person], stored)? {
                    found.push(run?);
                }
            }
            Ok(found)
        })
    }

    /// Returns the source of a submission; `None` if there is no such submission.
    pub(super) fn source(&self, id: &SubmissionId) -> Result<Option<Vec<u8>>, Failure> {
        self.column("SELECT source FROM submissions WHERE id = ?1", id)
    }

    /// Returns the input of a submission; `None` if it has none or does not exist.
    pub(super) fn input(&self, id: &SubmissionId) -> Result<Option<Vec<u8>>, Failure> {
        Ok(self.column::<Option<Vec<u8>>>("SELECT input FROM submissions WHERE id = ?1", id)?.flatten())
    }

    /// Returns the report of a submission; `None` if it was not judged or does not exist.
    pub(super) fn report(&self, id: &SubmissionId) -> Result<Option<RunReport>, Failure> {
        let text = self.column::<Option<String>>("SELECT report FROM submissions WHERE id = ?1", id)?.flatten();
        let read = |text: String| {
            serde_json::from_str(&text).map_err(|error| {
                let message =
                    format!("cannot read the report of submission `{id}` in `{}`: {error}", self.path().display());
                Failure::fault(FaultKind::Data, message)
            })
        };
        text.map(read).transpose()
    }

    fn column<T: FromSql>(&self, sql: &str, id: &SubmissionId) -> Result<Option<T>, Failure> {
        self.read(|connection| connection.prepare_cached(sql)?.query_row([id.as_str()], |row| row.get(0)).optional())
    }

    /// Returns the events of a submission that follow the event with the number `after`, or all events if `after` is
    /// `None`; at most [`PAGE`] per call.
    pub(super) fn events_after(&self, id: &SubmissionId, after: Option<u64>) -> Result<EventsPage, Failure> {
        let after = after.map_or(-1, |after| i64::try_from(after).unwrap_or(i64::MAX));
        self.read(|connection| {
            // The state and the events are read in one transaction, so that they match.
            let snapshot = connection.unchecked_transaction()?;
            let head = |row: &Row<'_>| Ok((row.get::<_, i64>(0)?, state(row, 1)?));
            let found = snapshot
                .prepare_cached("SELECT number, state FROM submissions WHERE id = ?1")?
                .query_row([id.as_str()], head)
                .optional()?;
            let Some((submission, state)) = found else {
                return Ok(EventsPage { events: Vec::new(), ended: true });
            };
            let sql = "SELECT number, json FROM events WHERE submission = ?1 AND number > ?2 ORDER BY number LIMIT ?3";
            let event =
                |row: &Row<'_>| Ok(StoredEvent { number: row.get::<_, i64>(0)?.cast_unsigned(), json: row.get(1)? });
            let values = params![submission, after, PAGE];
            let events: Vec<StoredEvent> =
                snapshot.prepare_cached(sql)?.query_map(values, event)?.collect::<rusqlite::Result<_>>()?;
            let ended = state.ended() && events.len() < PAGE as usize;
            Ok(EventsPage { events, ended })
        })
    }

    /// Returns the stored log of a submission, with `None` for an event that this version can't read.
    pub(super) fn log(&self, id: &SubmissionId) -> Result<Vec<Option<EventKind>>, Failure> {
        let sql = "SELECT json FROM events JOIN submissions ON submissions.number = submission WHERE id = ?1
            ORDER BY events.number";
        let kind = |row: &Row<'_>| {
            let json: String = row.get(0)?;
            Ok(serde_json::from_str::<Event>(&json).ok().map(|event| event.kind))
        };
        self.read(|connection| connection.prepare_cached(sql)?.query_map([id.as_str()], kind)?.collect())
    }

    /// Returns the submission with this id as it was submitted; `None` if there is none.
    pub(super) fn submitted(&self, id: &SubmissionId) -> Result<Option<NewSubmission>, Failure> {
        let sql =
            "SELECT person, problem, name, language, kind, priority, source, input FROM submissions WHERE id = ?1";
        let submitted = |row: &Row<'_>| {
            Ok(NewSubmission {
                person: row.get(0)?,
                problem: problem(row, 1)?,
                name: row.get(2)?,
                language: row.get(3)?,
                kind: named(row, 4, &SubmissionKind::ALL, SubmissionKind::name)?,
                priority: named(row, 5, &Priority::ALL, Priority::name)?,
                source: row.get(6)?,
                input: row.get(7)?,
            })
        };
        self.read(|connection| connection.prepare_cached(sql)?.query_row([id.as_str()], submitted).optional())
    }

    /// Returns the queued and running submissions, the oldest first, and for each whether its cancellation was
    /// requested.
    pub(super) fn queued(&self) -> Result<Vec<(QueueEntry, bool)>, Failure> {
        let sql = "SELECT id, person, priority, cancel_requested FROM submissions
            WHERE state IN ('queued', 'running') ORDER BY number";
        let entry = |row: &Row<'_>| {
            let priority = named(row, 2, &Priority::ALL, Priority::name)?;
            Ok((QueueEntry { id: id(row, 0)?, person: row.get(1)?, priority }, row.get(3)?))
        };
        self.read(|connection| connection.prepare_cached(sql)?.query_map([], entry)?.collect())
    }
}

/// Returns the `WHERE` clause of a filter in SQL, and the values of its parameters.
fn conditions(filter: &SubmissionFilter) -> (String, Vec<Box<dyn ToSql>>) {
    let mut conditions: Vec<&str> = Vec::new();
    let mut values: Vec<Box<dyn ToSql>> = Vec::new();
    let mut add = |condition, value: Option<Box<dyn ToSql>>| {
        if let Some(value) = value {
            conditions.push(condition);
            values.push(value);
        }
    };
    let text = |text: &str| Box::new(text.to_owned()) as Box<dyn ToSql>;
    add("person = ?", filter.person.as_deref().map(text));
    add("problem = ?", filter.problem.as_ref().map(|problem| text(problem.as_str())));
    add("kind = ?", filter.kind.map(|kind| text(kind.name())));
    add("state = ?", filter.state.map(|state| text(state.name())));
    let before = "number < (SELECT number FROM submissions WHERE id = ?)";
    add(before, filter.before.as_ref().map(|id| text(id.as_str())));
    let conditions = if conditions.is_empty() { String::new() } else { format!("WHERE {}", conditions.join(" AND ")) };
    (conditions, values)
}

fn stored(row: &Row<'_>) -> rusqlite::Result<StoredSubmission> {
    Ok(StoredSubmission {
        id: id(row, 0)?,
        person: row.get(1)?,
        problem: problem(row, 2)?,
        name: row.get(3)?,
        language: row.get(4)?,
        kind: named(row, 5, &SubmissionKind::ALL, SubmissionKind::name)?,
        priority: named(row, 6, &Priority::ALL, Priority::name)?,
        created: row.get(7)?,
        started: row.get(8)?,
        ended: row.get(9)?,
        state: state(row, 10)?,
        verdict: verdict(row, 11)?,
        score: points(row, 12)?,
        max_score: points(row, 13)?,
        error: row.get(14)?,
    })
}

fn points(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<Score>> {
    Ok(row.get::<_, Option<i64>>(column)?.map(|points| Score::thousandths(points.cast_unsigned())))
}

fn state(row: &Row<'_>, column: usize) -> rusqlite::Result<JudgingState> {
    named(row, column, &JudgingState::ALL, JudgingState::name)
}

fn verdict(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<Verdict>> {
    match row.get::<_, Option<String>>(column)? {
        None => Ok(None),
        Some(_) => named(row, column, &Verdict::ALL, Verdict::short).map(Some),
    }
}

fn id(row: &Row<'_>, column: usize) -> rusqlite::Result<SubmissionId> {
    row.get::<_, String>(column)?.parse().map_err(|error| unreadable(column, error))
}

fn problem(row: &Row<'_>, column: usize) -> rusqlite::Result<ProblemId> {
    row.get::<_, String>(column)?.parse().map_err(|error| unreadable(column, error))
}

/// Returns the value in `all` whose name is stored in `column`.
fn named<T: Copy>(row: &Row<'_>, column: usize, all: &[T], name: fn(T) -> &'static str) -> rusqlite::Result<T> {
    let text = row.get::<_, String>(column)?;
    let unknown = || unreadable(column, format!("unknown value `{text}`"));
    all.iter().copied().find(|value| name(*value) == text).ok_or_else(unknown)
}

fn unreadable(column: usize, error: impl Into<Box<dyn std::error::Error + Send + Sync + 'static>>) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Text, error.into())
}
