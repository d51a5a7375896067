//! The main loop of a cell. A cell is prepared once, and then serves run requests until the judge closes the
//! socket.

use std::ffi::{CString, OsStr};
use std::fs::File;
use std::io::{Error, ErrorKind, Read, Result};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use rustix::fs::{Mode, OFlags, mkdirat, open, openat};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use rustix::thread::{sched_getaffinity, sched_setaffinity};

use super::clone_ns::{self, CellMounts, DEVICES, PreparedAhead};
use super::dir_cleanup;
use super::landlock::{self, AllowedPaths, PathPermissions};
use super::oom::OomScore;
use super::replies::UnsentReplies;
use super::rootfs::{self, RootFs};
use super::seccomp;
use super::strict;
use super::supervise::{self, Supervisor, moved_above};
use super::usage::{CellCounters, CpuCounter, InstructionCounter, MemoryCounter, ProcessTree};
use crate::cgroup::{self, COUNTER_ERROR};
use crate::host::HostStat;
use crate::message::{CellSetup, FilePart, MemoryCounts, NumberedReply, RequestFile, RunReply, RunRequest, StopReason};
use crate::placement::{cpu_set, move_to};
use crate::sys::{self, Launch};
use crate::system_paths;
use crate::wire::{self, Frame, FrameKind};

/// The longest wall time of a plain run; see [`is_plain`].
const PLAIN_MICROS: u64 = 10_000;

/// A forked process that becomes a cell.
pub(super) struct ForkedCell {
    /// The socket on which it communicates with the judge.
    pub(super) socket: OwnedFd,
    /// Whether the cell has namespaces, as the setup will also tell.
    pub(super) namespaced: bool,
    /// The CPUs of the judge.
    pub(super) processors: Vec<u64>,
}

/// Runs a cell until the judge closes the socket.
pub(super) fn serve(ForkedCell { socket, namespaced, processors }: ForkedCell) -> Result<()> {
    // A new session separates the cell from the fork server and from other cells.
    _ = rustix::process::setsid();
    report_panics(socket.try_clone()?);
    // The judge may not know the setup yet.
    let ahead = namespaced.then(PreparedAhead::begin);
    let Some(frame) = wire::receive(&socket)?.filter(|frame| frame.kind == FrameKind::Setup) else {
        return Err(Error::new(ErrorKind::InvalidData, "expected a `Setup` frame"));
    };
    let setup = CellSetup::decode(&frame.body)?;
    let mut descriptors = frame.descriptors.into_iter();
    let control = descriptors.next().ok_or_else(|| Error::new(ErrorKind::InvalidData, "expected a control socket"))?;
    let cpu = setup.counter.then(|| descriptors.next()).flatten().map(CpuCounter);
    let memory = setup.counter.then(|| MemoryCounter::take(&mut descriptors, setup.peak)).flatten();
    report_error(&socket, cgroup::join(descriptors.as_slice()))?;
    drop(descriptors);
    let ahead = report_error(&socket, ahead.transpose())?;
    let counters = CellCounters {
        cpu,
        memory,
        instructions: report_error(
            &socket,
            setup.instructions.then(|| InstructionCounter::begin(sys::CounterEvent::Instructions)).transpose(),
        )?,
        host: HostStat::open(),
    };
    let ahead = match ahead {
        Some(ahead) if setup.strict => {
            return report_error(&socket, strict::StrictCell::prepare(setup, counters, ahead))?
                .serve(&socket, &control);
        }
        other => other,
    };
    let replies = UnsentReplies::new(socket.try_clone()?);
    let mut cell = report_error(&socket, PreparedCell::prepare(setup, counters, ahead, (replies, control)))?;
    wire::send(&socket, FrameKind::Ready, 0, &[], &[])?;
    // The cell is pinned late, since its CPU may be busy while another one is idle.
    let pinned = pin(&cell.setup).map_err(|error| Error::new(error.kind(), format!("cannot set its CPUs: {error}")));
    cell.supervisor.processors = report_error(&socket, pinned)?;
    let served = cell.serve_requests(&socket);
    // The judge may use the CPU of the cell while the cell ends on another one.
    move_to(&processors);
    cell.remove_scratch();
    served
}

/// Sends the error to the judge if `prepared` is an error, and returns `prepared`.
pub(super) fn report_error<T>(socket: &OwnedFd, prepared: Result<T>) -> Result<T> {
    if let Err(error) = &prepared {
        wire::send(socket, FrameKind::Trouble, 0, error.to_string().as_bytes(), &[])?;
    }
    prepared
}

/// Installs a panic hook that sends the message to the judge. Without the hook, the judge would only notice that the
/// socket was closed.
fn report_panics(socket: OwnedFd) {
    std::panic::set_hook(Box::new(move |panic| {
        _ = wire::send(&socket, FrameKind::Trouble, 0, panic.to_string().as_bytes(), &[]);
    }));
}

/// A cell after its preparation, ready to serve runs.
pub(super) struct PreparedCell {
    pub(super) setup: CellSetup,
    pub(super) supervisor: Supervisor,
    /// The writable directories. The first directory is the private working directory.
    pub(super) scratch: Vec<OwnedFd>,
    /// The user id of programs, if it differs from that of the cell.
    pub(super) user: Option<u32>,
    pub(super) ceilings: RlimitCeilings,
    /// The cell's OOM score; `None` if it cannot be set.
    pub(super) oom_score: Option<OomScore>,
    /// The Landlock ruleset that each program enters; `None` if the cell has entered its own ruleset or Landlock is not
    /// used.
    pub(super) landlock: Option<OwnedFd>,
}

impl PreparedCell {
    fn prepare(
        setup: CellSetup,
        counters: CellCounters,
        ahead: Option<PreparedAhead>,
        sockets: (UnsentReplies, OwnedFd),
    ) -> Result<PreparedCell> {
        let cell = match ahead {
            Some(ahead) => PreparedCell::namespaced(setup, ahead, sockets)?,
            None => PreparedCell::open(setup, sockets)?,
        };
        let PreparedCell { supervisor, .. } = cell;
        Ok(PreparedCell { supervisor: Supervisor { counters, ..supervisor }, ..cell })
    }

    /// Prepares a cell with its own namespaces and root filesystem (levels A and B).
    fn namespaced(setup: CellSetup, ahead: PreparedAhead, sockets: (UnsentReplies, OwnedFd)) -> Result<PreparedCell> {
        let (mounts, filters) = clone_ns::enter_namespaces(&setup, ahead)?;
        let RootFs { scratch, proc } = rootfs::build(&mounts, Some(setup.scratch))?;
        rustix::system::sethostname(b"nimatron")?;
        let (user, group) = (mounts.user, setup.counter);
        let rules = setup.landlock.then(|| {
            let mut shown = mount_permissions(&mounts);
            shown.write.extend(rootfs::WRITABLE.iter().map(Into::into));
            shown.read.push("/proc".into());
            landlock::ruleset([&AllowedPaths::find(&shown)?], [])
        });
        let oom_score = OomScore::open(&proc);
        sys::drop_privileges()?;
        if let Some(rules) = rules.transpose()? {
            sys::landlock_enter(rules.as_fd())?;
        }
        if setup.filter {
            seccomp::install(&filters, group)?;
        }
        let tree = ProcessTree::Namespace { proc: "/proc".into() };
        let supervisor = Supervisor::begin(sockets, tree)?;
        Ok(PreparedCell {
            setup,
            supervisor,
            scratch,
            user,
            ceilings: RlimitCeilings::set()?,
            oom_score,
            landlock: None,
        })
    }

    /// Prepares a cell that shares the PID namespace and the file tree of the host (levels C and D).
    fn open(setup: CellSetup, sockets: (UnsentReplies, OwnedFd)) -> Result<PreparedCell> {
        rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
        let scratch = vec![open(&setup.private_dir, dir_cleanup::OPEN_DIR, Mode::empty())?];
        let oom_score =
            OomScore::open(open("/proc", OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?);
        if setup.drop_capabilities {
            sys::drop_privileges()?;
        }
        // Each program, and not the cell, enters the ruleset. The cell is therefore outside of a program's Landlock
        // domain, and the program cannot signal it.
        let landlock = setup
            .landlock
            .then(|| landlock::ruleset([&AllowedPaths::find(&host_permissions(&setup))?], []))
            .transpose()?;
        if setup.filter {
            seccomp::install(&seccomp::filters()?, false)?;
        }
        let supervisor = Supervisor::begin(sockets, ProcessTree::Descendants)?;
        Ok(PreparedCell {
            setup,
            supervisor,
            scratch,
            user: None,
            ceilings: RlimitCeilings::set()?,
            oom_score,
            landlock,
        })
    }

    fn serve_requests(&self, socket: &OwnedFd) -> Result<()> {
        let replies = &self.supervisor.replies;
        // The memory use in the last run, if that run was plain. Without a control group, the memory use is `None`.
        let mut plain: Option<Option<MemoryCounts>> = None;
        while let Some(frame) = self.next_frame(socket)? {
            let run = RequestedRun::try_from(frame)?;
            let (number, may_wait) = (run.number, run.request.queued);
            report_error(socket, self.prestart(&run.request))?;
            let memory = report_error(socket, self.supervisor.counters.begin_memory())?;
            if run.request.after_plain && !plain.take().is_some_and(|before| is_freed(before, memory)) {
                replies.add(NumberedReply { number, run: None }, true)?;
                continue;
            }
            match self.answer(run, memory) {
                Ok(reply) => {
                    plain = is_plain(&reply).then_some(reply.memory);
                    replies.add(NumberedReply { number, run: Some(reply) }, may_wait && plain.is_some())?;
                }
                Err(error) => {
                    replies.send()?;
                    wire::send(socket, FrameKind::Trouble, number, error.to_string().as_bytes(), &[])?;
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    /// Receives the next frame. Sends the results of ended runs before it waits.
    fn next_frame(&self, socket: &OwnedFd) -> Result<Option<Frame>> {
        let replies = &self.supervisor.replies;
        if !replies.is_empty() {
            match wire::receive_at_once(socket) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => replies.send()?,
                received => return received,
            }
        }
        wire::receive(socket)
    }

    /// Prestarts the program of a request, or ends the prestarted program of other requests.
    fn prestart(&self, request: &RunRequest) -> Result<()> {
        let Supervisor { counters, prestart, tree, .. } = &self.supervisor;
        // Without a control group, the memory is that of all processes. The instruction counter counts executed programs, but
        // not their forks.
        let Some(cpu) = counters.cpu.as_ref().filter(|_| self.setup.namespaced && counters.instructions.is_none())
        else {
            return Ok(());
        };
        if prestart.prepare(request, (cpu, tree), |descriptors| self.launch(request, descriptors))? {
            self.supervisor.counted.set(cpu.micros()?);
            // The program's author may run code before the start hook.
            for folder in &self.scratch {
                self.empty(folder)?;
            }
        }
        Ok(())
    }

    /// Runs the program of a request, empties the writable directories, and returns the result. `memory` is the memory
    /// use before the run.
    pub(super) fn answer(&self, run: RequestedRun, memory: Option<MemoryCounts>) -> Result<RunReply> {
        let RequestedRun { number, request, mut descriptors } = run;
        let given: u64 = request.files.iter().map(|file| file.size).sum();
        if !request.files.is_empty() {
            let contents = descriptors.pop().ok_or_else(|| Error::new(ErrorKind::InvalidData, "no file contents"))?;
            self.write_files(&request.files, contents.into())?;
        }
        let launch = self.launch(&request, descriptors)?;
        let mut reply = supervise::run(&self.supervisor, &request, number, launch)?;
        reply.memory = self.supervisor.counters.end_memory(memory)?;
        if request.take_files {
            // The files of the request do not count towards the output limit.
            dir_cleanup::read_files(&self.scratch[0], request.output.saturating_add(given), |name, content| {
                let part = FilePart::encode(name, content);
                wire::send(&self.supervisor.replies.socket, FrameKind::FilePart, number, &part, &[])
            })?;
        }
        for (place, folder) in self.scratch.iter().enumerate() {
            let bytes = self.empty(folder)?;
            // The files of the request do not count as written by the program.
            reply.files += if place == 0 { bytes.saturating_sub(given) } else { bytes };
        }
        Ok(reply)
    }

    /// Empties a writable directory, unless it is untouched. Returns the size of the removed files, in bytes.
    fn empty(&self, folder: &OwnedFd) -> Result<u64> {
        // Only the owner of a directory can set its times to a chosen value, so the times are reliable if programs run as
        // another user.
        if self.user.is_some() && dir_cleanup::is_untouched(folder)? {
            return Ok(0);
        }
        dir_cleanup::empty(folder, self.mode())
    }

    /// Returns the file mode to which the writable directories are reset after a run.
    fn mode(&self) -> Mode {
        if self.setup.namespaced { dir_cleanup::SHARED } else { dir_cleanup::PRIVATE }
    }

    /// Creates the files in the private working directory. `contents` holds their contents, one after another.
    fn write_files(&self, files: &[RequestFile], mut contents: File) -> Result<()> {
        for RequestFile { path, size, read_only } in files {
            let plain = |part: &&[u8]| !part.is_empty() && *part != b"." && *part != b"..";
            let parts: Vec<&[u8]> = path.as_bytes().split(|byte| *byte == b'/').collect();
            let Some((last, above)) = parts.split_last().filter(|_| parts.iter().all(plain)) else {
                return Err(Error::new(
                    ErrorKind::InvalidInput,
                    format!("expected a relative path without empty components, `.` or `..`, found {path:?}"),
                ));
            };
            let folder = above.iter().try_fold(None, |folder, part| self.folder_in(folder, part).map(Some))?;
            let folder = folder.as_ref().unwrap_or(&self.scratch[0]);
            let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            let mut file = File::from(openat(folder, *last, flags, Mode::from_raw_mode(0o644))?);
            if std::io::copy(&mut (&mut contents).take(*size), &mut file)? < *size {
                return Err(Error::new(ErrorKind::UnexpectedEof, "the file contents are too short"));
            }
            if !read_only {
                self.chown_to_program(&file)?;
            }
        }
        Ok(())
    }

    /// Opens the subdirectory `name` of `above`, or of the private working directory if `above` is `None`. Creates the
    /// subdirectory if it does not exist.
    fn folder_in(&self, above: Option<OwnedFd>, name: &[u8]) -> Result<OwnedFd> {
        let above = above.as_ref().unwrap_or(&self.scratch[0]);
        match mkdirat(above, name, Mode::from_raw_mode(0o755)) {
            Ok(()) | Err(rustix::io::Errno::EXIST) => {}
            Err(error) => return Err(error.into()),
        }
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let folder = openat(above, name, flags, Mode::empty())?;
        self.chown_to_program(&folder)?;
        Ok(folder)
    }

    /// Makes the programs' user the owner of a file or directory.
    fn chown_to_program(&self, file: impl AsFd) -> Result<()> {
        match self.user {
            Some(user) => std::os::unix::fs::fchown(file, Some(user), Some(user)),
            None => Ok(()),
        }
    }

    fn launch(&self, request: &RunRequest, descriptors: Vec<OwnedFd>) -> Result<Launch> {
        let count = descriptors.len();
        if count < sys::STANDARD_STREAMS {
            let message = format!("expected at least {} descriptors, found {count}", sys::STANDARD_STREAMS);
            return Err(Error::new(ErrorKind::InvalidData, message));
        }
        let streams = descriptors.into_iter().map(|one| moved_above(one, count)).collect::<Result<_>>()?;
        let list = |texts: &[std::ffi::OsString]| texts.iter().map(|text| c_string(text)).collect::<Result<Vec<_>>>();
        let argv = list(&request.argv)?;
        let program =
            argv.first().cloned().ok_or_else(|| Error::new(ErrorKind::InvalidInput, "the command is empty"))?;
        Ok(Launch {
            program,
            argv,
            env: list(&request.env)?,
            dir: c_string(request.dir.as_deref().unwrap_or(&self.setup.private_dir).as_os_str())?,
            streams,
            limits: self.ceilings.limits(request, self.setup.namespaced),
            user: self.user,
            drop_capabilities: self.setup.drop_capabilities,
            landlock: self.landlock.as_ref().map(AsRawFd::as_raw_fd),
            without_rseq: false,
            die_with_parent: !self.setup.namespaced,
            oom_score: self.oom_score.as_ref().map(OomScore::for_launch),
        })
    }

    /// Removes the contents of the scratch space. The cell does this before it exits, because the judge may have been
    /// killed.
    fn remove_scratch(&self) {
        for folder in &self.scratch {
            _ = dir_cleanup::empty(folder, self.mode());
        }
        if !self.setup.namespaced {
            _ = std::fs::remove_dir(&self.setup.private_dir);
        }
    }
}

/// A decoded `Request` frame.
pub(super) struct RequestedRun {
    pub(super) number: u64,
    pub(super) request: RunRequest,
    pub(super) descriptors: Vec<OwnedFd>,
}

impl TryFrom<Frame> for RequestedRun {
    type Error = Error;

    fn try_from(frame: Frame) -> Result<RequestedRun> {
        let Frame { kind, number, body, descriptors } = frame;
        if kind != FrameKind::Request {
            return Err(Error::new(ErrorKind::InvalidData, format!("expected a `Request` frame, found `{kind:?}`")));
        }
        Ok(RequestedRun { number, request: RunRequest::decode(&body)?, descriptors })
    }
}

/// Returns whether a run was plain: the program ended soon with exit code 0, and left neither processes nor files with
/// content. Orphans that ended during the run also count as processes.
/// Such a run does not affect the next one.
fn is_plain(run: &RunReply) -> bool {
    let succeeded = run.failure.is_none() && run.status == 0 && run.stopped == StopReason::Exited;
    succeeded && run.wall_micros <= PLAIN_MICROS && run.processes == 1 && run.files == 0 && run.cell_error.is_none()
}

/// Returns whether the memory of a run is freed. `now` is the current memory use.
fn is_freed(run: Option<MemoryCounts>, now: Option<MemoryCounts>) -> bool {
    run.zip(now).is_none_or(|(run, now)| now.before <= run.before + COUNTER_ERROR)
}

/// Pins the calling process to the CPUs in `setup`, if it lists any. Returns the number of CPUs that the process may
/// use.
pub(super) fn pin(setup: &CellSetup) -> Result<u32> {
    if let Some(processors) = cpu_set(&setup.processors) {
        sched_setaffinity(None, &processors)?;
    }
    Ok(sched_getaffinity(None)?.count())
}

/// Returns the Landlock permissions in a cell with its own root filesystem: access to devices, write access to writable
/// mounts, and read access to the other mounts.
pub(super) fn mount_permissions(mounts: &CellMounts) -> PathPermissions {
    let mut permissions = PathPermissions::default();
    for tree in &mounts.trees {
        let path = tree.path.clone();
        match (path.starts_with("/dev"), tree.writable) {
            (true, _) => permissions.devices.push(path),
            (false, true) => permissions.write.push(path),
            (false, false) => permissions.read.push(path),
        }
    }
    permissions
}

/// Returns the Landlock permissions of programs that see the host's file tree (level C).
fn host_permissions(setup: &CellSetup) -> PathPermissions {
    let mounts = |writable| setup.mounts.iter().filter(move |mount| mount.1 == writable).map(|mount| mount.0.clone());
    PathPermissions {
        // Run-time systems need /proc/self. Landlock blocks most access to other processes, except to names and command
        // lines.
        read: system_paths().into_iter().chain(mounts(false)).chain(["/proc".into()]).collect(),
        write: mounts(true).chain([setup.private_dir.clone()]).collect(),
        devices: DEVICES.iter().map(|name| Path::new("/dev").join(name)).collect(),
    }
}

fn c_string(text: &OsStr) -> Result<CString> {
    CString::new(text.as_bytes()).map_err(|_| {
        Error::new(ErrorKind::InvalidInput, format!("`{}` contains a NUL byte", Path::new(text).display()))
    })
}

/// The hard resource limits of the cell, as pairs of resource and limit. They are upper bounds for the limits of
/// programs. They are read once, since reading a limit takes as long as setting it. Limits that are the same for all
/// programs are not included: [`RlimitCeilings::set`] sets them for the cell, and programs inherit them.
#[derive(Debug, Clone)]
pub(super) struct RlimitCeilings(Vec<(u32, u64)>);

impl RlimitCeilings {
    pub(super) fn set() -> Result<RlimitCeilings> {
        const OPEN_FILES_MAX: u64 = 1_024;
        let same = [
            (Resource::Core, 0),
            (Resource::Memlock, 0),
            (Resource::Msgqueue, 0),
            (Resource::Nice, 0),
            (Resource::Rtprio, 0),
            (Resource::Nofile, OPEN_FILES_MAX),
        ];
        for (resource, most) in same {
            let most = getrlimit(resource).maximum.map_or(most, |own| own.min(most));
            setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) })?;
        }
        let own = [Resource::Cpu, Resource::Fsize, Resource::Stack, Resource::Nproc, Resource::As];
        Ok(RlimitCeilings(
            own.map(|resource| (resource as u32, getrlimit(resource).maximum.unwrap_or(u64::MAX))).to_vec(),
        ))
    }

    /// Returns the resource limits of a run as (resource, soft limit, hard limit).
    fn limits(&self, request: &RunRequest, namespaced: bool) -> Vec<(u32, u64, u64)> {
        /// Seconds by which RLIMIT_CPU exceeds twice the CPU time limit. The cell enforces the CPU time limit exactly,
        /// and RLIMIT_CPU is only a fallback. The kernel counts whole ticks for RLIMIT_CPU. In measurements on a busy
        /// machine, this count exceeded the CPU time used by up to a quarter.
        const CPU_SLACK_SECONDS: u64 = 2;
        let mut limits = vec![
            (Resource::Cpu as u32, 2 * request.cpu_micros.div_ceil(1_000_000) + CPU_SLACK_SECONDS),
            (Resource::Fsize as u32, request.output),
            (Resource::Stack as u32, request.memory),
        ];
        if namespaced {
            limits.push((Resource::Nproc as u32, request.processes));
        }
        if request.address_space != u64::MAX {
            limits.push((Resource::As as u32, request.address_space));
        }
        let ceiling = |resource: u32| self.0.iter().find(|own| own.0 == resource).map_or(u64::MAX, |own| own.1);
        let clamp = |(resource, value): (u32, u64)| (resource, value.min(ceiling(resource)));
        limits.into_iter().map(clamp).map(|(resource, value)| (resource, value, value)).collect()
    }
}
