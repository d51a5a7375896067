//! The sandbox, the cache, the limits and the errors of builds.

use std::path::Path;

use crate::model::{ByteSize, Fault, FaultKind, Limits, OsError, TimeSpan};
use crate::sandbox::Sandbox;

/// The sandbox, cache and limits of builds.
pub struct BuildContext<'a> {
    /// The sandbox in which compilers run.
    pub sandbox: &'a dyn Sandbox,
    /// The cache folder. Its subfolder `builds` contains the builds.
    pub cache: &'a Path,
    /// The limits of each compiler run, usually [`compile_limits`].
    pub limits: Limits,
    /// Index of the worker slot on which the compiler runs, from 0.
    pub slot: usize,
}

/// Returns the default limits of a compiler run.
pub const fn compile_limits() -> Limits {
    Limits {
        cpu: TimeSpan::seconds(60),
        wall: TimeSpan::seconds(120),
        memory: ByteSize::mib(2048),
        output: ByteSize::mib(128),
        processes: 256,
    }
}

/// The reason why a build failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// The compiler or the judge refused the source.
    #[error("{output}")]
    Compile {
        /// The output of the compiler, cleaned and truncated for display, or the judge's reason for refusing the
        /// source.
        output: String,
        /// The output as the compiler wrote it, with internal paths, for callers that search for all errors; empty if
        /// the judge refused the source.
        raw: String,
    },
    /// An error of the judge.
    #[error(transparent)]
    Fault(#[from] Fault),
}

impl BuildError {
    /// Creates the error for a source that is refused although the compiler reported success.
    pub(super) fn refused(output: String) -> BuildError {
        BuildError::Compile { output, raw: String::new() }
    }

    pub(super) fn io(error: &std::io::Error) -> BuildError {
        let advice = match OsError::of(error) {
            Some(_) => "; if the cache folder is not writable or is full, set `NIMATRON_CACHE` to another folder",
            None => "",
        };
        BuildError::Fault(Fault::new(FaultKind::Toolchain, format!("cannot build the program: {error}{advice}")))
    }
}
