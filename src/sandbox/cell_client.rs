//! The judge's client of a cell: starts its process, sends it runs, and discards it after an error.

use std::io::Result as IoResult;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};

use super::cgroup::{Group, Hierarchy};
use super::message::{Reply, Request, Setup};
use super::outcome::{GroupFacts, Seen, execution};
use super::stream_capture::{Drain, Waited, stream_pipe};
use super::temp_dir::TempDirs;
use super::wire::{self, Kind};
use super::{Cancel, Cell, CellCommand, CellOutput, CellSpec, Input, Output, sys};
use crate::model::{Capture, Fault, FaultKind};

/// Time past the wall limit after which the cell is considered hung.
const BACKSTOP: Duration = Duration::from_secs(15);
/// The wall limit is extended to at most this multiple while the program waits for a CPU.
pub(super) const WALL_STRETCH_MAX: u64 = 5;
/// Timeout for preparing a cell; ample for a heavily loaded machine.
const PREPARE_MAX: Duration = Duration::from_secs(30);

/// State that all cells of a sandbox share.
#[derive(Debug)]
pub(super) struct House {
    /// The executable of the cells.
    pub(super) exe: PathBuf,
    pub(super) den: TempDirs,
    /// The parent control groups, if control groups are used.
    pub(super) hierarchy: Option<Hierarchy>,
    /// Whether cells count executed instructions.
    pub(super) instructions: bool,
    /// The CPUs of this process when the sandbox was created. Worker threads may pin themselves later.
    pub(super) processors: Vec<u64>,
    null: std::fs::File,
}

impl House {
    /// Creates the shared state of cells with the executable `exe`.
    pub(super) fn new(exe: PathBuf, hierarchy: Option<Hierarchy>) -> Result<House, Fault> {
        let null =
            std::fs::File::open("/dev/null").map_err(|error| fault(format!("cannot open /dev/null: {error}")))?;
        Ok(House { exe, den: TempDirs::new()?, hierarchy, instructions: false, processors: processors(), null })
    }

    /// The CPUs for a cell: that of its slot, or all.
    pub(super) fn processors_for(&self, room: &CellSpec) -> Vec<u64> {
        // Submissions are pinned to one CPU each, so that their times depend least on other programs. A cell with a
        // writable mount runs a compiler, which may use all CPUs.
        let pinned = room.mounts.iter().all(|mount| !mount.writable);
        match self.processors.get(room.slot % self.processors.len().max(1)) {
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
    house: Arc<House>,
    cancel: Cancel,
    setup: Setup,
    live: Option<Live>,
    runs: u64,
}

/// The process of a cell and its socket.
#[derive(Debug)]
struct Live {
    process: Child,
    socket: OwnedFd,
    /// Dropped after the process: a control group that contains processes cannot be removed.
    group: Option<Group>,
}

fn fault(message: impl Into<String>) -> Fault {
    Fault::new(FaultKind::Sandbox, message)
}

fn grouped(error: std::io::Error) -> Fault {
    fault(format!("cannot read or write a control group: {error}"))
}

fn cancelled() -> Fault {
    Fault::new(FaultKind::Cancelled, "the run was cancelled")
}

impl Live {
    /// Starts a cell process and waits until it is prepared.
    fn start(house: &House, setup: &Setup) -> Result<Live, Fault> {
        let (here, there) = socketpair(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None)
            .map_err(|error| fault(format!("cannot create the socket of a cell: {error}")))?;
        let mut command = Command::new(&house.exe);
        command.arg("__cell").env_clear().current_dir("/");
        command.stdin(Stdio::from(there)).stdout(Stdio::null()).stderr(Stdio::null());
        let process = command
            .spawn()
            .map_err(|error| fault(format!("cannot start a cell from {}: {error}", house.exe.display())))?;
        // The command owns the cell's end of the socket. Drop it, so that the end of the cell closes the socket.
        drop(command);
        let mut live = Live { process, socket: here, group: None };
        let grouped = |error: std::io::Error| fault(format!("cannot create the control group of a cell: {error}"));
        if let Some(hierarchy) = &house.hierarchy {
            let group = live.group.insert(Group::new(hierarchy, &house.den, setup.strict).map_err(grouped)?);
            group.adopt(live.process.id()).map_err(grouped)?;
        }
        live.prepare(setup)?;
        if let Some(group) = &mut live.group {
            group.settle().map_err(grouped)?;
        }
        Ok(live)
    }

    fn prepare(&self, setup: &Setup) -> Result<(), Fault> {
        let failed = |error: std::io::Error| fault(format!("cannot communicate with a new cell: {error}"));
        let counter = self.group.as_ref().map(Group::counter).transpose().map_err(failed)?;
        let counter: Vec<BorrowedFd<'_>> = counter.iter().map(AsFd::as_fd).collect();
        wire::send(&self.socket, Kind::Setup, 0, &setup.encode(), &counter).map_err(failed)?;
        rustix::net::sockopt::set_socket_timeout(&self.socket, rustix::net::sockopt::Timeout::Recv, Some(PREPARE_MAX))
            .map_err(|error| failed(error.into()))?;
        match wire::receive(&self.socket).map_err(failed)? {
            Some(frame) if frame.kind == Kind::Ready => Ok(()),
            Some(frame) if frame.kind == Kind::Trouble => {
                Err(fault(format!("a cell failed to start: {}", String::from_utf8_lossy(&frame.body))))
            }
            Some(frame) => Err(fault(format!("expected a `Ready` frame from a cell, found `{:?}`", frame.kind))),
            None => Err(fault("a cell exited before it was ready; its executable must be nimatron")),
        }
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        // Closing the socket makes the cell kill its programs, clean up and exit. A cell that does not exit is killed.
        _ = rustix::net::shutdown(&self.socket, rustix::net::Shutdown::Both);
        const GRACE_MS: u64 = 2_000;
        for _ in 0..GRACE_MS {
            match self.process.try_wait() {
                Ok(None) => std::thread::sleep(Duration::from_millis(1)),
                _ => return,
            }
        }
        _ = self.process.kill();
        _ = self.process.wait();
    }
}

/// The results of a finished run.
struct Exchanged {
    reply: Reply,
    drain: Drain,
    group: Option<GroupFacts>,
}

/// The descriptors of the program's standard streams, and the capture of the other ends.
struct Streams {
    stdin: OwnedFd,
    stdout: OwnedFd,
    stderr: OwnedFd,
    drain: Drain,
}

fn streams(null: &std::fs::File, stdin: Input, stdout: Output, limit: u64, keep_stderr: usize) -> IoResult<Streams> {
    let stdin = match stdin {
        Input::Empty => null.try_clone()?.into(),
        Input::File(mut file) => {
            std::io::Seek::rewind(&mut file)?;
            file.into()
        }
        Input::Pipe(end) => end,
    };
    let (read_stdout, stdout) = match stdout {
        Output::Collect => {
            let (read, write) = stream_pipe()?;
            (Some(read), write)
        }
        Output::Pipe(end) => (None, end),
    };
    let (read_stderr, stderr) = stream_pipe()?;
    let held =
        if read_stdout.is_some() { vec![stdout.try_clone()?, stderr.try_clone()?] } else { vec![stderr.try_clone()?] };
    Ok(Streams { stdin, stdout, stderr, drain: Drain::new(read_stdout, read_stderr, held, limit, keep_stderr) })
}

impl CellClient {
    /// Creates a client and starts its cell.
    pub(super) fn new(house: Arc<House>, cancel: Cancel, setup: Setup) -> Result<CellClient, Fault> {
        let mut keeper = CellClient { house, cancel, setup, live: None, runs: 0 };
        keeper.ensure()?;
        Ok(keeper)
    }

    /// Returns the running cell; starts one if there is none.
    fn ensure(&mut self) -> Result<&mut Live, Fault> {
        if self.live.is_none() && !self.setup.contained {
            // The discarded cell may have left files in its directory.
            self.setup.private_dir = self
                .house
                .den
                .folder()
                .map_err(|error| fault(format!("cannot create a working directory: {error}")))?;
        }
        match self.live.take() {
            Some(live) => Ok(self.live.insert(live)),
            None => Ok(self.live.insert(Live::start(&self.house, &self.setup)?)),
        }
    }

    /// Returns a cell whose previous run is fully released; replaces the cell if its memory was not freed.
    fn rested(&mut self) -> Result<&mut Live, Fault> {
        let asked = self.ensure()?.group.as_mut().map_or(Ok(true), Group::rests);
        if !asked.map_err(grouped)? {
            self.live = None;
        }
        self.ensure()
    }

    /// Sends a run to the cell and waits for its end. After an error the cell must be discarded.
    fn exchange(&mut self, request: &Request, streams: Streams) -> Result<Exchanged, Fault> {
        self.runs += 1;
        let (number, cancel) = (self.runs, self.cancel.clone());
        let live = self.rested()?;
        if let Some(group) = &mut live.group {
            group.begin(request.memory, request.processes).map_err(grouped)?;
        }
        let Streams { stdin, stdout, stderr, mut drain } = streams;
        let descriptors: [BorrowedFd<'_>; 3] = [stdin.as_fd(), stdout.as_fd(), stderr.as_fd()];
        wire::send(&live.socket, Kind::Request, number, &request.encode(), &descriptors)
            .map_err(|error| fault(format!("cannot send a request to a cell: {error}")))?;
        drop((stdin, stdout, stderr));
        let longest =
            Duration::from_micros(request.wall_micros.saturating_mul(WALL_STRETCH_MAX)).saturating_add(BACKSTOP);
        let waited = drain
            .wait(&live.socket, number, &cancel, longest)
            .map_err(|error| fault(format!("cannot wait for a run: {error}")))?;
        match waited {
            Waited::Spoke(frame) if frame.kind == Kind::Reply && frame.number == number => {
                drain.rest();
                let reply = Reply::decode(&frame.body)
                    .map_err(|error| fault(format!("cannot decode the reply of a cell: {error}")))?;
                let group = live.group.as_mut().map(|group| group.end(reply.resident)).transpose().map_err(grouped)?;
                Ok(Exchanged { reply, drain, group })
            }
            Waited::Spoke(frame) if frame.kind == Kind::Trouble => {
                Err(fault(format!("a cell failed: {}", String::from_utf8_lossy(&frame.body))))
            }
            Waited::Spoke(frame) => {
                Err(fault(format!("expected a `Reply` frame from a cell, found `{:?}`", frame.kind)))
            }
            Waited::Gone => Err(fault("a cell exited during a run")),
            Waited::Overdue => Err(fault("a cell did not end a run at its wall limit")),
            Waited::Cancelled => Err(cancelled()),
        }
    }
}

impl Cell for CellClient {
    fn run(&mut self, task: CellCommand) -> Result<CellOutput, Fault> {
        if self.cancel.is_cancelled() {
            return Err(cancelled());
        }
        let program = task.argv.first().cloned().unwrap_or_default();
        let request = request(&task);
        let CellCommand { stdin, stdout, limits, keep_stderr, .. } = task;
        let streams = streams(&self.house.null, stdin, stdout, limits.output.get(), keep_stderr)
            .map_err(|error| fault(format!("cannot set up the streams of a run: {error}")))?;
        let exchanged = self.exchange(&request, streams);
        let odd = exchanged.as_ref().map_or(true, |exchanged| exchanged.reply.odd.is_some());
        if odd {
            self.live = None;
        }
        let Exchanged { mut reply, drain, group } = exchanged?;
        if let Some(odd) = reply.odd {
            return Err(fault(odd));
        }
        if let Some((step, error)) = reply.failure {
            let (step, error) = (sys::step_name(step), std::io::Error::from_raw_os_error(error));
            return Err(fault(format!("cannot {step} {}: {error}", Path::new(&program).display())));
        }
        let (streamed, flooded) = (drain.bytes(), drain.flooded);
        let (stdout, stderr, stderr_bytes) = drain.finish();
        let stderr = Capture::new(&stderr, keep_stderr, stderr_bytes);
        let files = std::mem::take(&mut reply.taken);
        let seen = Seen { reply: &reply, limits: &limits, streamed, flooded, group };
        Ok(CellOutput { execution: execution(&seen, stderr), stdout, files })
    }

    fn private_dir(&self) -> &Path {
        &self.setup.private_dir
    }
}

impl Drop for CellClient {
    fn drop(&mut self) {
        self.live = None;
        if !self.setup.contained {
            // A cell removes its directory itself unless it was killed. The sandbox's temporary directory is removed in
            // any case.
            _ = std::fs::remove_dir(&self.setup.private_dir);
        }
    }
}

fn request(task: &CellCommand) -> Request {
    let pair = |(name, value): &(std::ffi::OsString, std::ffi::OsString)| {
        let mut text = name.clone();
        text.push("=");
        text.push(value);
        text
    };
    Request {
        argv: task.argv.clone(),
        env: task.env.iter().map(pair).collect(),
        dir: task.dir.clone(),
        files: task.files.clone(),
        take_files: task.take_files,
        cpu_micros: task.limits.cpu.as_micros(),
        wall_micros: task.limits.wall.as_micros(),
        memory: task.limits.memory.get(),
        output: task.limits.output.get(),
        processes: u64::from(task.limits.processes),
        bound_address_space: task.bound_address_space,
    }
}
