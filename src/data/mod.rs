//! Generates, answers, validates and locks test data.

mod bundle;
mod index;
mod lock;
mod make;
mod pack;
mod store;

pub use bundle::{BundleNames, write as write_bundle};
pub use lock::{LOCK_FILE, Lock, check as check_lock, write as write_lock};
pub use make::{Case, DataPrograms, MadeData, Maker};
pub use pack::{Content, Entry, is_zip, write_entries, write_zip};
pub use store::{Blob, Store, remove_unfinished, write_in_pieces, write_whole};
