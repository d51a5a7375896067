//! The state that all cells of a sandbox share: the settings of their processes, the processes started ahead of time,
//! and the CPUs.

use std::fs::File;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use super::CellSpec;
use super::cell_process::{CellProcess, CellStarter};
use super::cgroup::CgroupHierarchy;
use super::message::CellSetup;
use super::temp_dir::TempDirs;
use crate::model::{Fault, FaultKind};

/// The maximum number of processes that are started ahead of time. For each of them the judge holds up to eight
/// descriptors.
const AHEAD_MAX: usize = 8;

/// State that all cells of a sandbox share.
#[derive(Debug)]
pub(super) struct SandboxShared {
    pub(super) starter: Arc<CellStarter>,
    /// The processes that were started ahead of time.
    ahead: Mutex<Vec<JoinHandle<Result<CellProcess, Fault>>>>,
    /// Whether cells count executed instructions.
    pub(super) instructions: bool,
    /// The CPUs that the judge could use when the sandbox was created. Worker threads may pin themselves later.
    processors: Vec<u64>,
    /// /dev/null, for programs without input.
    pub(super) null: File,
}

impl SandboxShared {
    /// Creates the shared state of cells with the executable `exe`. If `strict` is true, each run has its own
    /// namespaces.
    pub(super) fn new(
        exe: PathBuf,
        hierarchy: Option<CgroupHierarchy>,
        strict: bool,
        instructions: bool,
    ) -> Result<SandboxShared, Fault> {
        let null = File::open("/dev/null")
            .map_err(|error| Fault::io(FaultKind::Sandbox, &error).context("cannot open `/dev/null`"))?;
        Ok(SandboxShared {
            starter: Arc::new(CellStarter { exe, temp_dir: TempDirs::new()?, hierarchy, strict }),
            ahead: Mutex::default(),
            instructions,
            processors: processors(),
            null,
        })
    }

    /// Starts cell processes ahead of time, each on a separate thread, until `count` of them are available. The number
    /// is limited to one process per CPU and to [`AHEAD_MAX`]. Errors are ignored, since a missing process is started
    /// when its cell is opened.
    pub(super) fn start_ahead(&self, count: usize) {
        let mut ahead = self.ahead.lock().unwrap_or_else(PoisonError::into_inner);
        while ahead.len() < count.min(self.processors.len()).min(AHEAD_MAX) {
            let starter = Arc::clone(&self.starter);
            match std::thread::Builder::new().name("cell".to_owned()).spawn(move || starter.start()) {
                Ok(thread) => ahead.push(thread),
                Err(_) => return,
            }
        }
    }

    /// Prepares and returns the oldest process that was started ahead of time. If there is none or its preparation
    /// fails, starts a new process.
    pub(super) fn start(&self, setup: &CellSetup) -> Result<CellProcess, Fault> {
        let oldest = {
            let mut ahead = self.ahead.lock().unwrap_or_else(PoisonError::into_inner);
            (!ahead.is_empty()).then(|| ahead.remove(0))
        };
        if let Some(Ok(Ok(mut process))) = oldest.map(JoinHandle::join)
            && process.prepare(setup).is_ok()
        {
            return Ok(process);
        }
        // The process that was started ahead of time may have been killed in the meantime.
        let mut process = self.starter.start()?;
        process.prepare(setup)?;
        Ok(process)
    }

    /// Returns the CPUs that a cell may use: the CPU of its slot, or all CPUs for a cell with a writable mount.
    pub(super) fn processors_for(&self, spec: &CellSpec) -> Vec<u64> {
        // Submissions are pinned to one CPU each, which reduces the influence of other programs on their CPU times. A
        // cell with a writable mount runs a compiler, which may use all CPUs.
        let pinned = spec.mounts.iter().all(|mount| !mount.writable);
        match self.processors.get(spec.slot % self.processors.len().max(1)) {
            Some(processor) if pinned => vec![*processor],
            _ => self.processors.clone(),
        }
    }
}

impl Drop for SandboxShared {
    fn drop(&mut self) {
        // The processes that were not used are ended before the temporary directory and the control groups are removed.
        let ahead = std::mem::take(&mut *self.ahead.lock().unwrap_or_else(PoisonError::into_inner));
        let processes: Vec<_> = ahead.into_iter().filter_map(|thread| thread.join().ok()?.ok()).collect();
        // Dropping a process waits until it exits. All processes are disconnected first, so that they exit
        // concurrently.
        processes.iter().for_each(CellProcess::disconnect);
    }
}

fn processors() -> Vec<u64> {
    let allowed = rustix::thread::sched_getaffinity(None);
    let all = 0..rustix::thread::CpuSet::MAX_CPU;
    allowed.map_or_else(|_| Vec::new(), |set| all.filter(|one| set.is_set(*one)).map(|one| one as u64).collect())
}

/// Pins the calling thread to the CPU to which cells of this slot are pinned. Starting a run and receiving its result
/// then need no inter-processor interrupt. Create the sandbox before the first call: the sandbox records the CPUs on
/// which the thread that creates it may run, and a pinned thread may run on only one CPU.
///
/// # Errors
/// Returns a fault if the CPU affinity cannot be set.
pub fn pin_to_slot(slot: usize) -> Result<(), Fault> {
    let all = processors();
    let Some(processor) = all.get(slot % all.len().max(1)) else { return Ok(()) };
    let mut only = rustix::thread::CpuSet::new();
    only.set(*processor as usize);
    rustix::thread::sched_setaffinity(None, &only)
        .map_err(|error| Fault::new(FaultKind::Sandbox, format!("cannot pin the thread to CPU {processor}: {error}")))
}
