//! Database of the people: assignments and settings.

use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::model::{Diagnostic, Failure};
use crate::submissions::random_text;

use super::{Assignment, AssignmentDraft, PeopleStore};

/// Name of the setting that restricts students to the problems of their assignments.
const RESTRICTED: &str = "restricted";
/// The columns that [`assignment`] reads.
const COLUMNS: &str = "id, name, start_ms, end_ms, late, feedback, problems";

impl PeopleStore {
    /// Returns all assignments, sorted by their end, the latest first.
    ///
    /// # Errors
    /// Fails if the database can't be read.
    pub fn assignments(&self) -> Result<Vec<Assignment>, Failure> {
        let sql = format!("SELECT {COLUMNS} FROM assignments ORDER BY end_ms DESC, name");
        self.read(|db| db.prepare_cached(&sql)?.query_map([], assignment)?.collect())
    }

    /// Returns the assignment with this id; `None` if there is none.
    ///
    /// # Errors
    /// Fails if the database can't be read.
    pub fn assignment(&self, id: &str) -> Result<Option<Assignment>, Failure> {
        let sql = format!("SELECT {COLUMNS} FROM assignments WHERE id = ?1");
        self.read(|db| db.prepare_cached(&sql)?.query_row([id], assignment).optional())
    }

    /// Adds an assignment.
    ///
    /// # Errors
    /// Fails if the settings are invalid, if the database can't be written, or if the system provides no random
    /// numbers.
    pub fn add_assignment(&self, draft: AssignmentDraft) -> Result<Assignment, Failure> {
        let made = Assignment { id: random_text()?, draft: draft.checked()? };
        self.write(|batch| Ok(Ok(put(batch, &made)?)))?;
        Ok(made)
    }

    /// Replaces the settings of an assignment.
    ///
    /// # Errors
    /// Fails if there is no assignment with this id, if the settings are invalid, or if the database can't be written.
    pub fn change_assignment(&self, id: &str, draft: AssignmentDraft) -> Result<Assignment, Failure> {
        let changed = Assignment { id: id.to_owned(), draft: draft.checked()? };
        self.write(|batch| {
            if !batch.query_row("SELECT count(*) > 0 FROM assignments WHERE id = ?1", [id], |row| row.get(0))? {
                return Ok(Err(Diagnostic::new(format!("there is no assignment with the id `{id}`"))));
            }
            Ok(Ok(put(batch, &changed)?))
        })?;
        Ok(changed)
    }

    /// Removes an assignment. The submissions to its problems are not removed. Returns false if there is no assignment
    /// with this id.
    ///
    /// # Errors
    /// Fails if the database can't be written.
    pub fn remove_assignment(&self, id: &str) -> Result<bool, Failure> {
        self.write(|batch| Ok(Ok(batch.execute("DELETE FROM assignments WHERE id = ?1", [id])? > 0)))
    }

    /// Returns whether students see only the problems of assignments that have started.
    ///
    /// # Errors
    /// Fails if the database can't be read.
    pub fn is_restricted(&self) -> Result<bool, Failure> {
        let sql = "SELECT value = 'true' FROM settings WHERE name = ?1";
        let found = self.read(|db| db.prepare_cached(sql)?.query_row([RESTRICTED], |row| row.get(0)).optional())?;
        Ok(found.unwrap_or(false))
    }

    /// Sets whether students see only the problems of assignments that have started.
    ///
    /// # Errors
    /// Fails if the database can't be written.
    pub fn set_restricted(&self, restricted: bool) -> Result<(), Failure> {
        let sql = "INSERT OR REPLACE INTO settings VALUES (?1, ?2)";
        self.write(|batch| Ok(Ok(batch.execute(sql, params![RESTRICTED, restricted.to_string()])?)))?;
        Ok(())
    }
}

fn put(db: &Connection, assignment: &Assignment) -> rusqlite::Result<()> {
    let AssignmentDraft { name, problems, start, end, late, feedback } = &assignment.draft;
    let sql = "INSERT OR REPLACE INTO assignments (id, name, start_ms, end_ms, late, feedback, problems)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    let values = params![assignment.id, name, start, end, json(late)?, json(feedback)?, json(problems)?];
    db.prepare_cached(sql)?.execute(values).map(drop)
}

fn assignment(row: &Row<'_>) -> rusqlite::Result<Assignment> {
    let draft = AssignmentDraft {
        name: row.get(1)?,
        start: row.get(2)?,
        end: row.get(3)?,
        late: value(row, 4)?,
        feedback: value(row, 5)?,
        problems: value(row, 6)?,
    };
    Ok(Assignment { id: row.get(0)?, draft })
}

fn json(value: &impl Serialize) -> rusqlite::Result<String> {
    serde_json::to_string(value).map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))
}

fn value<T: DeserializeOwned>(row: &Row<'_>, column: usize) -> rusqlite::Result<T> {
    serde_json::from_str(&row.get::<_, String>(column)?)
        .map_err(|error| rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Text, error.into()))
}
