//! Reading a download: a folder or a zip, and zips inside. What is read was written by anybody, so everything is bounded.

mod git;
mod read;
mod unzip;

pub use git::Git;
pub use read::{ContentKeeper, Intake, read};
