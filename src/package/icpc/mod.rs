//! Packages in the ICPC format: legacy, legacy-icpc, 2023-07 and 2025-09.

mod cases;
mod ini;
mod problem_yaml;
mod read;
mod submissions;
mod testdata;

pub(super) use read::{PROGRAMS, is_package, names_version, read};
