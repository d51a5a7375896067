//! Searches for failing inputs that people start and follow while they run.
//!
//! A [`SearchTable`] runs a few [`StressSearch`](crate::stress::StressSearch)es at a time, each on one slot that gives way
//! to submissions, and one for each person. It keeps the latest ended searches in memory, with their events. The numbered
//! events of a search never change, so a reader resumes after any of them.

mod keep;
mod log;
mod new_search;
mod run;
mod table;

pub use keep::{KeptTest, keep_found};
pub use log::SearchPage;
pub use new_search::{NewSearch, StartSearchError};
pub use table::{SearchTable, SearchView};
