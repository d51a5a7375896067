//! The judge's side of a cell, which sends run requests to the cell's process and replaces the process after an
//! error.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::fs::File;
use std::io::{Result as IoResult, Seek};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::cell_process::CellProcess;
use super::cgroup::Cgroup;
use super::memory_file::memory_file;
use super::message::{CellSetup, FilePart, NumberedReply, Replies, RequestFile, RunReply, RunRequest};
use super::outcome::{CgroupCounts, RunFacts, execution};
use super::shared::SandboxShared;
use super::stream_capture::{
    AwaitedRun, CapturedOutput, CellSockets, StreamCapture, WaitResult, spill_dir, stream_pipe,
};
use super::wire::{self, FrameKind};
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
    /// The runs whose requests were sent and whose results were not returned, the oldest first.
    sent: VecDeque<SentRun>,
    /// The replies that have arrived and were not used, the oldest first.
    replies: VecDeque<NumberedReply>,
    /// Whether a queued run exceeded a limit that only the control group counts. It is not known which run it was, so
    /// the results of the queue are not used.
    is_doubtful: bool,
    /// Whether runs were queued since the last run that was not.
    had_queue: bool,
}

/// A run whose request was sent.
#[derive(Debug)]
struct SentRun {
    number: u64,
    /// The path of the program, for messages.
    program: OsString,
    limits: Limits,
    keep_stderr: usize,
    take_files: bool,
    is_queued: bool,
    capture: StreamCapture,
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
    run: SentRun,
    reply: RunReply,
    /// The files that the program left, if they were requested.
    files: Vec<(OsString, Vec<u8>)>,
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

/// Writes the contents of files, one after another, to a file in memory. Returns `None` if there are no files.
fn contents(files: &[(OsString, Vec<u8>)]) -> IoResult<Option<OwnedFd>> {
    if files.is_empty() {
        return Ok(None);
    }
    memory_file(files.iter().map(|(_, content)| content.as_slice())).map(|file| Some(file.into()))
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
        let (sent, replies) = (VecDeque::new(), VecDeque::new());
        let mut client = CellClient {
            shared,
            cancel,
            setup,
            process: None,
            runs: 0,
            sent,
            replies,
            is_doubtful: false,
            had_queue: false,
        };
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

    /// Returns the process of the cell, ready for a run that does not follow a queued run.
    fn begin_run(&mut self, request: &RunRequest) -> Result<&mut CellProcess, Fault> {
        let had_queue = std::mem::take(&mut self.had_queue);
        let cell = self.ready_cell()?;
        if let Some(group) = &mut cell.group {
            if had_queue {
                // The events of queued runs do not belong to this run.
                group.had_events().map_err(cgroup_fault)?;
            }
            let read_only = request.files.iter().filter(|file| file.read_only);
            let page = rustix::param::page_size() as u64;
            let file_bytes = read_only.map(|file| file.size.next_multiple_of(page)).sum();
            // The prestarted process, if there is one, counts as a process of the group.
            let processes = request.processes.saturating_add(u64::from(request.prestart));
            group.begin_run(request.memory, file_bytes, processes).map_err(cgroup_fault)?;
        }
        Ok(cell)
    }

    /// Sends the request for a run, whose encoding is `body`. After an error, the process of the cell must be discarded.
    fn send(&mut self, command: CellCommand, request: &RunRequest, body: &[u8]) -> Result<(), Fault> {
        if self.cancel.is_cancelled() {
            return Err(cancelled());
        }
        let CellCommand { stdin, stdout, more_pipes, limits, keep_stderr, files, take_files, mut argv, .. } = command;
        let mut streams = streams(&self.shared.null, (stdin, stdout, more_pipes), limits.output.get(), keep_stderr)
            .map_err(|error| fault(format!("cannot set up the streams of a run: {error}")))?;
        streams.contents =
            contents(&files).map_err(|error| fault(format!("cannot write the files of a run to memory: {error}")))?;
        drop(files);
        self.runs += 1;
        let number = self.runs;
        let cell = match self.process.as_mut().filter(|_| request.after_plain) {
            Some(cell) => cell,
            None => self.begin_run(request)?,
        };
        let ProgramStreams { stdin, stdout, stderr, more, contents, mut capture } = streams;
        let standard = [stdin.as_fd(), stdout.as_fd(), stderr.as_fd()];
        let other = more.iter().map(AsFd::as_fd).chain(contents.as_ref().map(AsFd::as_fd));
        let descriptors: Vec<BorrowedFd<'_>> = standard.into_iter().chain(other).collect();
        let sent = wire::send(&cell.socket, FrameKind::Request, number, body, &descriptors);
        // If an earlier run of the queue was the reason why the kernel killed the cell, the wait for that run reports it.
        let sent = if request.after_plain { wire::unless_closed(sent) } else { sent };
        sent.map_err(|error| fault(format!("cannot send a request to a cell: {error}")))?;
        capture.hold(stdout, stderr);
        let program = if argv.is_empty() { OsString::new() } else { argv.swap_remove(0) };
        let is_queued = request.queued;
        self.had_queue |= is_queued;
        self.sent.push_back(SentRun { number, program, limits, keep_stderr, take_files, is_queued, capture });
        Ok(())
    }

    /// Waits for the oldest run whose request was sent. Returns `None` if the program was not run, or if the result is
    /// doubtful. After an error, the process of the cell must be discarded.
    fn receive(&mut self) -> Result<Option<FinishedRun>, Fault> {
        // After an error, the other runs of the queue are discarded.
        let Some(mut run) = self.sent.pop_front() else { return Ok(None) };
        let mut files = Vec::new();
        if self.replies.is_empty()
            && let Some(group) = self.wait_for_replies(&mut run, &mut files)?
        {
            if run.is_queued {
                // Another run of the queue may have been the reason.
                self.discard();
                return Ok(None);
            }
            // If the memory limit is too small for a program to start, the kernel kills the program and then, if this
            // frees too little, also its cell.
            let reply = RunReply { status: libc::SIGKILL, ..RunReply::default() };
            return Ok(Some(FinishedRun { run, reply, files: Vec::new(), group: Some(group), is_cell_lost: true }));
        }
        let Some(NumberedReply { run: reply, .. }) =
            self.replies.pop_front().filter(|reply| reply.number == run.number)
        else {
            return Err(fault("a cell replied to a request out of order"));
        };
        if run.is_queued && reply.as_ref().is_some_and(|reply| reply.cell_error.is_some()) {
            self.discard();
            return Ok(None);
        }
        let Some(reply) = reply.filter(|_| !self.is_doubtful) else { return Ok(None) };
        run.capture.read_remaining().map_err(|error| unwritable(&error))?;
        let group = self.process.as_mut().and_then(|cell| cell.group.as_mut());
        let group = match (group, reply.memory) {
            (Some(group), Some(memory)) if run.is_queued => Some(group.end_queued_run(memory, reply.resident)),
            (Some(group), memory) => Some(group.end_run(memory, reply.resident).map_err(cgroup_fault)?),
            (None, _) => None,
        };
        let is_cell_lost = reply.cell_error.is_some();
        Ok(Some(FinishedRun { run, reply, files, group, is_cell_lost }))
    }

    /// Waits for replies of the cell, the first of which belongs to `run`. If the kernel killed the cell, returns the
    /// counts of the control group.
    fn wait_for_replies(
        &mut self,
        run: &mut SentRun,
        files: &mut Vec<(OsString, Vec<u8>)>,
    ) -> Result<Option<CgroupCounts>, Fault> {
        let program = Path::new(&run.program).display();
        let cell = self.process.as_mut().ok_or_else(|| fault("the process of a cell is gone"))?;
        let timeout = Duration::from_micros(run.limits.wall.as_micros().saturating_mul(WALL_STRETCH_MAX))
            .saturating_add(BACKSTOP);
        let deadline = Instant::now() + timeout;
        let sockets = CellSockets { socket: &cell.socket, control: &cell.control };
        let awaited = AwaitedRun { number: run.number, is_queued: run.is_queued };
        let waited = loop {
            let waited = run
                .capture
                .wait(&sockets, awaited, &self.cancel, deadline.saturating_duration_since(Instant::now()))
                .map_err(|error| fault(format!("cannot wait for a run: {error}")))?;
            match waited {
                WaitResult::Frame(frame)
                    if run.take_files && frame.kind == FrameKind::FilePart && frame.number == run.number =>
                {
                    let part = FilePart::decode(&frame.body)
                        .map_err(|error| fault(format!("cannot decode a file from a cell: {error}")))?;
                    append(files, part);
                }
                other => break other,
            }
        };
        match waited {
            WaitResult::Frame(frame) if frame.kind == FrameKind::Reply => {
                let Replies(replies) = Replies::decode(&frame.body)
                    .map_err(|error| fault(format!("cannot decode the reply of a cell: {error}")))?;
                self.replies.extend(replies);
                if run.is_queued
                    && let Some(group) = &mut cell.group
                {
                    self.is_doubtful |= group.had_events().map_err(cgroup_fault)?;
                }
                Ok(None)
            }
            WaitResult::Frame(frame) if frame.kind == FrameKind::Trouble => {
                Err(fault(format!("a cell failed: {}", String::from_utf8_lossy(&frame.body))))
            }
            WaitResult::Frame(frame) => {
                Err(fault(format!("expected a `Reply` frame from a cell, found `{:?}`", frame.kind)))
            }
            WaitResult::Gone => {
                let group =
                    cell.group.as_mut().map(|group| group.end_run(None, 0)).transpose().map_err(cgroup_fault)?;
                // The events of the queue that were counted with earlier replies may be those of this run.
                match group.filter(|counts| counts.killed > 0 || self.is_doubtful) {
                    Some(counts) => Ok(Some(counts)),
                    None => Err(fault(format!("a cell exited during a run of `{program}`"))),
                }
            }
            WaitResult::Overdue => {
                Err(fault(format!("a cell did not stop a run of `{program}` that exceeded the wall time limit")))
            }
            WaitResult::Cancelled => Err(cancelled()),
            WaitResult::Unwritable(error) => Err(unwritable(&error)),
        }
    }

    /// Returns the result of the oldest run; see [`CellClient::receive`]. After an error, the process of the cell is
    /// discarded.
    fn finish(&mut self) -> Result<Option<CellOutput>, Fault> {
        let finished = self.receive();
        if self.sent.is_empty() {
            self.is_doubtful = false;
        }
        let is_cell_lost = match &finished {
            Ok(finished) => finished.as_ref().is_some_and(|finished| finished.is_cell_lost),
            Err(_) => true,
        };
        if is_cell_lost {
            self.discard();
        }
        finished?.map(output).transpose()
    }

    /// Discards the process of the cell, and all runs whose requests were sent.
    fn discard(&mut self) {
        self.process = None;
        self.sent.clear();
        self.replies.clear();
        self.is_doubtful = false;
    }
}

/// Returns the output of a finished run.
fn output(finished: FinishedRun) -> Result<CellOutput, Fault> {
    let FinishedRun { run: SentRun { program, limits, keep_stderr, capture, .. }, reply, files, group, .. } = finished;
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

impl Cell for CellClient {
    fn run(&mut self, command: CellCommand) -> Result<CellOutput, Fault> {
        if !self.sent.is_empty() {
            return Err(Fault::new(FaultKind::Internal, "the queue of the cell is not empty"));
        }
        let request = request(&command);
        self.send(command, &request, &request.encode()).inspect_err(|_| self.discard())?;
        self.finish()?.ok_or_else(|| fault("a cell did not run a program"))
    }

    fn private_dir(&self) -> &Path {
        &self.setup.private_dir
    }

    fn close(mut self: Box<Self>) {
        if self.setup.namespaced
            && let Some(process) = self.process.take()
        {
            self.shared.end_later(process);
        }
    }

    fn has_queue(&self) -> bool {
        // In strict mode, each run has a process of the cell of its own.
        self.setup.namespaced && !self.setup.strict
    }

    fn enqueue(&mut self, command: CellCommand) -> Result<(), Fault> {
        let request = RunRequest { queued: true, after_plain: !self.sent.is_empty(), ..request(&command) };
        let body = request.encode();
        let is_valid = self.has_queue()
            && command.files.is_empty()
            && !command.take_files
            && self.sent.front().is_none_or(|first| first.is_queued && first.limits == command.limits)
            // The requests of a queue fit in the buffer of the socket, so that the judge does not wait for the cell.
            && body.len() <= wire::SINGLE_PACKET_BODY_MAX;
        if !is_valid {
            return Err(Fault::new(FaultKind::Internal, "the command cannot be added to the queue of the cell"));
        }
        self.send(command, &request, &body).inspect_err(|_| self.discard())
    }

    fn finish_queued(&mut self) -> Result<Option<CellOutput>, Fault> {
        self.finish()
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
        prestart: command.prestart,
        queued: false,
        after_plain: false,
    }
}
