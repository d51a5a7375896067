//! The tables of a class's store for overrides of marks, the log of actions, programs to judge again, numbered events,
//! and settings.

use rusqlite::params;
use schemars::JsonSchema;
use serde::Serialize;

use crate::model::{Digest, Failure, ProblemId, Score};

use super::gradebook::MarkingRules;
use super::marks::Override;
use super::policy::decimal;
use super::store::GradeStore;

/// SQL that creates the tables of this module.
pub(super) const TABLES: &str = "
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE overrides (student TEXT NOT NULL, problem TEXT NOT NULL, mark TEXT, comment TEXT,
    PRIMARY KEY (student, problem)) WITHOUT ROWID;
CREATE TABLE actions (id INTEGER PRIMARY KEY, at INTEGER NOT NULL, who TEXT NOT NULL, what TEXT NOT NULL,
    student TEXT, problem TEXT, was TEXT, now TEXT, why TEXT NOT NULL, undone INTEGER NOT NULL DEFAULT 0);
CREATE TABLE again (key TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE events (number INTEGER PRIMARY KEY, json TEXT NOT NULL);
";

/// The kind of the action that overrides a mark.
const OVERRIDE: &str = "override";
/// Maximum number of log entries that are returned.
const MOST_ENTRIES: u32 = 2_000;

/// An override of a mark by a teacher.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StoredOverride {
    /// The student.
    pub student: String,
    /// The problem, or the criterion of the rubric.
    pub problem: String,
    /// The mark; `None` to keep the computed mark.
    pub mark: Option<Score>,
    /// The comment for the student; `None` if there is none.
    pub comment: Option<String>,
}

/// An entry of the log: an action of a person, or a change to a published mark.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "LogEntryView")]
pub struct Action {
    /// Number of the entry, unique among entries of the same kind; 0 before the entry is stored.
    pub id: i64,
    /// Time of the entry, in seconds since the Unix epoch.
    pub at: i64,
    /// The person who acted; empty for a change to a published mark.
    pub who: String,
    /// Kind: `created`, `started`, `paused`, `resumed`, `override`, `undo`, `rejudge`, `rules`, `roster` or `mark`.
    pub what: String,
    /// The student concerned; `None` if the entry concerns no single student.
    pub student: Option<String>,
    /// The problem, a criterion of the rubric, or `total`; `None` if the entry concerns none of these.
    pub problem: Option<String>,
    /// Value before the change; `None` if there was none.
    pub before: Option<String>,
    /// Value after the change; `None` if there is none.
    pub after: Option<String>,
    /// Reason for the action or change.
    pub reason: String,
    /// Whether the override was undone.
    pub undone: bool,
}

impl GradeStore {
    /// Returns a setting of the class, or `None` if it was never set.
    ///
    /// # Errors
    /// Returns [`Failure::Fault`] if the store can't be read.
    pub fn setting(&self, name: &str) -> Result<Option<String>, Failure> {
        self.ask("SELECT value FROM settings WHERE name = ?1", [name])
    }

    /// Stores a setting of the class.
    ///
    /// # Errors
    /// Returns [`Failure::Fault`] if the store can't be written.
    pub fn set(&self, name: &str, value: &str) -> Result<(), Failure> {
        self.run("INSERT OR REPLACE INTO settings VALUES (?1, ?2)", [name, value])
    }

    /// Returns all overrides, sorted by student and problem.
    ///
    /// # Errors
    /// Returns [`Failure::Fault`] if the store can't be read.
    pub fn overrides(&self) -> Result<Vec<StoredOverride>, Failure> {
        let sql = "SELECT student, problem, mark, comment FROM overrides ORDER BY student, problem";
        self.rows(sql, [], |row| {
            let mark: Option<String> = row.get(2)?;
            Ok(StoredOverride {
                student: row.get(0)?,
                problem: row.get(1)?,
                mark: mark.as_deref().and_then(decimal),
                comment: row.get(3)?,
            })
        })
    }

    /// Overrides a mark, and records the person and the reason.
    ///
    /// # Errors
    /// Returns [`Failure::Fault`] if the store can't be written.
    pub fn override_mark(&self, new: &StoredOverride, who: &str, why: &str, at: i64) -> Result<(), Failure> {
        self.at_once(|store| {
            let was = store.overridden(&new.student, &new.problem)?;
            store.write_override(new)?;
            store.act(&Action {
                at,
                who: who.to_owned(),
                what: OVERRIDE.to_owned(),
                student: Some(new.student.clone()),
                problem: Some(new.problem.clone()),
                before: was.as_ref().map(written),
                after: Some(written(new)),
                reason: why.to_owned(),
                ..Action::default()
            })
        })
    }

    /// Undoes the latest override of a mark, and restores the previous override, if any. Returns false if the mark has
    /// no override.
    ///
    /// # Errors
    /// Returns [`Failure::Fault`] if the store can't be written.
    pub fn undo_override(&self, student: &str, problem: &str, who: &str, at: i64) -> Result<bool, Failure> {
        self.at_once(|store| {
            let sql =
                "SELECT id, was, now FROM actions WHERE what = ?1 AND student = ?2 AND problem = ?3 AND undone = 0
                       ORDER BY id DESC LIMIT 1";
            let last = store.rows(sql, params![OVERRIDE, student, problem], |row| {
                Ok((row.get::<_, i64>(0)?, row.get::<_, Option<String>>(1)?, row.get::<_, Option<String>>(2)?))
            })?;
            let Some((id, was, now)) = last.into_iter().next() else { return Ok(false) };
            match was.as_deref().map(read) {
                Some((mark, comment)) => {
                    let (student, problem) = (student.to_owned(), problem.to_owned());
                    store.write_override(&StoredOverride { student, problem, mark, comment })?;
                }
                None => store.run("DELETE FROM overrides WHERE student = ?1 AND problem = ?2", [student, problem])?,
            }
            store.run("UPDATE actions SET undone = 1 WHERE id = ?1", [id])?;
            store.act(&Action {
                at,
                who: who.to_owned(),
                what: "undo".to_owned(),
                student: Some(student.to_owned()),
                problem: Some(problem.to_owned()),
                before: now,
                after: was,
                ..Action::default()
            })?;
            Ok(true)
        })
    }

    fn overridden(&self, student: &str, problem: &str) -> Result<Option<StoredOverride>, Failure> {
        Ok(self.overrides()?.into_iter().find(|stored| stored.student == student && stored.problem == problem))
    }

    fn write_override(&self, new: &StoredOverride) -> Result<(), Failure> {
        let mark = new.mark.map(|mark| mark.to_string());
        let sql = "INSERT OR REPLACE INTO overrides VALUES (?1, ?2, ?3, ?4)";
        self.run(sql, params![new.student, new.problem, mark, new.comment])
    }

    /// Records an action.
    ///
    /// # Errors
    /// Returns [`Failure::Fault`] if the store can't be written.
    pub fn act(&self, action: &Action) -> Result<(), Failure> {
        let Action { at, who, what, student, problem, before, after, reason, .. } = action;
        let sql = "INSERT INTO actions (at, who, what, student, problem, was, now, why)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
        self.run(sql, params![at, who, what, student, problem, before, after, reason])
    }

    /// Returns the latest actions and changes to published marks, the newest first; at most 2,000 entries.
    ///
    /// # Errors
    /// Returns [`Failure::Fault`] if the store can't be read.
    pub fn history(&self) -> Result<Vec<Action>, Failure> {
        let sql = "SELECT id, at, who, what, student, problem, was, now, why, undone FROM actions
                   UNION ALL
                   SELECT id, at, '', 'mark', student, problem, was, now, why, 0 FROM log WHERE was IS NOT NULL
                   ORDER BY at DESC, id DESC LIMIT ?1";
        self.rows(sql, [MOST_ENTRIES], |row| {
            Ok(Action {
                id: row.get(0)?,
                at: row.get(1)?,
                who: row.get(2)?,
                what: row.get(3)?,
                student: row.get(4)?,
                problem: row.get(5)?,
                before: row.get(6)?,
                after: row.get(7)?,
                reason: row.get(8)?,
                undone: row.get(9)?,
            })
        })
    }

    /// Requests that the programs with these keys be judged again. The old results count until the programs have been
    /// judged again.
    ///
    /// # Errors
    /// Returns [`Failure::Fault`] if the store can't be written.
    pub fn judge_again(&self, keys: &[Digest]) -> Result<(), Failure> {
        self.at_once(|store| {
            keys.iter().try_for_each(|key| store.run("INSERT OR IGNORE INTO again VALUES (?1)", [key.to_string()]))
        })
    }

    /// Returns the keys of the programs to judge again.
    ///
    /// # Errors
    /// Returns [`Failure::Fault`] if the store can't be read.
    pub fn to_judge_again(&self) -> Result<Vec<Digest>, Failure> {
        let keys = self.rows("SELECT key FROM again", [], |row| row.get::<_, String>(0))?;
        Ok(keys.iter().filter_map(|key| key.parse().ok()).collect())
    }

    /// Records that the program with this key was judged again.
    ///
    /// # Errors
    /// Returns [`Failure::Fault`] if the store can't be written.
    pub fn judged_again(&self, key: &Digest) -> Result<(), Failure> {
        self.run("DELETE FROM again WHERE key = ?1", [key.to_string()])
    }

    /// Appends events, and assigns consecutive numbers to them.
    ///
    /// # Errors
    /// Returns [`Failure::Fault`] if the store can't be written.
    pub fn append_events(&self, events: &[String]) -> Result<(), Failure> {
        let sql = "INSERT INTO events SELECT COALESCE(MAX(number) + 1, 0), ?1 FROM events";
        events.iter().try_for_each(|json| self.run(sql, [json]))
    }

    /// Returns the number of the last event, or `None` if there is none.
    ///
    /// # Errors
    /// Returns [`Failure::Fault`] if the store can't be read.
    pub fn last_event(&self) -> Result<Option<u64>, Failure> {
        let last: Option<Option<i64>> = self.ask("SELECT MAX(number) FROM events", [])?;
        Ok(last.flatten().map(i64::unsigned_abs))
    }

    /// Returns at most `most` events after the number `after`, or starting with the first event if `after` is `None`.
    /// The numbers of events are consecutive.
    ///
    /// # Errors
    /// Returns [`Failure::Fault`] if the store can't be read.
    pub fn events_after(&self, after: Option<u64>, most: u32) -> Result<Vec<(u64, String)>, Failure> {
        let after = after.map_or(-1, |after| i64::try_from(after).unwrap_or(i64::MAX));
        let sql = "SELECT number, json FROM events WHERE number > ?1 ORDER BY number LIMIT ?2";
        self.rows(sql, params![after, most], |row| Ok((row.get::<_, i64>(0)?.unsigned_abs(), row.get(1)?)))
    }
}

/// Formats an override for the log: the mark, or `-` if there is none, then a space and the comment.
fn written(stored: &StoredOverride) -> String {
    let mark = stored.mark.map_or_else(|| "-".to_owned(), |mark| mark.to_string());
    match &stored.comment {
        Some(comment) => format!("{mark} {comment}"),
        None => mark,
    }
}

/// Parses the mark and the comment of an override from a string that [`written`] returned.
fn read(text: &str) -> (Option<Score>, Option<String>) {
    let (mark, comment) = text.split_once(' ').map_or((text, None), |(mark, comment)| (mark, Some(comment)));
    (decimal(mark), comment.map(str::to_owned))
}

/// Adds `overrides` to the manual marks in `rules`. An override replaces the student's existing manual mark for the
/// same problem or criterion of the rubric.
pub fn add_overrides(rules: &mut MarkingRules, overrides: &[StoredOverride], problems: &[ProblemId]) {
    let MarkingRules { policy, overlay, .. } = rules;
    for StoredOverride { student, problem, mark, comment } in overrides {
        let by_hand = overlay.entry(student.clone()).or_default();
        by_hand.rubric.resize(policy.rubric.len(), None);
        if let Some(index) = problems.iter().position(|id| id.as_str() == problem) {
            by_hand.problems.insert(index, Override { mark: *mark, comment: comment.clone() });
        } else if let Some(index) = policy.rubric.iter().position(|(name, _)| name == problem) {
            by_hand.rubric[index] = *mark;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(mark: u32, comment: Option<&str>) -> StoredOverride {
        StoredOverride {
            student: "Zoë".to_owned(),
            problem: "nim".to_owned(),
            mark: Some(Score::points(mark)),
            comment: comment.map(str::to_owned),
        }
    }

    #[test]
    fn override_is_undone_step_by_step_and_logged() {
        let store = GradeStore::in_memory().unwrap();
        assert!(!store.undo_override("Zoë", "nim", "t", 1).unwrap());
        store.override_mark(&given(40, Some("partly right, see line 3")), "ann", "appeal", 2).unwrap();
        store.override_mark(&given(60, None), "bob", "second look", 3).unwrap();
        assert_eq!(store.overrides().unwrap(), [given(60, None)]);
        assert!(store.undo_override("Zoë", "nim", "ann", 4).unwrap());
        assert_eq!(store.overrides().unwrap(), [given(40, Some("partly right, see line 3"))]);
        assert!(store.undo_override("Zoë", "nim", "ann", 5).unwrap());
        assert_eq!(store.overrides().unwrap(), []);
        assert!(!store.undo_override("Zoë", "nim", "ann", 6).unwrap());
        let log: Vec<(String, String, bool)> =
            store.history().unwrap().into_iter().map(|action| (action.who, action.what, action.undone)).collect();
        let entry = |who: &str, what: &str, undone| (who.to_owned(), what.to_owned(), undone);
        let expected =
            [("ann", "undo", false), ("ann", "undo", false), ("bob", "override", true), ("ann", "override", true)];
        assert_eq!(log, expected.map(|(who, what, undone)| entry(who, what, undone)));
    }

    #[test]
    fn events_are_numbered_without_gaps() {
        let store = GradeStore::in_memory().unwrap();
        store.append_events(&["a".to_owned(), "b".to_owned()]).unwrap();
        store.append_events(&["c".to_owned()]).unwrap();
        assert_eq!(store.events_after(None, 2).unwrap(), [(0, "a".to_owned()), (1, "b".to_owned())]);
        assert_eq!(store.events_after(Some(1), 9).unwrap(), [(2, "c".to_owned())]);
        assert_eq!(store.events_after(Some(u64::MAX), 9).unwrap(), []);
    }

    #[test]
    fn programs_are_judged_again_once() {
        let store = GradeStore::in_memory().unwrap();
        let key = Digest::of(b"key");
        store.judge_again(&[key, key]).unwrap();
        assert_eq!(store.to_judge_again().unwrap(), [key]);
        store.judged_again(&key).unwrap();
        assert_eq!(store.to_judge_again().unwrap(), []);
    }
}
