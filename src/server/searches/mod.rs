//! Searches for inputs on which a program fails. People start and follow the searches on a web page.
//!
//! A [`SearchTable`] runs a few [`StressSearch`](crate::stress::StressSearch)es at a time, at most one for each person.
//! Each uses one slot, which it releases while submissions are waiting. The most recently ended searches stay in memory
//! with their events. The numbered events of a search never change, so a reader can resume after any of them.

mod keep;
mod log;
mod new_search;
mod run;
mod table;

pub use keep::{KeptTest, keep_found};
pub use log::SearchPage;
pub use new_search::{NewSearch, StartSearchError};
pub use table::{SearchTable, SearchView};
