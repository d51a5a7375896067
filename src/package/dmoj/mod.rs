//! DMOJ's packages: `init.yml`, beside it or in a zip the files of the cases.

mod cases;
mod files;
mod grading;
mod judging;
mod naming;
mod read;
mod unbuffered;

pub(super) use read::{is_package, read};
