//! Packages in the ICPC format: legacy, legacy-icpc, 2023-07 and 2025-09.

mod cases;
mod extensions;
mod ini;
mod problem_yaml;
mod read;
mod scoring;
mod submissions;
mod testdata;

pub use extensions::is_of_icpc_language;
pub(super) use read::{PROGRAMS, is_package, names_version, read};
