//! Versions of an SQLite database: its tables are created and upgraded in numbered steps.

use nimatron_model as model;

mod migrations;

pub use migrations::{create_private, fault, migrate, version};
