//! What is asked of a sandbox: rooms, tasks, and the traits behind which the kinds of sandbox stand.

use std::ffi::OsString;
use std::fs::File;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Cancel;
use crate::model::{ByteSize, Execution, Fault, Isolation, Limits};

/// A path of the machine that a room shows, under the same name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mount {
    /// The path, absolute.
    pub path: PathBuf,
    /// Whether programs in the room may write there. A compiler's output folder; never a contestant's.
    pub writable: bool,
}

impl Mount {
    /// A path that can only be read.
    pub fn read(path: impl Into<PathBuf>) -> Mount {
        Mount { path: path.into(), writable: false }
    }

    /// A path that can be written.
    pub fn write(path: impl Into<PathBuf>) -> Mount {
        Mount { path: path.into(), writable: true }
    }
}

/// What a cell is made for: the paths it shows beside the system's own programs and libraries (which each kind of
/// sandbox shows by itself), and its scratch space.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CellSpec {
    /// Which worker it belongs to, from 0: decides the processor it is pinned to.
    pub slot: usize,
    /// The paths it shows.
    pub mounts: Vec<Mount>,
    /// How much the working directory and /tmp may hold together.
    pub scratch: ByteSize,
}

/// Where a program's standard input comes from.
#[derive(Debug)]
pub enum Input {
    /// Nothing to read.
    Empty,
    /// A file, from its start.
    File(File),
    /// The read end of a pipe.
    Pipe(OwnedFd),
}

/// Where a program's standard output goes.
#[derive(Debug)]
pub enum Output {
    /// Into memory, at most as much as the output limit allows.
    Collect,
    /// The write end of a pipe.
    Pipe(OwnedFd),
}

/// One run of a program.
#[derive(Debug)]
pub struct CellCommand {
    /// The program, by absolute path, and its arguments.
    pub argv: Vec<OsString>,
    /// The whole environment.
    pub env: Vec<(OsString, OsString)>,
    /// The working directory: one of the room's mounts, or a private empty folder, made anew for each run.
    pub dir: Option<PathBuf>,
    /// Files put into the private working directory before the run: the path below it, and the content.
    pub files: Vec<(OsString, Vec<u8>)>,
    /// Whether the files that it leaves in its private working directory are handed back.
    pub take_files: bool,
    /// Standard input.
    pub stdin: Input,
    /// Standard output.
    pub stdout: Output,
    /// What it may use.
    pub limits: Limits,
    /// Whether its memory may be bounded by its address space where nothing better is there.
    /// Not for run-time systems that reserve far more than they use (JVM, Go, Node, .NET, Haskell).
    pub bound_address_space: bool,
    /// How much of standard error is kept for people, in bytes.
    pub keep_stderr: usize,
}

/// What a run gave.
#[derive(Debug)]
pub struct CellOutput {
    /// The facts.
    pub execution: Execution,
    /// Standard output, if it was collected.
    pub stdout: Vec<u8>,
    /// The files it left, by name, if they were asked for: those at the top of its private working directory, together
    /// no more than its output limit. What it left beyond that is a breach.
    pub files: Vec<(OsString, Vec<u8>)>,
}

/// A way to run programs that we did not write.
pub trait Sandbox: Send + Sync {
    /// What stands between a program and the machine here.
    fn isolation(&self) -> &Isolation;

    /// Prepares a room.
    ///
    /// # Errors
    /// A fault if the room cannot be made as strong as [`Sandbox::isolation`] says.
    fn open(&self, room: &CellSpec) -> Result<Box<dyn Cell>, Fault>;

    /// The same sandbox, whose cells are ended by this handle. Cells that are open already keep their own handle.
    fn with_cancel(&self, cancel: Cancel) -> Arc<dyn Sandbox>;
}

/// A prepared room. Dropping it ends everything in it and leaves nothing behind.
pub trait Cell: Send {
    /// Runs one program to its end and cleans up behind it.
    ///
    /// # Errors
    /// A fault if the sandbox failed, the program could not be started, or the run was cancelled;
    /// never for what the program did.
    fn run(&mut self, task: CellCommand) -> Result<CellOutput, Fault>;

    /// The path of the private working directory as the program sees it, for building command lines.
    fn private_dir(&self) -> &Path;
}
