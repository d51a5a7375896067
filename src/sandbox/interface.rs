//! The [`Sandbox`] and [`Cell`] traits, and the types of their parameters and results.

use std::ffi::OsString;
use std::fs::File;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Cancel;
use crate::model::{ByteSize, Execution, Fault, FaultKind, Isolation, Limits, TimeSpan};

/// A host path that is visible in a cell at the same path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mount {
    /// The absolute path.
    pub path: PathBuf,
    /// Whether programs may write to the path. Cells that run compilers have writable mounts; cells that run
    /// submissions do not.
    pub writable: bool,
}

impl Mount {
    /// Creates a read-only mount.
    pub fn read(path: impl Into<PathBuf>) -> Mount {
        Mount { path: path.into(), writable: false }
    }

    /// Creates a writable mount.
    pub fn write(path: impl Into<PathBuf>) -> Mount {
        Mount { path: path.into(), writable: true }
    }
}

/// The configuration of a cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CellSpec {
    /// The slot of the worker that uses the cell, from 0. It determines the CPU to which a cell without writable mounts
    /// is pinned.
    pub slot: usize,
    /// The mounts in addition to the system paths.
    pub mounts: Vec<Mount>,
    /// The limit on the total size of the writable directories outside of the mounts (working directory, /tmp,
    /// /dev/shm). It is enforced at levels A and B.
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
    /// A buffer in memory, whose size is bounded by the output limit.
    Collect,
    /// A buffer in memory for the first bytes. A larger output is also written to an unnamed temporary file, whose size
    /// is bounded by the output limit.
    Spill {
        /// The size of the buffer, in bytes.
        memory: usize,
    },
    /// The write end of a pipe.
    Pipe(OwnedFd),
    /// The write end of a pipe whose reader may stop the program: 100 ms after a byte was written to the other end of
    /// `stop`, the program is stopped with [`Breach::Output`](crate::model::Breach::Output).
    StoppablePipe {
        /// The write end of the pipe.
        pipe: OwnedFd,
        /// The read end of another pipe. If the write end of that pipe is closed before a byte is written, the program
        /// is not stopped.
        stop: OwnedFd,
    },
}

/// A command to run in a cell, with its limits.
#[derive(Debug)]
pub struct CellCommand {
    /// The absolute path of the program, followed by its arguments.
    pub argv: Vec<OsString>,
    /// The complete environment of the program.
    pub env: Vec<(OsString, OsString)>,
    /// The working directory, in one of the cell's mounts. `None` means the private working directory, which at the
    /// start contains only `files`.
    pub dir: Option<PathBuf>,
    /// The files to create in the private working directory before the run, as pairs of a relative path without `..`
    /// and the content.
    pub files: Vec<(OsString, Vec<u8>)>,
    /// The names of the files at the top level that the program may neither change nor remove. Their memory does not count
    /// towards its memory limit. A program that runs as the same user as its cell can change them all the same.
    pub read_only: Vec<OsString>,
    /// Whether to return the regular files at the top level of the private working directory after the run.
    pub take_files: bool,
    /// The source of standard input.
    pub stdin: Input,
    /// The destination of standard output.
    pub stdout: Output,
    /// Pipe ends that the program inherits in addition to the standard streams, as descriptors 3, 4, … At most
    /// [`MORE_PIPES_MAX`](super::MORE_PIPES_MAX).
    pub more_pipes: Vec<OwnedFd>,
    /// Whether the program contains the [start hook](crate::StartHook), which must be linked into it. The cell may then
    /// execute the program before its run. A program without the hook would run without its input. It must be false if there
    /// are `more_pipes`.
    pub prestart: bool,
    /// The resource limits of the run.
    pub limits: Limits,
    /// A CPU time below the CPU time limit at which the program is stopped as if it had exceeded the limit, unless other
    /// processes of the machine disturbed the run so far; see [`MachineLoad`](crate::model::MachineLoad). `None` for no
    /// such time.
    pub early_stop: Option<TimeSpan>,
    /// The maximum size of the address space of each process (RLIMIT_AS); `None` for no limit. The limit must be far above
    /// the memory limit, or absent, for run-time systems that reserve more address space than they use.
    pub address_space: Option<ByteSize>,
    /// The maximum number of bytes of standard error to keep.
    pub keep_stderr: usize,
}

/// The result of a run.
#[derive(Debug)]
pub struct CellOutput {
    /// The exit status, resource usage and exceeded limit.
    pub execution: Execution,
    /// The largest resident set of a process, including files that it mapped, such as shared libraries. The control group
    /// of a run is charged only for some of these files. A value below the memory limit may be that of the cell's own process,
    /// which starts the program; a value above the limit is that of the program.
    pub resident: ByteSize,
    /// Standard output, up to the output limit with [`Output::Collect`], and up to the size of the buffer with
    /// [`Output::Spill`]. It is empty with other destinations.
    pub stdout: Vec<u8>,
    /// The whole standard output up to the output limit, if [`Output::Spill`] was requested and the output did not fit
    /// in the buffer. The position in the file is not specified, so the file must be rewound before it is read.
    pub spilled: Option<File>,
    /// The regular files at the top level of the private working directory after the run, sorted by name, if requested.
    /// A file is omitted if it is unreadable, or if it would increase the total size above the output limit plus the
    /// size of [`CellCommand::files`].
    pub files: Vec<(OsString, Vec<u8>)>,
}

/// A sandbox, which opens cells for running untrusted programs.
pub trait Sandbox: Send + Sync {
    /// Returns the isolation that this sandbox provides.
    fn isolation(&self) -> &Isolation;

    /// Opens a cell.
    ///
    /// # Errors
    /// Returns a fault if the cell cannot be created with the isolation of [`Sandbox::isolation`].
    fn open(&self, spec: &CellSpec) -> Result<Box<dyn Cell>, Fault>;

    /// Announces that up to `count` cells will be opened soon. The sandbox may start their processes immediately, on
    /// other threads. Unused processes are ended when the sandbox is dropped.
    fn expect_cells(&self, _count: usize) {}

    /// Prepares the cells that [`Sandbox::expect_cells`] announced for these configurations, on other threads.
    /// [`Sandbox::open`] then returns such a cell if it is called with one of the configurations.
    fn prepare_cells(&self, _specs: &[CellSpec]) {}

    /// Returns a sandbox that shares all state with this sandbox, but whose cells are cancelled by `cancel`. Cells that
    /// are already open are unaffected.
    fn with_cancel(&self, cancel: Cancel) -> Arc<dyn Sandbox>;
}

/// An isolated environment in which programs run. Dropping it kills its processes and removes its files.
pub trait Cell: Send {
    /// Runs a command until it exits or exceeds a limit, then kills its remaining processes and removes its files.
    ///
    /// # Errors
    /// Returns a fault if the sandbox failed, the program could not be started, or the run was cancelled. A failure of
    /// the program itself is not an error.
    fn run(&mut self, command: CellCommand) -> Result<CellOutput, Fault>;

    /// Returns the path of the private working directory, as programs see it. The path may change after a run that
    /// returned a fault.
    fn private_dir(&self) -> &Path;

    /// Closes the cell without waiting until its process has ended. The sandbox waits for it when it is dropped.
    fn close(self: Box<Self>) {}

    /// Returns whether the cell has a queue of runs; see [`Cell::enqueue`].
    fn has_queue(&self) -> bool {
        false
    }

    /// Adds a run to the queue of the cell. The cell runs the commands of the queue one after another without waiting for
    /// the judge, as long as each run is *plain*: the program exits with code 0 within 10 ms, and leaves neither
    /// processes nor files. After another run, no command of the queue is run any more.
    ///
    /// All commands of the queue must have the same limits, and must neither contain files nor request them. Before
    /// [`Cell::run`] is called, [`Cell::finish_queued`] must be called for each command of the queue.
    ///
    /// # Errors
    /// Returns a fault of kind [`FaultKind::Internal`] if the cell has no queue or the command does not fit it, and
    /// otherwise the errors of [`Cell::run`]. After these, the other commands of the queue are not run.
    fn enqueue(&mut self, _command: CellCommand) -> Result<(), Fault> {
        Err(Fault::new(FaultKind::Internal, "the cell has no queue"))
    }

    /// Waits for the oldest run of the queue, removes it from the queue and returns its result. Returns `None` if the
    /// queue is empty, if the command was not run, or if its result is not certain because a limit was exceeded in the queue; it must then be
    /// run by [`Cell::run`].
    ///
    /// # Errors
    /// Returns the errors of [`Cell::run`]. The other commands of the queue are then not run.
    fn finish_queued(&mut self) -> Result<Option<CellOutput>, Fault> {
        Err(Fault::new(FaultKind::Internal, "the cell has no queue"))
    }
}
