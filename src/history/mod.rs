//! The history of runs: which programs were judged on which problems, with their verdicts, and which problems were
//! received from the browser. The history is an SQLite database in the user's state folder.
//!
//! A problem is identified by its [`ProblemKey`]: the canonical path of its folder or archive. A problem of the
//! embedded set is identified by its id, because its folder is in the cache and changes with every version. For other
//! problems, neither a digest of the files nor the id is a suitable key: the digest changes with every program that is
//! saved next to the samples, and the folders `a` of all contests have the same id.

mod ago;
mod key;
mod old_marks;
mod rows;
mod store;

pub use ago::{ago, since};
pub use key::ProblemKey;
pub use rows::{HistoryFilter, HistoryRow, KnownProblem, NewRun, RunStanding};
pub use store::{HISTORY_FILE, HistoryStore};
