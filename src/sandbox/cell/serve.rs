//! The cell's main loop: prepare once, then run what the judge asks until it is gone.

use std::ffi::{CString, OsStr};
use std::io::{Error, ErrorKind, Result, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::ExitCode;

use rustix::fs::{Mode, OFlags, open, openat};
use rustix::process::{Resource, getrlimit};

use super::clean;
use super::meter::Tree;
use super::supervise::{self, Watch, above_standard};
use crate::sandbox::message::{Reply, Request, Setup};
use crate::sandbox::sys::{self, Launch};
use crate::sandbox::wire::{self, Frame, Kind};

/// The entry of `nimatron __cell`: serves the judge whose socket is standard input.
///
/// Not for people. It ends with a failure at once if standard input is not such a socket.
pub fn cell_main() -> ExitCode {
    match serve() {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn serve() -> Result<()> {
    sys::reset_signals();
    rustix::process::umask(Mode::from_raw_mode(0o022));
    let socket = take_socket()?;
    let Some(frame) = wire::receive(&socket)?.filter(|frame| frame.kind == Kind::Setup) else {
        return Err(Error::new(ErrorKind::InvalidData, "expected to be told how to prepare"));
    };
    let setup = Setup::decode(&frame.body)?;
    let house = match House::prepare(setup, frame, &socket) {
        Ok(house) => house,
        Err(error) => {
            wire::send(&socket, Kind::Trouble, 0, error.to_string().as_bytes(), &[])?;
            return Err(error);
        }
    };
    wire::send(&socket, Kind::Ready, 0, &[], &[])?;
    let served = house.serve_requests(&socket);
    house.leave();
    served
}

/// Moves the socket away from the place of standard input, so that no program can ever get it.
fn take_socket() -> Result<OwnedFd> {
    let socket = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdin(), 10)?;
    rustix::stdio::dup2_stdin(&open("/dev/null", OFlags::RDWR, Mode::empty())?)?;
    Ok(socket)
}

/// A prepared cell.
struct House {
    setup: Setup,
    watch: Watch,
    /// The folders programs may fill; the private working directory first.
    scratch: Vec<OwnedFd>,
    proc: OwnedFd,
}

impl House {
    fn prepare(setup: Setup, _frame: Frame, socket: &OwnedFd) -> Result<House> {
        rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
        let processors = std::thread::available_parallelism().map_or(1, |count| count.get() as u32);
        let scratch = vec![open(&setup.private_dir, clean::FOLDER, Mode::empty())?];
        let proc = open("/proc", OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
        let watch = Watch { socket: socket.try_clone()?, tree: Tree::Descendants, counter: None, processors };
        Ok(House { setup, watch, scratch, proc })
    }

    fn serve_requests(&self, socket: &OwnedFd) -> Result<()> {
        while let Some(frame) = wire::receive(socket)? {
            match frame.kind {
                Kind::Request => {}
                // It crossed our reply.
                Kind::Stop => continue,
                _ => return Err(Error::new(ErrorKind::InvalidData, "expected a request")),
            }
            let number = frame.number;
            match self.answer(frame) {
                Ok(reply) => wire::send(socket, Kind::Reply, number, &reply.encode(), &[])?,
                Err(error) => {
                    wire::send(socket, Kind::Trouble, number, error.to_string().as_bytes(), &[])?;
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    /// Runs one request and cleans up behind it.
    fn answer(&self, frame: Frame) -> Result<Reply> {
        let request = Request::decode(&frame.body)?;
        let given = self.put_files(&request.files)?;
        let launch = self.launch(&request, frame.descriptors)?;
        let mut reply = supervise::run(&self.watch, &request, frame.number, launch)?;
        for (place, folder) in self.scratch.iter().enumerate() {
            let bytes = clean::empty(folder)?;
            // What we put there ourselves does not count as written.
            reply.files += if place == 0 { bytes.saturating_sub(given) } else { bytes };
        }
        Ok(reply)
    }

    fn put_files(&self, files: &[(std::ffi::OsString, Vec<u8>)]) -> Result<u64> {
        let mut total = 0;
        for (name, content) in files {
            let plain = !name.is_empty() && name != "." && name != ".." && !name.as_bytes().contains(&b'/');
            if !plain {
                return Err(Error::new(ErrorKind::InvalidInput, format!("expected a file name, found {name:?}")));
            }
            let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            let file = openat(&self.scratch[0], name.as_os_str(), flags, Mode::from_raw_mode(0o644))?;
            std::fs::File::from(file).write_all(content)?;
            total += content.len() as u64;
        }
        Ok(total)
    }

    fn launch(&self, request: &Request, descriptors: Vec<OwnedFd>) -> Result<Launch> {
        let streams: Vec<OwnedFd> = descriptors.into_iter().map(above_standard).collect::<Result<_>>()?;
        let streams = <[OwnedFd; 3]>::try_from(streams).map_err(|got| {
            Error::new(ErrorKind::InvalidData, format!("expected 3 descriptors, found {}", got.len()))
        })?;
        let list = |texts: &[std::ffi::OsString]| texts.iter().map(|text| c_string(text)).collect::<Result<Vec<_>>>();
        let argv = list(&request.argv)?;
        let program = argv.first().cloned().ok_or_else(|| Error::new(ErrorKind::InvalidInput, "an empty command"))?;
        Ok(Launch {
            program,
            argv,
            env: list(&request.env)?,
            dir: c_string(request.dir.as_deref().unwrap_or(&self.setup.private_dir).as_os_str())?,
            streams,
            limits: limits(request, self.setup.contained),
            user: self.setup.user,
            drop_capabilities: self.setup.drop_capabilities,
            landlock: None,
            die_with_parent: !self.setup.contained,
            proc: self.proc.as_raw_fd(),
        })
    }

    /// Leaves nothing behind when the judge is gone, even if it could not tell us to go.
    fn leave(&self) {
        for folder in &self.scratch {
            _ = clean::empty(folder);
        }
        _ = std::fs::remove_dir(&self.setup.private_dir);
    }
}

fn c_string(text: &OsStr) -> Result<CString> {
    CString::new(text.as_bytes())
        .map_err(|_| Error::new(ErrorKind::InvalidInput, format!("a NUL byte in {}", Path::new(text).display())))
}

/// The resource limits of a run: resource, soft, hard.
fn limits(request: &Request, contained: bool) -> Vec<(u32, u64, u64)> {
    /// The kernel's own limit comes well behind ours, which is exact: it is a net below the net.
    const CPU_SLACK_SECONDS: u64 = 2;
    const OPEN_FILES_MAX: u64 = 1_024;
    let clamp = |resource: Resource, value: u64| value.min(getrlimit(resource).maximum.unwrap_or(u64::MAX));
    let cpu_seconds = request.cpu_micros.div_ceil(1_000_000) + CPU_SLACK_SECONDS;
    let mut limits = vec![
        (libc::RLIMIT_CPU, clamp(Resource::Cpu, cpu_seconds)),
        (libc::RLIMIT_FSIZE, clamp(Resource::Fsize, request.output)),
        (libc::RLIMIT_CORE, 0),
        (libc::RLIMIT_NOFILE, clamp(Resource::Nofile, OPEN_FILES_MAX)),
        (libc::RLIMIT_STACK, clamp(Resource::Stack, request.memory)),
        (libc::RLIMIT_MEMLOCK, 0),
        (libc::RLIMIT_MSGQUEUE, 0),
        (libc::RLIMIT_NICE, 0),
        (libc::RLIMIT_RTPRIO, 0),
    ];
    if contained {
        limits.push((libc::RLIMIT_NPROC, clamp(Resource::Nproc, request.processes)));
    }
    if request.bound_address_space {
        limits.push((libc::RLIMIT_AS, clamp(Resource::As, address_space(request))));
    }
    limits.into_iter().map(|(resource, value)| (resource, value, value)).collect()
}

/// A bound on addresses, wide enough for libraries and the stacks of threads, which reserve more than they use. What
/// is used is judged by the resident set; this only stops what would grow faster than we look.
fn address_space(request: &Request) -> u64 {
    const LIBRARIES: u64 = 256 << 20;
    const MOST: u64 = 64 << 30;
    let stacks = request.memory.saturating_mul(request.processes.saturating_sub(1));
    request.memory.saturating_mul(2).saturating_add(LIBRARIES).saturating_add(stacks).min(MOST)
}
