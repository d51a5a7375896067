//! Checks for untrusted zip archives: which entries are accepted, and under which names. The caller decides whether an
//! invalid entry makes the whole archive invalid (as in a package) or is skipped (as among many submissions).

mod charset;
mod entry;
pub mod name;
pub mod place;
mod written;

pub use charset::{Charset, decoded};
pub use entry::{EntryKind, copy, kind};
pub use written::{WrittenName, backslashed, text};
