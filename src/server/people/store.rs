//! Database of the people: accounts, sessions, tokens and invitations.

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

/// SQL statements that create and upgrade the tables, one item for each version.
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
/// Help text of the error about a database of a newer version.
const ADVICE: &str = "use a newer version of nimatron, or choose another folder with `--data`";
/// Maximum time to wait for a lock on the database.
const BUSY: Duration = Duration::from_secs(5);
/// Minimum time between two updates of a session's last use, in milliseconds.
const SEEN_INTERVAL: i64 = 60_000;
/// Time after which an invitation expires, in milliseconds.
const INVITATION_MS: i64 = 30 * 24 * 3_600_000;
/// Maximum number of tokens per person.
const MOST_TOKENS: i64 = 20;
/// Maximum number of sessions per person. Starting another session ends the session that has been idle for the
/// longest time.
const MOST_SESSIONS: i64 = 20;
/// Maximum number of accounts. The limit prevents an invitation that can be accepted any number of times from filling
/// the database.
const MOST_PEOPLE: i64 = 20_000;

/// The columns that [`account`] reads.
const ACCOUNT: &str = "people.id, login, people.name, role, disabled, people.created_ms";

/// A store of accounts, sessions, tokens, invitations and assignments, which is an SQLite database in the data folder.
#[derive(Debug)]
pub struct PeopleStore {
    path: PathBuf,
    connection: Mutex<Connection>,
}

impl PeopleStore {
    /// Opens the store in this folder, and creates both if necessary. The file is readable only by its owner.
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
            database::use_write_ahead_log(&connection, BUSY)?;
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

    /// Runs `work` in a transaction. If `work` returns an error or a diagnostic, the transaction is rolled back.
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

    /// Returns whether there are no accounts.
    ///
    /// # Errors
    /// Fails if the database can't be read.
    pub fn is_empty(&self) -> Result<bool, Failure> {
        self.read(|db| db.query_row("SELECT count(*) = 0 FROM people", [], |row| row.get(0)))
    }

    /// Returns all accounts, sorted by name.
    ///
    /// # Errors
    /// Fails if the database can't be read.
    pub fn accounts(&self) -> Result<Vec<Account>, Failure> {
        let sql = format!("SELECT {ACCOUNT} FROM people ORDER BY lower(name), login");
        self.read(|db| db.prepare_cached(&sql)?.query_map([], account)?.collect())
    }

    /// Returns the account with this id; `None` if there is none.
    ///
    /// # Errors
    /// Fails if the database can't be read.
    pub fn account(&self, id: &str) -> Result<Option<Account>, Failure> {
        let sql = format!("SELECT {ACCOUNT} FROM people WHERE id = ?1");
        self.read(|db| db.prepare_cached(&sql)?.query_row([id], account).optional())
    }

    /// Returns the account with this login, and the password hash of the account; `None` if there is no such account,
    /// or if it is disabled.
    ///
    /// # Errors
    /// Fails if the database can't be read.
    pub fn login(&self, login: &str) -> Result<Option<(Account, PasswordHash)>, Failure> {
        let sql = format!("SELECT {ACCOUNT}, password FROM people WHERE login = ?1 AND NOT disabled");
        let login = login.trim().to_ascii_lowercase();
        let row = |row: &Row<'_>| Ok((account(row)?, PasswordHash::stored(row.get(6)?)));
        self.read(|db| db.prepare_cached(&sql)?.query_row([login], row).optional())
    }

    /// Creates the first account, with the role of a teacher.
    ///
    /// # Errors
    /// Fails if there is an account already, if the database can't be written, or if the system provides no random
    /// numbers.
    pub fn set_up(&self, new: &NewAccount, password: &PasswordHash, now: i64) -> Result<Account, Failure> {
        let id = random_text()?;
        self.write(|batch| {
            if batch.query_row("SELECT count(*) > 0 FROM people", [], |row| row.get(0))? {
                return Ok(Err(Diagnostic::new("the class has been set up already")
                    .help("log in, or ask a teacher for an invitation link")));
            }
            insert(batch, (&id, PersonRole::Teacher), new, password, now)
        })
    }

    /// Creates invitations that expire after thirty days, and returns each with its code.
    ///
    /// # Errors
    /// Fails if the database can't be written, or if the system provides no random numbers.
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

    /// Returns the invitations that have not expired, sorted by name.
    ///
    /// # Errors
    /// Fails if the database can't be read.
    pub fn invitations(&self, now: i64) -> Result<Vec<Invitation>, Failure> {
        let sql = format!("{INVITATION} WHERE expires_ms > ?1 ORDER BY name, id");
        self.read(|db| db.prepare_cached(&sql)?.query_map([now], invitation)?.collect())
    }

    /// Returns the invitation with this code; `None` if there is none, or if the invitation has expired.
    ///
    /// # Errors
    /// Fails if the database can't be read.
    pub fn invitation(&self, code: &str, now: i64) -> Result<Option<Invitation>, Failure> {
        self.read(|db| find_invitation(db, code, now))
    }

    /// Revokes an invitation. Returns false if there is no invitation with this id.
    ///
    /// # Errors
    /// Fails if the database can't be written.
    pub fn revoke_invitation(&self, id: &str) -> Result<bool, Failure> {
        self.write(|batch| Ok(Ok(batch.execute("DELETE FROM invitations WHERE id = ?1", [id])? > 0)))
    }

    /// Accepts an invitation: creates an account, or resets the password of the account for which the invitation was
    /// created. A reset ends the sessions of the account, and revokes its tokens and all invitations that could reset
    /// its password. `name` is used only if the invitation contains no name.
    ///
    /// # Errors
    /// Fails if the invitation does not exist or has expired, if the login or the name is invalid, if the login is
    /// taken, if the maximum number of accounts is reached, if the database can't be written, or if the system provides
    /// no random numbers.
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
                return Ok(Err(Diagnostic::new("the invitation does not exist, has expired or was already used")
                    .help("ask your teacher for a new link")));
            };
            if invitation.single_use {
                batch.execute("DELETE FROM invitations WHERE id = ?1", [&invitation.id])?;
            }
            if let Some(person) = &invitation.person {
                batch.execute("UPDATE people SET password = ?2 WHERE id = ?1", params![person, password.as_str()])?;
                batch.execute("DELETE FROM sessions WHERE person = ?1", [person])?;
                batch.execute("DELETE FROM tokens WHERE person = ?1", [person])?;
                batch.execute("DELETE FROM invitations WHERE person = ?1", [person])?;
                let sql = format!("SELECT {ACCOUNT} FROM people WHERE id = ?1");
                return batch.query_row(&sql, [person], account).map(Ok);
            }
            match NewAccount::new(login, invitation.name.as_deref().unwrap_or(name)) {
                Ok(new) => insert(batch, (&id, invitation.role), &new, password, now),
                Err(complaint) => Ok(Err(complaint)),
            }
        })
    }

    /// Changes the role of a person, disables or enables the person's account, or both. Ends the person's sessions.
    /// Disabling the account also revokes its tokens; otherwise, the tokens remain valid with the new role.
    ///
    /// # Errors
    /// Fails if there is no person with this id, if no teacher would be left, or if the database can't be written.
    pub fn change(&self, id: &str, role: Option<PersonRole>, disabled: Option<bool>) -> Result<Account, Failure> {
        self.write(|batch| {
            let sql = "UPDATE people SET role = coalesce(?2, role), disabled = coalesce(?3, disabled) WHERE id = ?1";
            if batch.execute(sql, params![id, role.map(PersonRole::name), disabled])? == 0 {
                return Ok(Err(Diagnostic::new(format!("there is no person with the id `{id}`"))));
            }
            let left = "SELECT count(*) > 0 FROM people WHERE role = 'teacher' AND NOT disabled";
            if !batch.query_row(left, [], |row| row.get::<_, bool>(0))? {
                return Ok(Err(Diagnostic::new(
                    "the change would leave the class without a teacher whose account is enabled",
                )
                .help("give another person the role `teacher` first")));
            }
            batch.execute("DELETE FROM sessions WHERE person = ?1", [id])?;
            if disabled == Some(true) {
                batch.execute("DELETE FROM tokens WHERE person = ?1", [id])?;
            }
            batch.query_row(&format!("SELECT {ACCOUNT} FROM people WHERE id = ?1"), [id], account).map(Ok)
        })
    }

    /// Sets the password of a person, ends the person's sessions except for the session with the id `keep`, and revokes
    /// the invitations that could reset the password.
    ///
    /// # Errors
    /// Fails if the database can't be written.
    pub fn set_password(&self, id: &str, password: &PasswordHash, keep: Option<&str>) -> Result<(), Failure> {
        self.write(|batch| {
            batch.execute("UPDATE people SET password = ?2 WHERE id = ?1", params![id, password.as_str()])?;
            let keep = keep.map(secret_hash).unwrap_or_default();
            batch.execute("DELETE FROM sessions WHERE person = ?1 AND hash <> ?2", params![id, keep])?;
            batch.execute("DELETE FROM invitations WHERE person = ?1", [id])?;
            Ok(Ok(()))
        })
    }

    /// Starts a session, and returns its id, which is a secret. Expired sessions are removed.
    ///
    /// # Errors
    /// Fails if the database can't be written, or if the system provides no random numbers.
    pub fn start_session(&self, person: &str, now: i64) -> Result<String, Failure> {
        let secret = random_text()?;
        self.write(|batch| {
            let ended: Vec<String> = batch
                .prepare_cached("SELECT hash, created_ms, seen_ms FROM sessions")?
                .query_map([], |row| Ok((row.get(0)?, SessionTimes { created: row.get(1)?, seen: row.get(2)? })))?
                .filter_map(|row| row.ok().filter(|(_, times)| times.has_expired(now)).map(|(hash, _)| hash))
                .collect();
            for hash in ended {
                batch.execute("DELETE FROM sessions WHERE hash = ?1", [hash])?;
            }
            let idle = "DELETE FROM sessions WHERE hash IN
                (SELECT hash FROM sessions WHERE person = ?1 ORDER BY seen_ms DESC, created_ms DESC LIMIT -1 OFFSET ?2)";
            batch.execute(idle, params![person, MOST_SESSIONS - 1])?;
            batch
                .execute("INSERT INTO sessions VALUES (?1, ?2, ?3, ?3)", params![secret_hash(&secret), person, now])?;
            Ok(Ok(()))
        })?;
        Ok(secret)
    }

    /// Returns the account of a session; `None` if there is no such session, if it has expired, or if the account is
    /// disabled. Updates the time of the session's last use, at most once a minute.
    ///
    /// # Errors
    /// Fails if the database can't be read or written.
    pub fn session(&self, secret: &str, now: i64) -> Result<Option<Account>, Failure> {
        let hash = secret_hash(secret);
        self.read(|db| {
            let Some((account, times)) = find_session(db, &hash, now)? else { return Ok(None) };
            if now >= times.seen + SEEN_INTERVAL {
                db.prepare_cached("UPDATE sessions SET seen_ms = ?2 WHERE hash = ?1")?.execute(params![hash, now])?;
            }
            Ok(Some(account))
        })
    }

    /// Returns the account of a session as [`PeopleStore::session`] does, but without updating the time of the last
    /// use: requests from a page that is left open do not prolong the session.
    ///
    /// # Errors
    /// Fails if the database can't be read.
    pub fn live_session(&self, secret: &str, now: i64) -> Result<Option<Account>, Failure> {
        self.read(|db| Ok(find_session(db, &secret_hash(secret), now)?.map(|(account, _)| account)))
    }

    /// Ends a session.
    ///
    /// # Errors
    /// Fails if the database can't be written.
    pub fn end_session(&self, secret: &str) -> Result<(), Failure> {
        self.write(|batch| Ok(Ok(batch.execute("DELETE FROM sessions WHERE hash = ?1", [secret_hash(secret)])?)))?;
        Ok(())
    }

    /// Creates an API token of a person. Returns its record and the token, which is a secret.
    ///
    /// # Errors
    /// Fails if the name is invalid, if the person has too many tokens, if the database can't be written, or if the
    /// system provides no random numbers.
    pub fn add_token(&self, person: &str, name: &str, now: i64) -> Result<(PersonalToken, String), Failure> {
        let record = PersonalToken { id: random_text()?, name: checked_name(name)?, created: now };
        let secret = random_text()?;
        self.write(|batch| {
            let count = "SELECT count(*) FROM tokens WHERE person = ?1";
            if batch.query_row(count, [person], |row| row.get::<_, i64>(0))? >= MOST_TOKENS {
                let message = format!("the account already has {MOST_TOKENS} tokens, which is the maximum");
                return Ok(Err(Diagnostic::new(message).help("revoke one of the tokens first")));
            }
            let sql = "INSERT INTO tokens VALUES (?1, ?2, ?3, ?4, ?5)";
            batch.execute(sql, params![secret_hash(&secret), record.id, person, record.name, now])?;
            Ok(Ok(()))
        })?;
        Ok((record, secret))
    }

    /// Returns the tokens of a person, oldest first.
    ///
    /// # Errors
    /// Fails if the database can't be read.
    pub fn tokens(&self, person: &str) -> Result<Vec<PersonalToken>, Failure> {
        let sql = "SELECT id, name, created_ms FROM tokens WHERE person = ?1 ORDER BY created_ms";
        let token = |row: &Row<'_>| Ok(PersonalToken { id: row.get(0)?, name: row.get(1)?, created: row.get(2)? });
        self.read(|db| db.prepare_cached(sql)?.query_map([person], token)?.collect())
    }

    /// Revokes a token of a person. Returns false if the person has no token with this id.
    ///
    /// # Errors
    /// Fails if the database can't be written.
    pub fn revoke_token(&self, person: &str, id: &str) -> Result<bool, Failure> {
        self.write(|batch| Ok(Ok(batch.execute("DELETE FROM tokens WHERE person = ?1 AND id = ?2", [person, id])? > 0)))
    }

    /// Returns the account of a token; `None` if there is no such token, or if the account is disabled.
    ///
    /// # Errors
    /// Fails if the database can't be read.
    pub fn token(&self, secret: &str) -> Result<Option<Account>, Failure> {
        let sql =
            format!("SELECT {ACCOUNT} FROM tokens JOIN people ON people.id = person WHERE hash = ?1 AND NOT disabled");
        self.read(|db| db.prepare_cached(&sql)?.query_row([secret_hash(secret)], account).optional())
    }
}

/// Returns the account and the times of the session with this hash; `None` if there is none, if it has expired, or if
/// the account is disabled.
fn find_session(db: &Connection, hash: &str, now: i64) -> rusqlite::Result<Option<(Account, SessionTimes)>> {
    let sql = format!(
        "SELECT {ACCOUNT}, sessions.created_ms, seen_ms FROM sessions JOIN people ON people.id = person
        WHERE hash = ?1 AND NOT disabled"
    );
    let row = |row: &Row<'_>| Ok((account(row)?, SessionTimes { created: row.get(6)?, seen: row.get(7)? }));
    let found = db.prepare_cached(&sql)?.query_row([hash], row).optional()?;
    Ok(found.filter(|(_, times)| times.is_live(now)))
}

/// Start of a query whose rows [`invitation`] reads.
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
    if batch.query_row("SELECT count(*) >= ?1 FROM people", [MOST_PEOPLE], |row| row.get(0))? {
        let message = format!("the class already has {MOST_PEOPLE} accounts, which is the maximum");
        return Ok(Err(Diagnostic::new(message)));
    }
    let sql = "INSERT INTO people VALUES (?1, ?2, ?3, ?4, ?5, 0, ?6) ON CONFLICT (login) DO NOTHING";
    let values = params![id, new.login(), new.name(), role.name(), password.as_str(), now];
    if batch.execute(sql, values)? == 0 {
        let message = format!("another account has the login `{}`", new.login());
        return Ok(Err(Diagnostic::new(message).help("choose another login")));
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
