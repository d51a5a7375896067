//! The judge's client of a cell: starts its process, sends it runs, and discards it after an error.

use std::io::Result as IoResult;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};

use super::cgroup::{Cgroup, CgroupHierarchy};
use super::message::{CellSetup, RunReply, RunRequest};
use super::outcome::{CgroupCounts, RunFacts, execution};
use super::stream_capture::{StreamCapture, WaitResult, stream_pipe};
use super::temp_dir::TempDirs;
use super::wire::{self, FrameKind};
use super::{Cancel, Cell, CellCommand, CellOutput, CellSpec, Input, Output, sys};
use crate::model::{Capture, Fault, FaultKind};

/// Time past the wall limit after which the cell is considered hung.
const BACKSTOP: Duration = Duration::from_secs(15);
/// The wall limit is extended to at most this multiple while the program waits for a CPU.
pub(super) const WALL_STRETCH_MAX: u64 = 5;
/// Time in which a cell whose socket was closed must end.
const GRACE: Duration = Duration::from_secs(2);
/// Timeout for preparing a cell; ample for a heavily loaded machine.
const PREPARE_MAX: Duration = Duration::from_secs(30);

/// State that all cells of a sandbox share.
#[derive(Debug)]
pub(super) struct SandboxShared {
    /// The executable of the cells.
    pub(super) exe: PathBuf,
    pub(super) temp_dir: TempDirs,
    /// The parent control groups, if control groups are used.
    pub(super) hierarchy: Option<CgroupHierarchy>,
    /// Whether cells count executed instructions.
    pub(super) instructions: bool,
    /// The CPUs of this process when the sandbox was created. Worker threads may pin themselves later.
    pub(super) processors: Vec<u64>,
    null: std::fs::File,
}

impl SandboxShared {
    /// Creates the shared state of cells with the executable `exe`.
    pub(super) fn new(exe: PathBuf, hierarchy: Option<CgroupHierarchy>) -> Result<SandboxShared, Fault> {
        let null =
            std::fs::File::open("/dev/null").map_err(|error| fault(format!("cannot open /dev/null: {error}")))?;
        Ok(SandboxShared {
            exe,
            temp_dir: TempDirs::new()?,
            hierarchy,
            instructions: false,
            processors: processors(),
            null,
        })
    }

    /// The CPUs that a cell may use: the CPU of its slot, or all CPUs.
    pub(super) fn processors_for(&self, spec: &CellSpec) -> Vec<u64> {
        // Submissions are pinned to one CPU each, so that their times depend least on other programs. A cell with a
        // writable mount runs a compiler, which may use all CPUs.
        let pinned = spec.mounts.iter().all(|mount| !mount.writable);
        match self.processors.get(spec.slot % self.processors.len().max(1)) {
            Some(processor) if pinned => vec![*processor],
            _ => self.processors.clone(),
        }
    }
}

fn processors() -> Vec<u64> {
    let allowed = rustix::thread::sched_getaffinity(None);
    let all = 0..rustix::thread::CpuSet::MAX_CPU;
    allowed.map_or_else(|_| Vec::new(), |set| all.filter(|one| set.is_set(*one)).map(|one| one as u64).collect())
}

/// Pins the calling thread to the CPU that the cells of this slot use. Then starting a run and receiving its result
/// need no inter-processor interrupt. Worker threads call it after the sandbox was created.
///
/// # Errors
/// Returns a fault if the CPU affinity cannot be set.
pub fn pin_to_slot(slot: usize) -> Result<(), Fault> {
    let all = processors();
    let Some(processor) = all.get(slot % all.len().max(1)) else { return Ok(()) };
    let mut only = rustix::thread::CpuSet::new();
    only.set(*processor as usize);
    rustix::thread::sched_setaffinity(None, &only)
        .map_err(|error| fault(format!("cannot pin the thread to CPU {processor}: {error}")))
}

/// A [`Cell`] that runs in a child process.
#[derive(Debug)]
pub(super) struct CellClient {
    shared: Arc<SandboxShared>,
    cancel: Cancel,
    setup: CellSetup,
    process: Option<CellProcess>,
    runs: u64,
}

/// The process of a cell and its socket.
#[derive(Debug)]
struct CellProcess {
    child: Child,
    socket: OwnedFd,
    /// Dropped after the process: a control group that contains processes cannot be removed.
    group: Option<Cgroup>,
}

fn fault(message: impl Into<String>) -> Fault {
    Fault::new(FaultKind::Sandbox, message)
}

fn cgroup_fault(error: std::io::Error) -> Fault {
    fault(format!("cannot read or write a control group: {error}"))
}

fn cancelled() -> Fault {
    Fault::new(FaultKind::Cancelled, "the run was cancelled")
}

impl CellProcess {
    /// Starts a cell process and waits until it is prepared.
    fn start(shared: &SandboxShared, setup: &CellSetup) -> Result<CellProcess, Fault> {
        let (here, there) = socketpair(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None)
            .map_err(|error| fault(format!("cannot create the socket of a cell: {error}")))?;
        let mut command = Command::new(&shared.exe);
        command.arg("__cell").env_clear().current_dir("/");
        command.stdin(Stdio::from(there)).stdout(Stdio::null()).stderr(Stdio::null());
        let child = command
            .spawn()
            .map_err(|error| fault(format!("cannot start a cell from {}: {error}", shared.exe.display())))?;
        // The command owns the cell's end of the socket. Drop it, so that the end of the cell closes the socket.
        drop(command);
        let mut cell = CellProcess { child, socket: here, group: None };
        let cgroup_fault = |error: std::io::Error| fault(format!("cannot create the control group of a cell: {error}"));
        let mut to_join = Vec::new();
        if let Some(hierarchy) = &shared.hierarchy {
            let group =
                cell.group.insert(Cgroup::new(hierarchy, &shared.temp_dir, setup.strict).map_err(cgroup_fault)?);
            to_join = group.adopt(cell.child.id()).map_err(cgroup_fault)?;
        }
        cell.prepare(setup, &to_join)?;
        if let Some(group) = &mut cell.group {
            group.record_baseline().map_err(cgroup_fault)?;
        }
        Ok(cell)
    }

    fn prepare(&self, setup: &CellSetup, to_join: &[OwnedFd]) -> Result<(), Fault> {
        let failed = |error: std::io::Error| fault(format!("cannot communicate with a new cell: {error}"));
        let counter = self.group.as_ref().map(Cgroup::cpu_counter).transpose().map_err(failed)?;
        let descriptors: Vec<BorrowedFd<'_>> = counter.iter().chain(to_join).map(AsFd::as_fd).collect();
        wire::send(&self.socket, FrameKind::Setup, 0, &setup.encode(), &descriptors).map_err(failed)?;
        rustix::net::sockopt::set_socket_timeout(&self.socket, rustix::net::sockopt::Timeout::Recv, Some(PREPARE_MAX))
            .map_err(|error| failed(error.into()))?;
        match wire::receive(&self.socket).map_err(failed)? {
            Some(frame) if frame.kind == FrameKind::Ready => Ok(()),
            Some(frame) if frame.kind == FrameKind::Trouble => {
                Err(fault(format!("a cell failed to start: {}", String::from_utf8_lossy(&frame.body))))
            }
            Some(frame) => Err(fault(format!("expected a `ReadyStreams` frame from a cell, found `{:?}`", frame.kind))),
            None => Err(fault("a cell exited before it was ready; its executable must be nimatron")),
        }
    }
}

/// Waits until the process has ended, and returns whether it has.
fn ends_within(child: &mut Child, timeout: Duration) -> bool {
    let deadline = Instant::now() + timeout;
    let handle = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw);
    let handle = handle.map(|pid| rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::empty()));
    let Some(Ok(handle)) = handle else {
        // Without a free descriptor the process is polled.
        while Instant::now() < deadline {
            if !matches!(child.try_wait(), Ok(None)) {
                return true;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        return false;
    };
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let left = rustix::event::Timespec::try_from(left).ok();
        match poll(&mut [PollFd::new(&handle, PollFlags::IN)], left.as_ref()) {
            Ok(count) => return count > 0,
            Err(Errno::INTR) => {}
            Err(_) => return false,
        }
    }
}

impl Drop for CellProcess {
    fn drop(&mut self) {
        // Closing the socket makes the cell kill its programs, clean up and exit. A cell that does not exit is killed.
        _ = rustix::net::shutdown(&self.socket, rustix::net::Shutdown::Both);
        if !ends_within(&mut self.child, GRACE) {
            _ = self.child.kill();
        }
        _ = self.child.wait();
    }
}

/// The results of a finished run.
struct FinishedRun {
    reply: RunReply,
    capture: StreamCapture,
    group: Option<CgroupCounts>,
}

/// The descriptors of the program's standard streams, and the capture of the other ends.
struct ProgramStreams {
    stdin: OwnedFd,
    stdout: OwnedFd,
    stderr: OwnedFd,
    capture: StreamCapture,
}

fn streams(
    null: &std::fs::File,
    stdin: Input,
    stdout: Output,
    limit: u64,
    keep_stderr: usize,
) -> IoResult<ProgramStreams> {
    let stdin = match stdin {
        Input::Empty => null.try_clone()?.into(),
        Input::File(mut file) => {
            std::io::Seek::rewind(&mut file)?;
            file.into()
        }
        Input::Pipe(end) => end,
    };
    let (read_stdout, stdout, stop) = match stdout {
        Output::Collect => {
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
        capture: StreamCapture::new((read_stdout, read_stderr), stop, limit, keep_stderr),
    })
}

impl CellClient {
    /// Creates a client and starts its cell.
    pub(super) fn new(shared: Arc<SandboxShared>, cancel: Cancel, setup: CellSetup) -> Result<CellClient, Fault> {
        let mut client = CellClient { shared, cancel, setup, process: None, runs: 0 };
        client.ensure_started()?;
        Ok(client)
    }

    /// Returns the running cell; starts one if there is none.
    fn ensure_started(&mut self) -> Result<&mut CellProcess, Fault> {
        if self.process.is_none() && !self.setup.namespaced {
            // The discarded cell may have left files in its directory.
            self.setup.private_dir = self
                .shared
                .temp_dir
                .create_dir()
                .map_err(|error| fault(format!("cannot create a working directory: {error}")))?;
        }
        match self.process.take() {
            Some(cell) => Ok(self.process.insert(cell)),
            None => Ok(self.process.insert(CellProcess::start(&self.shared, &self.setup)?)),
        }
    }

    /// Returns a cell whose previous run is fully released; replaces the cell if its memory was not freed.
    fn ready_cell(&mut self) -> Result<&mut CellProcess, Fault> {
        let asked = self.ensure_started()?.group.as_mut().map_or(Ok(true), Cgroup::wait_for_reclaim);
        if !asked.map_err(cgroup_fault)? {
            self.process = None;
        }
        self.ensure_started()
    }

    /// Sends a run to the cell and waits for its end. After an error the cell must be discarded.
    fn run_request(&mut self, request: &RunRequest, streams: ProgramStreams) -> Result<FinishedRun, Fault> {
        self.runs += 1;
        let (number, cancel) = (self.runs, self.cancel.clone());
        let cell = self.ready_cell()?;
        if let Some(group) = &mut cell.group {
            group.begin_run(request.memory, request.processes).map_err(cgroup_fault)?;
        }
        let ProgramStreams { stdin, stdout, stderr, mut capture } = streams;
        let descriptors: [BorrowedFd<'_>; 3] = [stdin.as_fd(), stdout.as_fd(), stderr.as_fd()];
        wire::send(&cell.socket, FrameKind::Request, number, &request.encode(), &descriptors)
            .map_err(|error| fault(format!("cannot send a request to a cell: {error}")))?;
        drop(stdin);
        capture.hold(stdout, stderr);
        let timeout =
            Duration::from_micros(request.wall_micros.saturating_mul(WALL_STRETCH_MAX)).saturating_add(BACKSTOP);
        let waited = capture
            .wait(&cell.socket, number, &cancel, timeout)
            .map_err(|error| fault(format!("cannot wait for a run: {error}")))?;
        match waited {
            WaitResult::Frame(frame) if frame.kind == FrameKind::Reply && frame.number == number => {
                capture.read_remaining();
                let reply = RunReply::decode(&frame.body)
                    .map_err(|error| fault(format!("cannot decode the reply of a cell: {error}")))?;
                let group =
                    cell.group.as_mut().map(|group| group.end_run(reply.resident)).transpose().map_err(cgroup_fault)?;
                Ok(FinishedRun { reply, capture, group })
            }
            WaitResult::Frame(frame) if frame.kind == FrameKind::Trouble => {
                Err(fault(format!("a cell failed: {}", String::from_utf8_lossy(&frame.body))))
            }
            WaitResult::Frame(frame) => {
                Err(fault(format!("expected a `RunReply` frame from a cell, found `{:?}`", frame.kind)))
            }
            WaitResult::Gone => Err(fault("a cell exited during a run")),
            WaitResult::Overdue => Err(fault("a cell did not end a run at its wall limit")),
            WaitResult::Cancelled => Err(cancelled()),
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
        let CellCommand { stdin, stdout, limits, keep_stderr, .. } = command;
        let streams = streams(&self.shared.null, stdin, stdout, limits.output.get(), keep_stderr)
            .map_err(|error| fault(format!("cannot set up the streams of a run: {error}")))?;
        let finished = self.run_request(&request, streams);
        let is_unusable = finished.as_ref().map_or(true, |finished| finished.reply.cell_error.is_some());
        if is_unusable {
            self.process = None;
        }
        let FinishedRun { mut reply, capture, group } = finished?;
        if let Some(error) = reply.cell_error {
            return Err(fault(error));
        }
        if let Some((step, error)) = reply.failure {
            let (step, error) = (sys::step_description(step), std::io::Error::from_raw_os_error(error));
            return Err(fault(format!("cannot {step} {}: {error}", Path::new(&program).display())));
        }
        let (streamed, over_limit) = (capture.bytes(), capture.over_limit);
        let (stdout, stderr, stderr_bytes) = capture.finish();
        let stderr = Capture::new(&stderr, keep_stderr, stderr_bytes);
        let files = std::mem::take(&mut reply.collected);
        let facts = RunFacts { reply: &reply, limits: &limits, streamed, over_limit, group };
        Ok(CellOutput { execution: execution(&facts, stderr), stdout, files })
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
    RunRequest {
        argv: command.argv.clone(),
        env: command.env.iter().map(pair).collect(),
        dir: command.dir.clone(),
        files: command.files.clone(),
        take_files: command.take_files,
        cpu_micros: command.limits.cpu.as_micros(),
        wall_micros: command.limits.wall.as_micros(),
        memory: command.limits.memory.get(),
        output: command.limits.output.get(),
        processes: u64::from(command.limits.processes),
        bound_address_space: command.bound_address_space,
    }
}
