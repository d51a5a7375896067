//! The judge's side of a cell, which sends run requests to the cell's process and replaces the process after an
//! error.

use std::ffi::OsString;
use std::fs::File;
use std::io::{Result as IoResult, Seek, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::cell_process::CellProcess;
use super::cgroup::Cgroup;
use super::message::{CellSetup, FilePart, RequestFile, RunReply, RunRequest};
use super::outcome::{CgroupCounts, RunFacts, execution};
use super::shared::SandboxShared;
use super::stream_capture::{CapturedOutput, StreamCapture, WaitResult, spill_dir, stream_pipe};
use super::wire::{self, Frame, FrameKind};
use super::{Cancel, Cell, CellCommand, CellOutput, Input, Output, sys};
use crate::model::{Breach, ByteSize, Capture, Execution, Fault, FaultKind, Limits, TimeSpan};

/// Time after the maximum extended wall limit at which a cell that has not replied is considered hung.
const BACKSTOP: Duration = Duration::from_secs(15);
/// The maximum ratio between the extended wall limit and the wall limit. The limit is extended by the time that the
/// program waited for a CPU.
pub(super) const WALL_STRETCH_MAX: u64 = 5;

/// A [`Cell`] that runs in a child process.
#[derive(Debug)]
pub(super) struct CellClient {
    shared: Arc<SandboxShared>,
    cancel: Cancel,
    setup: CellSetup,
    process: Option<CellProcess>,
    runs: u64,
}

fn fault(message: impl Into<String>) -> Fault {
    Fault::new(FaultKind::Sandbox, message)
}

fn cgroup_fault(error: std::io::Error) -> Fault {
    fault(format!("cannot read or write a control group: {error}"))
}

fn unwritable(error: &std::io::Error) -> Fault {
    let folder = spill_dir();
    let context = "cannot write the output of a program to a temporary file in";
    Fault::io(FaultKind::Data, error).context(format!("{context} `{}` (`TMPDIR` sets the folder)", folder.display()))
}

/// Returns a fault if a program reached its wall time limit, and may have done so because it waited until its output was
/// written to a temporary file.
fn delayed(execution: &Execution, spill_time: Duration, limits: &Limits) -> Result<(), Fault> {
    let timed_out = matches!(execution.breach, Some(Breach::Wall | Breach::Idle | Breach::Starved));
    if !timed_out || spill_time < limits.wall.duration() / 10 {
        return Ok(());
    }
    let (folder, time) = (spill_dir(), spill_time.as_secs_f64());
    let message = format!(
        "a program reached its wall time limit while its output was written to `{}`, which took {time:.1} s (`TMPDIR` \
         sets the folder)",
        folder.display()
    );
    Err(Fault::new(FaultKind::Overload, message))
}

fn cancelled() -> Fault {
    Fault::new(FaultKind::Cancelled, "the run was cancelled")
}

/// The data about a finished run: the cell's reply, the captured output, and the counters of the control group.
struct FinishedRun {
    reply: RunReply,
    /// The files that the program left, if they were requested.
    files: Vec<(OsString, Vec<u8>)>,
    capture: StreamCapture,
    group: Option<CgroupCounts>,
    /// Whether the process of the cell must be replaced.
    is_cell_lost: bool,
}

/// The descriptors of the program, and the capture of the output streams.
struct ProgramStreams {
    stdin: OwnedFd,
    stdout: OwnedFd,
    stderr: OwnedFd,
    more: Vec<OwnedFd>,
    /// The contents of the files that the cell creates; `None` if there are none.
    contents: Option<OwnedFd>,
    capture: StreamCapture,
}

/// Writes the contents of files, one after another, to a file in memory, and rewinds it. Returns `None` if there are no
/// files.
fn contents(files: &[(OsString, Vec<u8>)]) -> IoResult<Option<OwnedFd>> {
    if files.is_empty() {
        return Ok(None);
    }
    use rustix::fs::{MemfdFlags, memfd_create};
    // Some systems refuse executable files in memory, and kernels before Linux 6.3 do not know the other flag.
    let file = match memfd_create("files", MemfdFlags::CLOEXEC | MemfdFlags::NOEXEC_SEAL) {
        Err(rustix::io::Errno::INVAL) => memfd_create("files", MemfdFlags::CLOEXEC),
        other => other,
    };
    let mut file = File::from(file?);
    files.iter().try_for_each(|(_, content)| file.write_all(content))?;
    file.rewind()?;
    Ok(Some(file.into()))
}

/// Appends a part to the last file if it has the same name, and otherwise adds a file.
fn append(files: &mut Vec<(OsString, Vec<u8>)>, part: FilePart) {
    match files.last_mut().filter(|(name, _)| *name == part.name) {
        Some((_, content)) => content.extend(part.content),
        None => files.push((part.name, part.content)),
    }
}

fn streams(
    null: &File,
    (stdin, stdout, more): (Input, Output, Vec<OwnedFd>),
    limit: u64,
    keep_stderr: usize,
) -> IoResult<ProgramStreams> {
    let memory = match stdout {
        Output::Spill { memory } => memory,
        Output::Collect | Output::Pipe(_) | Output::StoppablePipe { .. } => usize::MAX,
    };
    let stdin = match stdin {
        Input::Empty => null.try_clone()?.into(),
        Input::File(mut file) => {
            file.rewind()?;
            file.into()
        }
        Input::Pipe(end) => end,
    };
    let (read_stdout, stdout, stop) = match stdout {
        Output::Collect | Output::Spill { .. } => {
            let (read, write) = stream_pipe()?;
            (Some(read), write, None)
        }
        Output::Pipe(end) => (None, end, None),
        Output::StoppablePipe { pipe, stop } => (None, pipe, Some(stop)),
    };
    let (read_stderr, stderr) = stream_pipe()?;
    Ok(ProgramStreams {
        stdin,
        stdout,
        stderr,
        more,
        contents: None,
        capture: StreamCapture::new((read_stdout, read_stderr), stop, limit, (memory, keep_stderr)),
    })
}

impl CellClient {
    /// Creates a client and starts its cell.
    pub(super) fn new(shared: Arc<SandboxShared>, cancel: Cancel, setup: CellSetup) -> Result<CellClient, Fault> {
        let mut client = CellClient { shared, cancel, setup, process: None, runs: 0 };
        client.ensure_started()?;
        Ok(client)
    }

    /// Returns the process of the cell. Starts and prepares a process if there is none.
    fn ensure_started(&mut self) -> Result<&mut CellProcess, Fault> {
        if self.process.is_none() && !self.setup.namespaced {
            // A discarded process may have left files in the old directory, so a new directory is created.
            self.setup.private_dir = self
                .shared
                .starter
                .temp_dir
                .create_dir()
                .map_err(|error| fault(format!("cannot create a working directory: {error}")))?;
        }
        let cell = match self.process.take() {
            Some(cell) => cell,
            None => self.shared.start(&self.setup)?,
        };
        Ok(self.process.insert(cell))
    }

    /// Waits until the kernel has freed the memory of the previous run, and returns the process of the cell. If the
    /// memory is not freed in time, the process is replaced.
    fn ready_cell(&mut self) -> Result<&mut CellProcess, Fault> {
        let asked = self.ensure_started()?.group.as_mut().map_or(Ok(true), Cgroup::wait_for_reclaim);
        if !asked.map_err(cgroup_fault)? {
            self.process = None;
        }
        self.ensure_started()
    }

    /// Sends a run request to the cell and waits for the reply. After an error, the process of the cell must be
    /// discarded.
    fn run_request(&mut self, request: &RunRequest, streams: ProgramStreams) -> Result<FinishedRun, Fault> {
        self.runs += 1;
        let (number, cancel) = (self.runs, self.cancel.clone());
        let program = || request.argv.first().map_or(Path::new(""), Path::new).display();
        let cell = self.ready_cell()?;
        if let Some(group) = &mut cell.group {
            let read_only = request.files.iter().filter(|file| file.read_only);
            let page = rustix::param::page_size() as u64;
            let file_bytes = read_only.map(|file| file.size.next_multiple_of(page)).sum();
            group.begin_run(request.memory, file_bytes, request.processes).map_err(cgroup_fault)?;
        }
        let ProgramStreams { stdin, stdout, stderr, more, contents, mut capture } = streams;
        let standard = [stdin.as_fd(), stdout.as_fd(), stderr.as_fd()];
        let other = more.iter().map(AsFd::as_fd).chain(contents.as_ref().map(AsFd::as_fd));
        let descriptors: Vec<BorrowedFd<'_>> = standard.into_iter().chain(other).collect();
        wire::send(&cell.socket, FrameKind::Request, number, &request.encode(), &descriptors)
            .map_err(|error| fault(format!("cannot send a request to a cell: {error}")))?;
        drop((stdin, more, contents));
        capture.hold(stdout, stderr);
        let timeout =
            Duration::from_micros(request.wall_micros.saturating_mul(WALL_STRETCH_MAX)).saturating_add(BACKSTOP);
        let deadline = Instant::now() + timeout;
        let mut files = Vec::new();
        let waited = loop {
            let waited = capture
                .wait(&cell.socket, number, &cancel, deadline.saturating_duration_since(Instant::now()))
                .map_err(|error| fault(format!("cannot wait for a run: {error}")))?;
            let takes = |frame: &Frame| request.take_files && frame.kind == FrameKind::FilePart;
            match waited {
                WaitResult::Frame(frame) if takes(&frame) && frame.number == number => {
                    let part = FilePart::decode(&frame.body)
                        .map_err(|error| fault(format!("cannot decode a file from a cell: {error}")))?;
                    append(&mut files, part);
                }
                other => break other,
            }
        };
        match waited {
            WaitResult::Frame(frame) if frame.kind == FrameKind::Reply && frame.number == number => {
                capture.read_remaining().map_err(|error| unwritable(&error))?;
                let reply = RunReply::decode(&frame.body)
                    .map_err(|error| fault(format!("cannot decode the reply of a cell: {error}")))?;
                let group =
                    cell.group.as_mut().map(|group| group.end_run(reply.resident)).transpose().map_err(cgroup_fault)?;
                let is_cell_lost = reply.cell_error.is_some();
                Ok(FinishedRun { reply, files, capture, group, is_cell_lost })
            }
            WaitResult::Frame(frame) if frame.kind == FrameKind::Trouble => {
                Err(fault(format!("a cell failed: {}", String::from_utf8_lossy(&frame.body))))
            }
            WaitResult::Frame(frame) => {
                Err(fault(format!("expected a `Reply` frame from a cell, found `{:?}`", frame.kind)))
            }
            WaitResult::Gone => {
                // If the memory limit is too small for a program to start, the kernel kills the program and then, if
                // this frees too little, also its cell.
                let group = cell.group.as_mut().map(|group| group.end_run(0)).transpose().map_err(cgroup_fault)?;
                if group.is_none_or(|counts| counts.killed == 0) {
                    return Err(fault(format!("a cell exited during a run of `{}`", program())));
                }
                let reply = RunReply { status: libc::SIGKILL, ..RunReply::default() };
                Ok(FinishedRun { reply, files: Vec::new(), capture, group, is_cell_lost: true })
            }
            WaitResult::Overdue => {
                Err(fault(format!("a cell did not stop a run of `{}` that exceeded the wall time limit", program())))
            }
            WaitResult::Cancelled => Err(cancelled()),
            WaitResult::Unwritable(error) => Err(unwritable(&error)),
        }
    }
}

impl Cell for CellClient {
    fn run(&mut self, command: CellCommand) -> Result<CellOutput, Fault> {
        if self.cancel.is_cancelled() {
            return Err(cancelled());
        }
        let program = command.argv.first().cloned().unwrap_or_default();
        let request = request(&command);
        let CellCommand { stdin, stdout, more_pipes, limits, keep_stderr, files, .. } = command;
        let mut streams = streams(&self.shared.null, (stdin, stdout, more_pipes), limits.output.get(), keep_stderr)
            .map_err(|error| fault(format!("cannot set up the streams of a run: {error}")))?;
        streams.contents =
            contents(&files).map_err(|error| fault(format!("cannot write the files of a run to memory: {error}")))?;
        drop(files);
        let finished = self.run_request(&request, streams);
        if finished.as_ref().map_or(true, |finished| finished.is_cell_lost) {
            self.process = None;
        }
        let FinishedRun { reply, files, capture, group, .. } = finished?;
        if let Some(error) = reply.cell_error {
            return Err(fault(format!("a run of `{}` failed: {error}", Path::new(&program).display())));
        }
        if let Some((step, error)) = reply.failure {
            let (step, error) = (sys::step_description(step), std::io::Error::from_raw_os_error(error));
            return Err(fault(format!("cannot {step} `{}`: {error}", Path::new(&program).display())));
        }
        let (streamed, over_limit) = (capture.bytes(), capture.over_limit);
        let CapturedOutput { stdout, spilled, spill_time, stderr, stderr_bytes } = capture.finish();
        let stderr = Capture::new(&stderr, keep_stderr, stderr_bytes);
        let facts = RunFacts { reply: &reply, limits: &limits, streamed, over_limit, group };
        let execution = execution(&facts, stderr);
        delayed(&execution, spill_time, &limits)?;
        Ok(CellOutput { execution, resident: ByteSize::new(reply.resident), stdout, spilled, files })
    }

    fn private_dir(&self) -> &Path {
        &self.setup.private_dir
    }
}

impl Drop for CellClient {
    fn drop(&mut self) {
        self.process = None;
        if !self.setup.namespaced {
            // A cell removes its directory itself unless it was killed. The sandbox's temporary directory is removed in
            // any case.
            _ = std::fs::remove_dir(&self.setup.private_dir);
        }
    }
}

fn request(command: &CellCommand) -> RunRequest {
    let pair = |(name, value): &(std::ffi::OsString, std::ffi::OsString)| {
        let mut text = name.clone();
        text.push("=");
        text.push(value);
        text
    };
    let file = |(path, content): &(OsString, Vec<u8>)| RequestFile {
        path: path.clone(),
        size: content.len() as u64,
        read_only: command.read_only.contains(path),
    };
    RunRequest {
        argv: command.argv.clone(),
        env: command.env.iter().map(pair).collect(),
        dir: command.dir.clone(),
        files: command.files.iter().map(file).collect(),
        take_files: command.take_files,
        cpu_micros: command.limits.cpu.as_micros(),
        early_micros: command.early_stop.map(TimeSpan::as_micros),
        wall_micros: command.limits.wall.as_micros(),
        memory: command.limits.memory.get(),
        output: command.limits.output.get(),
        processes: u64::from(command.limits.processes),
        address_space: command.address_space.map_or(u64::MAX, ByteSize::get),
    }
}
