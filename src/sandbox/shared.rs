//! The state that all cells of a sandbox share: the settings of their processes, the processes started ahead of time,
//! and the CPUs.

use std::fs::File;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

use rustix::thread::sched_setaffinity;

use super::CellSpec;
use super::cell_process::{CellProcess, CellStarter};
use super::cgroup::CgroupHierarchy;
use super::fork_server::ForkServer;
use super::message::CellSetup;
use super::placement::{cpu_set, move_to, processors, start_on_other_cpu};
use super::temp_dir::TempDirs;
use crate::model::{Fault, FaultKind, Isolation, Level};

/// The maximum number of processes that are started ahead of time. For each of them the judge holds up to eight
/// descriptors.
const AHEAD_MAX: usize = 8;

/// The time for which a process waits for its setup at most. The mounts that it copied may have changed later.
const AHEAD_AGE_MAX: Duration = Duration::from_secs(10);

/// A process that was started ahead of time.
#[derive(Debug)]
struct AheadProcess {
    started: Instant,
    /// The setup for which the process is prepared; `None` if it is only started.
    setup: Option<CellSetup>,
    /// The thread that starts the process, waits for the setup, and prepares the process. Without a setup, it returns when the
    /// sender is dropped.
    thread: JoinHandle<Result<CellProcess, Fault>>,
    setups: Sender<CellSetup>,
}

impl AheadProcess {
    /// Starts one of `count` processes.
    fn start(starter: Arc<CellStarter>, count: usize) -> Result<AheadProcess, Fault> {
        let (setups, setup) = channel();
        let work = move || {
            // The cells of the first slots are pinned to these CPUs later. The thread stays on them too, since it would
            // otherwise be woken on the CPU of the caller of `prepare`, where it waits until the caller blocks.
            move_to(starter.processors.get(..count).unwrap_or(&starter.processors));
            let mut process = starter.start(count)?;
            setup.recv().map_or(Ok(()), |setup| process.prepare(&setup))?;
            Ok(process)
        };
        Ok(AheadProcess { started: Instant::now(), setup: None, thread: start_on_other_cpu("cell", work)?, setups })
    }

    /// Prepares the process for `setup`. It must not be prepared yet.
    fn prepare(&mut self, setup: &CellSetup) {
        self.setup = Some(setup.clone());
        // The thread has ended if the process could not be started.
        _ = self.setups.send(setup.clone());
    }

    /// Waits until the process is prepared, or only started if there is no setup.
    fn wait(self) -> Option<CellProcess> {
        drop(self.setups);
        self.thread.join().ok()?.ok()
    }
}

/// State that all cells of a sandbox share.
#[derive(Debug)]
pub(super) struct SandboxShared {
    pub(super) starter: Arc<CellStarter>,
    /// The processes that were started ahead of time.
    ahead: Mutex<Vec<AheadProcess>>,
    /// The threads that wait until processes of closed cells have ended.
    ending: Mutex<Vec<JoinHandle<()>>>,
    /// Whether cells count executed instructions.
    pub(super) instructions: bool,
    /// /dev/null, for programs without input.
    pub(super) null: File,
}

impl SandboxShared {
    /// Creates the shared state of cells that `server` forks and that have this isolation.
    pub(super) fn new(
        server: ForkServer,
        hierarchy: Option<CgroupHierarchy>,
        isolation: &Isolation,
        instructions: bool,
    ) -> Result<SandboxShared, Fault> {
        let null = File::open("/dev/null")
            .map_err(|error| Fault::io(FaultKind::Sandbox, &error).context("cannot open `/dev/null`"))?;
        Ok(SandboxShared {
            starter: Arc::new(CellStarter {
                server,
                temp_dir: if hierarchy.is_some() { TempDirs::with_groups() } else { TempDirs::new() }?,
                hierarchy,
                namespaced: isolation.level <= Level::B,
                strict: isolation.strict,
                processors: processors(),
            }),
            ahead: Mutex::default(),
            ending: Mutex::default(),
            instructions,
            null,
        })
    }

    /// Starts cell processes ahead of time, each on a separate thread, until `count` of them are available. The number
    /// is limited to one process per CPU and to [`AHEAD_MAX`]. Errors are ignored, since a missing process is started
    /// when its cell is opened.
    pub(super) fn start_ahead(&self, count: usize) {
        self.end_unused();
        let count = count.min(self.starter.processors.len()).min(AHEAD_MAX);
        let mut ahead = self.lock_ahead();
        while ahead.len() < count {
            match AheadProcess::start(Arc::clone(&self.starter), count) {
                Ok(process) => ahead.push(process),
                Err(_) => return,
            }
        }
    }

    /// Ends the processes that were started or prepared for an earlier announcement and not used.
    fn end_unused(&self) {
        let is_unused =
            |process: &mut AheadProcess| process.setup.is_some() || process.started.elapsed() > AHEAD_AGE_MAX;
        let unused: Vec<AheadProcess> = self.lock_ahead().extract_if(.., is_unused).collect();
        unused.into_iter().for_each(|process| drop(process.wait()));
    }

    /// Prepares the processes that were started ahead of time for `setups`, on their threads. Errors are ignored, since a
    /// process that is not prepared is replaced when its cell is opened.
    pub(super) fn prepare_ahead(&self, setups: impl Iterator<Item = CellSetup>) {
        let mut ahead = self.lock_ahead();
        let started = ahead.iter_mut().filter(|process| process.setup.is_none());
        started.zip(setups).for_each(|(process, setup)| process.prepare(&setup));
    }

    /// Returns a process that is prepared for `setup`: one that was prepared or at least started ahead of time, or a new
    /// one.
    pub(super) fn start(&self, setup: &CellSetup) -> Result<CellProcess, Fault> {
        if let Some(mut ahead) = self.take_ahead(setup) {
            if ahead.setup.is_none() {
                ahead.prepare(setup);
            }
            if let Some(process) = ahead.wait().filter(CellProcess::is_waiting) {
                return Ok(process);
            }
        }
        // The process that was started ahead of time may have been killed in the meantime.
        let mut process = self.starter.start(self.starter.processors.len())?;
        process.prepare(setup)?;
        Ok(process)
    }

    /// Removes and returns the process that was started ahead of time and is prepared for `setup`. If there is none,
    /// returns the oldest process that is not prepared.
    fn take_ahead(&self, setup: &CellSetup) -> Option<AheadProcess> {
        let mut ahead = self.lock_ahead();
        let prepared = ahead.iter().position(|process| process.setup.as_ref() == Some(setup));
        let place = prepared.or_else(|| ahead.iter().position(|process| process.setup.is_none()))?;
        Some(ahead.remove(place))
    }

    /// Ends a process on a separate thread.
    pub(super) fn end_later(&self, process: CellProcess) {
        process.disconnect();
        let mut ending = self.ending.lock().unwrap_or_else(PoisonError::into_inner);
        ending.retain(|thread| !thread.is_finished());
        // If no thread can be started, the process is dropped here, which waits until it has ended.
        ending.extend(Builder::new().name("cell".to_owned()).spawn(move || drop(process)));
    }

    fn lock_ahead(&self) -> MutexGuard<'_, Vec<AheadProcess>> {
        self.ahead.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the CPUs that a cell may use: the CPU of its slot, or all CPUs for a cell with a writable mount.
    pub(super) fn processors_for(&self, spec: &CellSpec) -> Vec<u64> {
        // Submissions are pinned to one CPU each, which reduces the influence of other programs on their CPU times. A
        // cell with a writable mount runs a compiler, which may use all CPUs.
        let pinned = spec.mounts.iter().all(|mount| !mount.writable);
        match self.starter.processors.get(spec.slot % self.starter.processors.len().max(1)) {
            Some(processor) if pinned => vec![*processor],
            _ => self.starter.processors.clone(),
        }
    }
}

impl Drop for SandboxShared {
    fn drop(&mut self) {
        let ahead = std::mem::take(&mut *self.lock_ahead());
        let processes: Vec<_> = ahead.into_iter().filter_map(AheadProcess::wait).collect();
        // No cell is started any more. The fork server exits while the cells are ended.
        let _server = self.starter.server.end_unless_shared();
        // The processes that were not used are ended before the temporary directory and the control groups are removed.
        // Dropping a process waits until it exits. All processes are disconnected first, so that they exit
        // concurrently.
        processes.iter().for_each(CellProcess::disconnect);
        drop(processes);
        let ending = std::mem::take(self.ending.get_mut().unwrap_or_else(PoisonError::into_inner));
        ending.into_iter().for_each(|thread| drop(thread.join()));
    }
}

/// Pins the calling thread to the CPU to which cells of this slot are pinned. Starting a run and receiving its result
/// then need no inter-processor interrupt. Create the sandbox before the first call: the sandbox records the CPUs on
/// which the thread that creates it may run, and a pinned thread may run on only one CPU.
///
/// # Errors
/// Returns a fault if the CPU affinity cannot be set.
pub fn pin_to_slot(slot: usize) -> Result<(), Fault> {
    pin_beside_slot(slot, 0)
}

/// Pins the calling thread to a CPU to which no cell is pinned if there are enough CPUs for cells of `slots` slots and as
/// many threads, and otherwise like [`pin_to_slot`].
///
/// # Errors
/// Returns a fault if the CPU affinity cannot be set.
pub fn pin_beside_slot(slot: usize, slots: usize) -> Result<(), Fault> {
    let all = processors();
    let place = if 2 * slots <= all.len() { slot + slots } else { slot };
    let Some(processor) = all.get(place % all.len().max(1)) else { return Ok(()) };
    let Some(only) = cpu_set(&[*processor]) else { return Ok(()) };
    sched_setaffinity(None, &only)
        .map_err(|error| Fault::new(FaultKind::Sandbox, format!("cannot pin the thread to CPU {processor}: {error}")))
}
