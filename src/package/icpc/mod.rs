//! Packages in the ICPC format: legacy, legacy-icpc, 2023-07 and 2025-09.

mod cases;
mod contents;
mod ini;
mod metadata;
mod submissions;
mod testdata;

use super::model::Format;
use crate::unzip::name;

pub(super) use contents::{is_package, names_version, read};

/// Whether a file or folder of this name is taken. The old version's tools take every name but hidden ones.
fn is_taken(format: Format, name: &str) -> bool {
    if format.is_legacy() { !name.starts_with('.') } else { name::plain(name) }
}
