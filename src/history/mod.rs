//! The history of runs: which programs were judged on which problems, with their verdicts, and which problems were
//! received from the browser. It is an SQLite database in the user's state folder.
//!
//! A problem is identified by its [`ProblemKey`]: the canonical path of its folder or archive, or the id for a problem
//! of the embedded set, whose folder is in the cache and changes with every version. A digest of the files would change
//! with every program that is saved beside the samples, and an id is the same for the folders `a` of all contests.

mod ago;
mod key;
mod old_marks;
mod rows;
mod store;

pub use ago::{ago, since};
pub use key::ProblemKey;
pub use rows::{HistoryFilter, HistoryRow, KnownProblem, NewRun, RunStanding};
pub use store::{HISTORY_FILE, HistoryStore};
