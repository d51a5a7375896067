//! Code that all SQLite databases share: numbered migrations that create and upgrade the tables, and a file lock.

use nimatron_model as model;

mod file_lock;
mod migrations;

pub use file_lock::FileLock;
pub use migrations::{create_private, fault, migrate, use_write_ahead_log, version};
