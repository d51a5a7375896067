//! DMOJ packages: `init.yml`, with the files of the cases in the same folder or in a zip archive.

mod cases;
mod files;
mod generator;
mod grading;
mod init_yml;
mod naming;
mod output_check;
mod signature;
mod unbuffered;

pub(super) use init_yml::{is_package, read};
