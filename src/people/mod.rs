//! The people of a class: accounts, sessions, invitations and assignments, in an SQLite database beside the submissions.
//! No HTTP, no asynchronous code, and no clock: the functions are told the time, in milliseconds since 1970.
//!
//! Secrets (session ids, codes of invitations, tokens) have 128 random bits and are stored as hashes; passwords are stored
//! as argon2id.

mod account;
mod assignment;
mod login_throttle;
mod password;
mod person_role;
mod session;
mod standings;
mod store;
mod store_assignments;

pub use account::{Account, Invitation, NewAccount, NewInvitation, PersonalToken, names_of_list};
pub use assignment::{
    Admission, Assignment, AssignmentDraft, AssignmentPhase, FeedbackLevel, LateRule, admission, feedback,
};
pub use login_throttle::LoginThrottle;
pub use password::{PasswordHash, check_password};
pub use person_role::PersonRole;
pub use session::{SessionTimes, secret_hash};
pub use standings::{AssignmentStandings, StandingCell, StandingRow};
pub use store::{PEOPLE_FILE, PeopleStore};
