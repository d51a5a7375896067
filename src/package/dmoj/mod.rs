//! DMOJ's packages: `init.yml`, beside it or in a zip the files of the cases.

mod cases;
mod files;
mod grading;
mod init_yml;
mod naming;
mod output_check;
mod unbuffered;

pub(super) use init_yml::{is_package, read};
