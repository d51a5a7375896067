//! The people of a class: accounts, sessions, invitations and assignments, in an SQLite database next to the
//! submissions. This module contains no HTTP and no asynchronous code. Its functions take the current time as an
//! argument, in milliseconds since the Unix epoch.
//!
//! Secrets (session ids, codes of invitations, tokens) have 128 random bits. They are stored as hashes, and passwords
//! as argon2id hashes.

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
    is_held_back, running,
};
pub use login_throttle::LoginThrottle;
pub use password::{PasswordHash, check_password};
pub use person_role::PersonRole;
pub use session::{SessionTimes, secret_hash};
pub use standings::{AssignmentStandings, StandingCell, StandingRow};
pub use store::{PEOPLE_FILE, PeopleStore};
