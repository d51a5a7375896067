//! Packages in the ICPC format: legacy, legacy-icpc, 2023-07 and 2025-09.

mod cases;
mod contents;
mod ini;
mod metadata;
mod submissions;
mod testdata;

pub(super) use contents::{is_package, names_version, read};
