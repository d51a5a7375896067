//! The [`Sandbox`] and [`Cell`] traits, and the types of their parameters and results.

use std::ffi::OsString;
use std::fs::File;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Cancel;
use crate::model::{ByteSize, Execution, Fault, Isolation, Limits};

/// A host path that a cell shows, at the same path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mount {
    /// The absolute path.
    pub path: PathBuf,
    /// Whether programs may write to the path. Only compilers get writable mounts; submissions do not.
    pub writable: bool,
}

impl Mount {
    /// A read-only mount.
    pub fn read(path: impl Into<PathBuf>) -> Mount {
        Mount { path: path.into(), writable: false }
    }

    /// A writable mount.
    pub fn write(path: impl Into<PathBuf>) -> Mount {
        Mount { path: path.into(), writable: true }
    }
}

/// The configuration of a cell: its slot, mounts and scratch space. Every sandbox adds the system paths to the mounts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CellSpec {
    /// The slot of the worker that uses the cell, from 0. It determines the CPU to which the cell is pinned.
    pub slot: usize,
    /// The mounts in addition to the system paths.
    pub mounts: Vec<Mount>,
    /// The size limit of the working directory and /tmp together.
    pub scratch: ByteSize,
}

/// The source of a program's standard input.
#[derive(Debug)]
pub enum Input {
    /// Empty input.
    Empty,
    /// A file, read from its start.
    File(File),
    /// The read end of a pipe.
    Pipe(OwnedFd),
}

/// The destination of a program's standard output.
#[derive(Debug)]
pub enum Output {
    /// A buffer in memory, up to the output limit.
    Collect,
    /// The write end of a pipe.
    Pipe(OwnedFd),
    /// The write end of a pipe to a reader that may need no more output: the program is stopped a moment after `stop`
    /// becomes readable. Its breach is then [`Breach::Output`](crate::model::Breach::Output).
    StoppablePipe {
        /// The write end of the pipe.
        pipe: OwnedFd,
        /// The read end of another pipe. If its writer is closed without a byte, the program is not stopped.
        stop: OwnedFd,
    },
}

/// A command to run in a cell, with its limits.
#[derive(Debug)]
pub struct CellCommand {
    /// The absolute path of the program, and its arguments.
    pub argv: Vec<OsString>,
    /// The complete environment of the program.
    pub env: Vec<(OsString, OsString)>,
    /// The working directory, in one of the cell's mounts. `None` means the private directory, which is empty at each
    /// start.
    pub dir: Option<PathBuf>,
    /// Files to create in the private working directory before the run: relative path and content.
    pub files: Vec<(OsString, Vec<u8>)>,
    /// Whether to return the files left in the private working directory.
    pub take_files: bool,
    /// Standard input.
    pub stdin: Input,
    /// Standard output.
    pub stdout: Output,
    /// The resource limits of the run.
    pub limits: Limits,
    /// Whether RLIMIT_AS may bound the memory if there is no control group. It must be false for run-time systems that
    /// reserve far more address space than they use (JVM, Go, Node, .NET, Haskell).
    pub bound_address_space: bool,
    /// The number of bytes of standard error to keep.
    pub keep_stderr: usize,
}

/// The result of a run.
#[derive(Debug)]
pub struct CellOutput {
    /// The exit status, resource usage and exceeded limit.
    pub execution: Execution,
    /// Standard output, if [`Output::Collect`] was requested.
    pub stdout: Vec<u8>,
    /// The regular files left at the top level of the private working directory, by name, if requested. Their total
    /// size is at most the output limit; exceeding it is a breach.
    pub files: Vec<(OsString, Vec<u8>)>,
}

/// Opens cells that run untrusted programs.
pub trait Sandbox: Send + Sync {
    /// The isolation that this sandbox provides.
    fn isolation(&self) -> &Isolation;

    /// Opens a cell.
    ///
    /// # Errors
    /// Returns a fault if the cell cannot be created with the isolation of [`Sandbox::isolation`].
    fn open(&self, spec: &CellSpec) -> Result<Box<dyn Cell>, Fault>;

    /// Announces that up to `count` cells will be opened soon. The sandbox may start their processes immediately, on
    /// other threads; processes that are not used end with the sandbox.
    fn expect_cells(&self, _count: usize) {}

    /// Returns a sandbox that shares all state with this one and whose new cells are cancelled by `cancel`. Cells that
    /// are already open keep their handle.
    fn with_cancel(&self, cancel: Cancel) -> Arc<dyn Sandbox>;
}

/// An isolated environment in which programs run. Dropping it kills its processes and removes its files.
pub trait Cell: Send {
    /// Runs a command to its end, then kills its remaining processes and removes its files.
    ///
    /// # Errors
    /// Returns a fault if the sandbox failed, the program could not be started, or the run was cancelled. A failure of
    /// the program itself is not an error.
    fn run(&mut self, command: CellCommand) -> Result<CellOutput, Fault>;

    /// The path of the private working directory, as programs see it.
    fn private_dir(&self) -> &Path;
}
