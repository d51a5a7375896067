//! Reads a download: a folder or a zip file, including nested zip files. The content is untrusted, so all sizes are
//! limited.

mod git;
mod read;
mod unzip;

pub use git::Git;
pub use read::{Intake, IntakeContext, read};
