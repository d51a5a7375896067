//! Making, answering, validating and locking test data.

mod bundle;
mod index;
mod lock;
mod make;
mod pack;
mod parallel;
mod store;

pub use bundle::{Names, write as write_bundle};
pub use lock::{LOCK_FILE, Lock, check as check_lock, text as lock_text};
pub use make::{Case, Hands, Made, Maker};
pub use pack::{Content, Entry, is_zip, write_entries, write_zip};
pub use parallel::in_parallel;
pub use store::{Blob, Store, sweep, write_in_pieces, write_whole};
