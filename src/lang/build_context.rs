//! What builds have in common: where they run, their limits, and how they fail.

use std::path::Path;

use crate::model::{ByteSize, Fault, FaultKind, Limits, TimeSpan};
use crate::sandbox::Sandbox;

/// Where builds are made and kept.
pub struct BuildContext<'a> {
    /// What compilers run in.
    pub sandbox: &'a dyn Sandbox,
    /// The folder of caches; builds are in `builds` below it.
    pub cache: &'a Path,
    /// What a compiler may use; [`compile_limits`] unless somebody chose otherwise.
    pub limits: Limits,
    /// Which worker's room the compiler runs in, from 0.
    pub slot: usize,
}

/// What a compiler may use if nobody says otherwise.
pub const fn compile_limits() -> Limits {
    Limits {
        cpu: TimeSpan::seconds(60),
        wall: TimeSpan::seconds(120),
        memory: ByteSize::mib(2048),
        output: ByteSize::mib(128),
        processes: 256,
    }
}

/// Why there is no program.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// The compiler refused it.
    #[error("{output}")]
    Compile {
        /// The compiler's own words, trimmed.
        output: String,
    },
    /// We failed.
    #[error(transparent)]
    Fault(#[from] Fault),
}

impl BuildError {
    pub(super) fn io(error: &std::io::Error) -> BuildError {
        BuildError::Fault(Fault::new(
            FaultKind::Toolchain,
            format!(
                "cannot build: {error}; builds are kept in the cache: see that it can be written and has room, or set NIMATRON_CACHE to another folder"
            ),
        ))
    }
}
