//! Zips that strangers made: which of their entries are taken, and under which names. Whoever opens one decides whether a
//! bad entry spoils the whole (a package) or only itself (one student's among many).

mod entry;
pub mod name;
pub mod place;
mod written;

pub use entry::{Kind, copy, kind};
pub use written::{Written, backslashed, text};
