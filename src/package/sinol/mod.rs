//! Packages of SIO2 (sinol): `config.yml`, programs in `prog/`, inputs in `in/` or made by a program, answers in `out/`.

mod cases;
mod config;
mod limits;
mod programs;
mod promises;
mod read;

pub(super) use cases::SinolTests;
pub(super) use read::{is_package, read};
