//! The database of the people: accounts, sessions, tokens and invitations.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, Row, Transaction, TransactionBehavior, params};

use crate::database;
use crate::model::{Diagnostic, Failure};
use crate::submissions::random_text;

use super::account::checked_name;
use super::{
    Account, Invitation, NewAccount, NewInvitation, PasswordHash, PersonRole, PersonalToken, SessionTimes, secret_hash,
};

/// Name of the database in the data folder.
pub const PEOPLE_FILE: &str = "people.sqlite";

/// The steps that create and upgrade the tables.
const MIGRATIONS: &[&str] = &["
CREATE TABLE people (
    id TEXT PRIMARY KEY, login TEXT NOT NULL UNIQUE, name TEXT NOT NULL, role TEXT NOT NULL, password TEXT NOT NULL,
    disabled INTEGER NOT NULL DEFAULT 0, created_ms INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE sessions (
    hash TEXT PRIMARY KEY, person TEXT NOT NULL REFERENCES people (id), created_ms INTEGER NOT NULL, seen_ms INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX sessions_by_person ON sessions (person);
CREATE TABLE tokens (
    hash TEXT PRIMARY KEY, id TEXT NOT NULL UNIQUE, person TEXT NOT NULL REFERENCES people (id), name TEXT NOT NULL,
    created_ms INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE invitations (
    hash TEXT PRIMARY KEY, id TEXT NOT NULL UNIQUE, role TEXT NOT NULL, name TEXT, person TEXT REFERENCES people (id),
    single_use INTEGER NOT NULL, expires_ms INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE assignments (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, start_ms INTEGER NOT NULL, end_ms INTEGER NOT NULL, late TEXT NOT NULL,
    feedback TEXT NOT NULL, problems TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
"];
/// Advice for a database of a newer version.
const ADVICE: &str = "use a newer nimatron, or choose another folder with --data";
/// Time to wait for another process that reads or writes.
const BUSY: Duration = Duration::from_secs(5);
/// A session's last use is written at most once in this time, in milliseconds.
const SEEN_INTERVAL: i64 = 60_000;
/// How long an invitation lasts, in milliseconds.
const INVITATION_MS: i64 = 30 * 24 * 3_600_000;
/// Maximum number of tokens of a person.
const MOST_TOKENS: i64 = 20;

/// The columns of [`account`].
const ACCOUNT: &str = "people.id, login, people.name, role, disabled, people.created_ms";

/// The people of a data folder, in an SQLite database.
#[derive(Debug)]
pub struct PeopleStore {
    path: PathBuf,
    connection: Mutex<Connection>,
}

impl PeopleStore {
    /// Opens the store in this folder, and creates both if necessary. Only its owner can read it.
    ///
    /// # Errors
    /// Fails if the folder can't be written, or if the file is damaged or of a newer version.
    pub fn open(folder: &Path) -> Result<PeopleStore, Failure> {
        fs_err::create_dir_all(folder).map_err(|error| Failure::user_file(&error))?;
        let path = folder.join(PEOPLE_FILE);
        database::create_private(&path)?;
        let connect = || {
            let connection = Connection::open(&path)?;
            connection.busy_timeout(BUSY)?;
            connection.pragma_update(None, "journal_mode", "WAL")?;
            connection.pragma_update(None, "synchronous", "FULL")?;
            connection.pragma_update(None, "foreign_keys", true)?;
            Ok(connection)
        };
        let mut connection = connect().map_err(|error| database::fault(&path, &error))?;
        database::migrate(&mut connection, &path, (MIGRATIONS, ADVICE), |_| Ok(()))?;
        Ok(PeopleStore { path, connection: Mutex::new(connection) })
    }

    pub(super) fn read<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, Failure> {
        let connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        work(&connection).map_err(|error| database::fault(&self.path, &error))
    }

    /// Runs `work` in a transaction. A complaint rolls it back.
    pub(super) fn write<T>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<Result<T, Diagnostic>>,
    ) -> Result<T, Failure> {
        let mut connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        let done = connection.transaction_with_behavior(TransactionBehavior::Immediate).and_then(|batch| {
            let value = work(&batch)?;
            if value.is_ok() {
                batch.commit()?;
            }
            Ok(value)
        });
        done.map_err(|error| database::fault(&self.path, &error))?.map_err(Failure::from)
    }

    /// Whether there is no account yet.
    ///
    /// # Errors
    /// Fails if the database can't be read.
    pub fn is_empty(&self) -> Result<bool, Failure> {
        self.read(|db| db.query_row("SELECT count(*) = 0 FROM people", [], |row| row.get(0)))
    }

    /// All accounts, sorted by name.
    ///
    /// # Errors
    /// Fails if the database can't be read.
    pub fn accounts(&self) -> Result<Vec<Account>, Failure> {
        let sql = format!("SELECT {ACCOUNT} FROM people ORDER BY lower(name), login");
        self.read(|db| db.prepare_cached(&sql)?.query_map([], account)?.collect())
    }

    /// The account of this id.
    ///
    /// # Errors
    /// Fails if the database can't be read.
    pub fn account(&self, id: &str) -> Result<Option<Account>, Failure> {
        let sql = format!("SELECT {ACCOUNT} FROM people WHERE id = ?1");
        self.read(|db| db.prepare_cached(&sql)?.query_row([id], account).optional())
    }

    /// The account of a login that is not disabled, with its password.
    ///
    /// # Errors
    /// Fails if the database can't be read.
    pub fn login(&self, login: &str) -> Result<Option<(Account, PasswordHash)>, Failure> {
        let sql = format!("SELECT {ACCOUNT}, password FROM people WHERE login = ?1 AND NOT disabled");
        let login = login.trim().to_ascii_lowercase();
        let row = |row: &Row<'_>| Ok((account(row)?, PasswordHash::stored(row.get(6)?)));
        self.read(|db| db.prepare_cached(&sql)?.query_row([login], row).optional())
    }

    /// Makes the first account, of a teacher.
    ///
    /// # Errors
    /// Fails if there are accounts, or if the database can't be written.
    pub fn set_up(&self, new: &NewAccount, password: &PasswordHash, now: i64) -> Result<Account, Failure> {
        let id = random_text()?;
        self.write(|batch| {
            if batch.query_row("SELECT count(*) > 0 FROM people", [], |row| row.get(0))? {
                return Ok(Err(Diagnostic::new("the class has been set up already").help("log in, or ask a teacher")));
            }
            insert(batch, (&id, PersonRole::Teacher), new, password, now)
        })
    }

    /// Makes invitations, and returns each with its code. They last thirty days.
    ///
    /// # Errors
    /// Fails if the database can't be written.
    pub fn invite(&self, invitations: &[NewInvitation], now: i64) -> Result<Vec<(Invitation, String)>, Failure> {
        let mut made = Vec::new();
        for new in invitations {
            let NewInvitation { role, name, person, single_use } = new.clone();
            let expires = now + INVITATION_MS;
            made.push((Invitation { id: random_text()?, role, name, person, single_use, expires }, random_text()?));
        }
        self.write(|batch| {
            let sql = "INSERT INTO invitations VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
            for (new, code) in &made {
                let Invitation { id, role, name, person, single_use, expires } = new;
                let values = params![secret_hash(code), id, role.name(), name, person, single_use, expires];
                batch.prepare_cached(sql)?.execute(values)?;
            }
            Ok(Ok(()))
        })?;
        Ok(made)
    }

    /// The invitations that can be accepted.
    ///
    /// # Errors
    /// Fails if the database can't be read.
    pub fn invitations(&self, now: i64) -> Result<Vec<Invitation>, Failure> {
        let sql = format!("{INVITATION} WHERE expires_ms > ?1 ORDER BY name, id");
        self.read(|db| db.prepare_cached(&sql)?.query_map([now], invitation)?.collect())
    }

    /// The invitation with this code, if it can be accepted.
    ///
    /// # Errors
    /// Fails if the database can't be read.
    pub fn invitation(&self, code: &str, now: i64) -> Result<Option<Invitation>, Failure> {
        self.read(|db| find_invitation(db, code, now))
    }

    /// Revokes an invitation. Returns whether there was one.
    ///
    /// # Errors
    /// Fails if the database can't be written.
    pub fn revoke_invitation(&self, id: &str) -> Result<bool, Failure> {
        self.write(|batch| Ok(Ok(batch.execute("DELETE FROM invitations WHERE id = ?1", [id])? > 0)))
    }

    /// Accepts an invitation: makes an account, or sets the password of the account anew for which the invitation is, which
    /// ends its sessions. `name` counts only if the invitation has none.
    ///
    /// # Errors
    /// Fails if there is no such invitation any more, if the login is taken, or if the database can't be written.
    pub fn join(
        &self,
        code: &str,
        (login, name): (&str, &str),
        password: &PasswordHash,
        now: i64,
    ) -> Result<Account, Failure> {
        let id = random_text()?;
        self.write(|batch| {
            let Some(invitation) = find_invitation(batch, code, now)? else {
                return Ok(Err(
                    Diagnostic::new("this invitation is not valid any more").help("ask your teacher for a new link")
                ));
            };
            if invitation.single_use {
                batch.execute("DELETE FROM invitations WHERE id = ?1", [&invitation.id])?;
            }
            if let Some(person) = &invitation.person {
                batch.execute("UPDATE people SET password = ?2 WHERE id = ?1", params![person, password.as_str()])?;
                batch.execute("DELETE FROM sessions WHERE person = ?1", [person])?;
                batch.execute("DELETE FROM tokens WHERE person = ?1", [person])?;
                let sql = format!("SELECT {ACCOUNT} FROM people WHERE id = ?1");
                return batch.query_row(&sql, [person], account).map(Ok);
            }
            match NewAccount::new(login, invitation.name.as_deref().unwrap_or(name)) {
                Ok(new) => insert(batch, (&id, invitation.role), &new, password, now),
                Err(complaint) => Ok(Err(complaint)),
            }
        })
    }

    /// Changes the role of a person, or whether they may log in. Both end the sessions and tokens of the person.
    ///
    /// # Errors
    /// Fails if there is no such person, if no teacher would be left, or if the database can't be written.
    pub fn change(&self, id: &str, role: Option<PersonRole>, disabled: Option<bool>) -> Result<Account, Failure> {
        self.write(|batch| {
            let sql = "UPDATE people SET role = coalesce(?2, role), disabled = coalesce(?3, disabled) WHERE id = ?1";
            if batch.execute(sql, params![id, role.map(PersonRole::name), disabled])? == 0 {
                return Ok(Err(Diagnostic::new("there is no such person")));
            }
            let left = "SELECT count(*) > 0 FROM people WHERE role = 'teacher' AND NOT disabled";
            if !batch.query_row(left, [], |row| row.get::<_, bool>(0))? {
                return Ok(Err(Diagnostic::new("the class would have no teacher")));
            }
            batch.execute("DELETE FROM sessions WHERE person = ?1", [id])?;
            if disabled == Some(true) {
                batch.execute("DELETE FROM tokens WHERE person = ?1", [id])?;
            }
            batch.query_row(&format!("SELECT {ACCOUNT} FROM people WHERE id = ?1"), [id], account).map(Ok)
        })
    }

    /// Sets the password of a person, and ends their other sessions.
    ///
    /// # Errors
    /// Fails if the database can't be written.
    pub fn set_password(&self, id: &str, password: &PasswordHash, keep: Option<&str>) -> Result<(), Failure> {
        self.write(|batch| {
            batch.execute("UPDATE people SET password = ?2 WHERE id = ?1", params![id, password.as_str()])?;
            let keep = keep.map(secret_hash).unwrap_or_default();
            batch.execute("DELETE FROM sessions WHERE person = ?1 AND hash <> ?2", params![id, keep])?;
            Ok(Ok(()))
        })
    }

    /// Starts a session, and returns its id, which is a secret. Sessions that have ended are removed.
    ///
    /// # Errors
    /// Fails if the database can't be written.
    pub fn start_session(&self, person: &str, now: i64) -> Result<String, Failure> {
        let secret = random_text()?;
        self.write(|batch| {
            let ended: Vec<String> = batch
                .prepare_cached("SELECT hash, created_ms, seen_ms FROM sessions")?
                .query_map([], |row| Ok((row.get(0)?, SessionTimes { created: row.get(1)?, seen: row.get(2)? })))?
                .filter_map(|row| row.ok().filter(|(_, times)| !times.is_live(now)).map(|(hash, _)| hash))
                .collect();
            for hash in ended {
                batch.execute("DELETE FROM sessions WHERE hash = ?1", [hash])?;
            }
            batch
                .execute("INSERT INTO sessions VALUES (?1, ?2, ?3, ?3)", params![secret_hash(&secret), person, now])?;
            Ok(Ok(()))
        })?;
        Ok(secret)
    }

    /// The account of a session that has not ended; the session counts as used.
    ///
    /// # Errors
    /// Fails if the database can't be read or written.
    pub fn session(&self, secret: &str, now: i64) -> Result<Option<Account>, Failure> {
        let hash = secret_hash(secret);
        self.read(|db| {
            let sql = format!(
                "SELECT {ACCOUNT}, sessions.created_ms, seen_ms FROM sessions JOIN people ON people.id = person
                WHERE hash = ?1 AND NOT disabled"
            );
            let row = |row: &Row<'_>| Ok((account(row)?, SessionTimes { created: row.get(6)?, seen: row.get(7)? }));
            let found = db.prepare_cached(&sql)?.query_row([&hash], row).optional()?;
            let Some((account, times)) = found.filter(|(_, times)| times.is_live(now)) else { return Ok(None) };
            if now >= times.seen + SEEN_INTERVAL {
                db.prepare_cached("UPDATE sessions SET seen_ms = ?2 WHERE hash = ?1")?.execute(params![hash, now])?;
            }
            Ok(Some(account))
        })
    }

    /// Ends a session.
    ///
    /// # Errors
    /// Fails if the database can't be written.
    pub fn end_session(&self, secret: &str) -> Result<(), Failure> {
        self.write(|batch| Ok(Ok(batch.execute("DELETE FROM sessions WHERE hash = ?1", [secret_hash(secret)])?)))?;
        Ok(())
    }

    /// Makes a token for programs of a person. Returns it with its record.
    ///
    /// # Errors
    /// Fails if the name is not valid, if the person has too many tokens, or if the database can't be written.
    pub fn add_token(&self, person: &str, name: &str, now: i64) -> Result<(PersonalToken, String), Failure> {
        let record = PersonalToken { id: random_text()?, name: checked_name(name)?, created: now };
        let secret = random_text()?;
        self.write(|batch| {
            let count = "SELECT count(*) FROM tokens WHERE person = ?1";
            if batch.query_row(count, [person], |row| row.get::<_, i64>(0))? >= MOST_TOKENS {
                return Ok(Err(Diagnostic::new(format!("a person has at most {MOST_TOKENS} tokens"))));
            }
            let sql = "INSERT INTO tokens VALUES (?1, ?2, ?3, ?4, ?5)";
            batch.execute(sql, params![secret_hash(&secret), record.id, person, record.name, now])?;
            Ok(Ok(()))
        })?;
        Ok((record, secret))
    }

    /// The tokens of a person.
    ///
    /// # Errors
    /// Fails if the database can't be read.
    pub fn tokens(&self, person: &str) -> Result<Vec<PersonalToken>, Failure> {
        let sql = "SELECT id, name, created_ms FROM tokens WHERE person = ?1 ORDER BY created_ms";
        let token = |row: &Row<'_>| Ok(PersonalToken { id: row.get(0)?, name: row.get(1)?, created: row.get(2)? });
        self.read(|db| db.prepare_cached(sql)?.query_map([person], token)?.collect())
    }

    /// Revokes a token of a person. Returns whether there was one.
    ///
    /// # Errors
    /// Fails if the database can't be written.
    pub fn revoke_token(&self, person: &str, id: &str) -> Result<bool, Failure> {
        self.write(|batch| Ok(Ok(batch.execute("DELETE FROM tokens WHERE person = ?1 AND id = ?2", [person, id])? > 0)))
    }

    /// The account of a token.
    ///
    /// # Errors
    /// Fails if the database can't be read.
    pub fn token(&self, secret: &str) -> Result<Option<Account>, Failure> {
        let sql =
            format!("SELECT {ACCOUNT} FROM tokens JOIN people ON people.id = person WHERE hash = ?1 AND NOT disabled");
        self.read(|db| db.prepare_cached(&sql)?.query_row([secret_hash(secret)], account).optional())
    }
}

/// The start of a query for [`invitation`].
const INVITATION: &str = "SELECT id, role, name, person, single_use, expires_ms FROM invitations";

fn find_invitation(db: &Connection, code: &str, now: i64) -> rusqlite::Result<Option<Invitation>> {
    let sql = format!("{INVITATION} WHERE hash = ?1 AND expires_ms > ?2");
    db.prepare_cached(&sql)?.query_row(params![secret_hash(code), now], invitation).optional()
}

fn insert(
    batch: &Transaction<'_>,
    (id, role): (&str, PersonRole),
    new: &NewAccount,
    password: &PasswordHash,
    now: i64,
) -> rusqlite::Result<Result<Account, Diagnostic>> {
    let sql = "INSERT INTO people VALUES (?1, ?2, ?3, ?4, ?5, 0, ?6) ON CONFLICT (login) DO NOTHING";
    let values = params![id, new.login(), new.name(), role.name(), password.as_str(), now];
    if batch.execute(sql, values)? == 0 {
        return Ok(Err(Diagnostic::new("this login is taken").help("choose another one")));
    }
    let (id, login, name) = (id.to_owned(), new.login().to_owned(), new.name().to_owned());
    Ok(Ok(Account { id, login, name, role, disabled: false, created: now }))
}

fn account(row: &Row<'_>) -> rusqlite::Result<Account> {
    let role = role(row, 3)?;
    let (id, login, name) = (row.get(0)?, row.get(1)?, row.get(2)?);
    Ok(Account { id, login, name, role, disabled: row.get(4)?, created: row.get(5)? })
}

fn invitation(row: &Row<'_>) -> rusqlite::Result<Invitation> {
    let (role, name, person) = (role(row, 1)?, row.get(2)?, row.get(3)?);
    Ok(Invitation { id: row.get(0)?, role, name, person, single_use: row.get(4)?, expires: row.get(5)? })
}

fn role(row: &Row<'_>, column: usize) -> rusqlite::Result<PersonRole> {
    let text: String = row.get(column)?;
    let found = PersonRole::ALL.into_iter().find(|role| role.name() == text);
    found.ok_or_else(|| {
        let why = format!("unknown role `{text}`");
        rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Text, why.into())
    })
}

#[cfg(test)]
#[path = "store_tests.rs"]
mod tests;
