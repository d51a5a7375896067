//! The isolating sandboxes (levels A, B and C), and the choice of the strongest sandbox that the host supports.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::cell_client::CellClient;
use super::cgroup::CgroupHierarchy;
use super::fork_server::ForkServer;
use super::host::instruction_counter_error;
use super::message::CellSetup;
use super::probe::{ProbeRecord, test_run};
use super::shared::SandboxShared;
use super::{Cancel, Cell, CellSpec, RlimitOnly, Sandbox, sys};
use crate::model::{Fault, FaultKind, Isolation, Level};

/// The first Landlock ABI version that blocks signals to processes outside the domain. Level C requires this version,
/// since a cell of that level has no PID namespace.
const LANDLOCK_WITH_SIGNALS: u32 = 6;

/// A sandbox that isolates programs from the host: levels A, B and C.
///
/// At levels A and B a cell has its own namespaces and its own root, which contains the system paths and the mounts of
/// the [`CellSpec`] at their usual paths, some devices, /proc, and the scratch space. At level C programs see the
/// host's file tree, and Landlock restricts them to the same system paths, mounts and devices, /proc, and a private
/// directory.
#[derive(Debug, Clone)]
pub struct Namespaced {
    shared: Arc<SandboxShared>,
    cancel: Cancel,
    isolation: Isolation,
    /// The cached result of the test run; `None` if results are not cached.
    record: Option<Arc<ProbeRecord>>,
}

impl Namespaced {
    /// Creates a sandbox with exactly the isolation level `level`. `server` forks its cells.
    ///
    /// # Errors
    /// Returns a fault if the host lacks a feature that the level needs, if a cell cannot be started, or if `cancel` is
    /// cancelled. `Level::D` is always rejected; use [`RlimitOnly`] instead.
    pub fn at(level: Level, server: ForkServer, cancel: Cancel) -> Result<Namespaced, Fault> {
        Namespaced::with_requirement(level, IsolationRequirement::default(), server, cancel, (None, 0))
    }

    /// Creates a sandbox with exactly the isolation level `level` in strict mode, in which each run has its own PID and
    /// IPC namespaces and a new scratch space. Without strict mode a cell reuses its namespaces and empties its scratch
    /// space. Strict runs are slower, and need level A or B.
    ///
    /// # Errors
    /// Returns a fault if the level is C or D, and under the same conditions as [`Namespaced::at`].
    pub fn strict(level: Level, server: ForkServer, cancel: Cancel) -> Result<Namespaced, Fault> {
        if level > Level::B {
            return Err(unavailable(level, "strict mode requires namespaces (level A or B)"));
        }
        Namespaced::with_requirement(
            level,
            IsolationRequirement { strict: true, ..IsolationRequirement::default() },
            server,
            cancel,
            (None, 0),
        )
    }

    fn with_requirement(
        level: Level,
        requirement: IsolationRequirement,
        server: ForkServer,
        cancel: Cancel,
        (kept, cells): (Option<&Path>, usize),
    ) -> Result<Namespaced, Fault> {
        let mut missing = Vec::new();
        let landlock = sys::landlock_version();
        let hierarchy = match level {
            Level::A => Some(CgroupHierarchy::find(&server).map_err(|reason| unavailable(level, &reason))?),
            Level::B => {
                missing.push(
                    "no control groups: the memory of a program is the sum of the resident set sizes of its processes, \
                     measured every 10 ms, or the largest of them at its end; the number of processes is limited by \
                     `RLIMIT_NPROC`"
                        .into(),
                );
                None
            }
            Level::C if landlock < LANDLOCK_WITH_SIGNALS => {
                return Err(unavailable(
                    level,
                    &format!("Landlock ABI {LANDLOCK_WITH_SIGNALS} is required; the kernel supports ABI {landlock}"),
                ));
            }
            Level::C => {
                missing.push("no namespaces: programs see the host's processes and file names".into());
                None
            }
            Level::D => return Err(unavailable(level, "level D provides no isolation")),
        };
        if landlock == 0 {
            missing.push("no Landlock: the kernel does not support it, or it is disabled".into());
        }
        let IsolationRequirement { strict, instructions, .. } = requirement;
        let isolation = Isolation { level, strict, missing };
        let shared = SandboxShared::new(server, hierarchy, &isolation, instructions)?;
        // The processes are started while the record is compared with this machine.
        shared.start_ahead(cells);
        let record = kept.map(|folder| Arc::new(ProbeRecord::new(folder, shared.starter.server.exe(), &isolation)));
        let sandbox = Namespaced { shared: Arc::new(shared), cancel, isolation, record };
        if !sandbox.record.as_ref().is_some_and(|record| record.holds()) {
            test_run(&sandbox)?;
            sandbox.record.iter().for_each(|record| record.keep());
        }
        Ok(sandbox)
    }

    fn setup(&self, spec: &CellSpec) -> CellSetup {
        let namespaced = self.shared.starter.namespaced;
        CellSetup {
            private_dir: if namespaced { "/box".into() } else { PathBuf::new() },
            namespaced,
            strict: self.isolation.strict,
            filter: true,
            landlock: sys::landlock_version() > 0,
            drop_capabilities: true,
            slot: spec.slot as u64,
            processors: self.shared.processors_for(spec),
            mounts: spec.mounts.iter().map(|mount| (mount.path.clone(), mount.writable)).collect(),
            scratch: spec.scratch.get(),
            counter: self.shared.starter.hierarchy.is_some(),
            peak: None,
            instructions: self.shared.instructions,
        }
    }
}

/// Prefix of the messages of [`unavailable`].
const UNAVAILABLE: &str = "isolation level";

/// Creates the fault for a level that cannot be used.
pub(super) fn unavailable(level: Level, reason: &str) -> Fault {
    Fault::new(FaultKind::Sandbox, format!("{UNAVAILABLE} {level} is not available: {reason}"))
}

impl Sandbox for Namespaced {
    fn isolation(&self) -> &Isolation {
        &self.isolation
    }

    fn open(&self, spec: &CellSpec) -> Result<Box<dyn Cell>, Fault> {
        let opened = CellClient::new(Arc::clone(&self.shared), self.cancel.clone(), self.setup(spec));
        if opened.as_ref().is_err_and(|fault| fault.kind == FaultKind::Sandbox) {
            self.record.iter().for_each(|record| record.forget());
        }
        Ok(Box::new(opened?))
    }

    fn expect_cells(&self, count: usize) {
        self.shared.start_ahead(count);
    }

    fn prepare_cells(&self, specs: &[CellSpec]) {
        // At level C, the private directory is created when the cell is opened.
        if self.shared.starter.namespaced {
            self.shared.prepare_ahead(specs.iter().map(|spec| self.setup(spec)));
        }
    }

    fn with_cancel(&self, cancel: Cancel) -> Arc<dyn Sandbox> {
        Arc::new(Namespaced { cancel, ..self.clone() })
    }
}

/// The minimum isolation that a sandbox must provide.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct IsolationRequirement {
    /// The weakest acceptable level; `None` means C. In strict mode, at least level B is required.
    pub level: Option<Level>,
    /// Whether strict mode is required; see [`Namespaced::strict`].
    pub strict: bool,
    /// Whether executed instructions must be counted.
    pub instructions: bool,
}

impl From<Option<Level>> for IsolationRequirement {
    fn from(level: Option<Level>) -> IsolationRequirement {
        IsolationRequirement { level, ..IsolationRequirement::default() }
    }
}

/// Creates the strongest sandbox that the host supports. The `missing` field of its [`Isolation`] states why each
/// stronger level is unavailable, and which features the sandbox lacks.
///
/// `server` forks the cells. Level D, which isolates nothing, is used only if `requirement` allows it explicitly. `kept`
/// is the folder in which the result of the test run is cached for the next start. If it is `None`, each call performs a
/// test run. The processes of the first `cells` cells are started as by [`Sandbox::expect_cells`], but earlier.
///
/// # Errors
/// Returns a fault if no level meets the requirement, with the reason for each level that was tried. Also returns a
/// fault if instructions must be counted but cannot be, or if `cancel` is cancelled.
pub fn best_available(
    server: ForkServer,
    cancel: Cancel,
    requirement: impl Into<IsolationRequirement>,
    (kept, cells): (Option<&Path>, usize),
) -> Result<Box<dyn Sandbox>, Fault> {
    let requirement = requirement.into();
    let IsolationRequirement { level, strict, instructions } = requirement;
    if instructions && let Some(reason) = instruction_counter_error() {
        return Err(Fault::new(FaultKind::Sandbox, format!("cannot count instructions: {reason}")));
    }
    let weakest = level.unwrap_or(Level::C).min(if strict { Level::B } else { Level::D });
    let mut reasons = Vec::new();
    for level in [Level::A, Level::B, Level::C] {
        if level > weakest {
            break;
        }
        match Namespaced::with_requirement(level, requirement, server.clone(), cancel.clone(), (kept, cells)) {
            Ok(mut sandbox) => {
                reasons.append(&mut sandbox.isolation.missing);
                sandbox.isolation.missing = reasons;
                return Ok(Box::new(sandbox));
            }
            Err(fault) if fault.kind == FaultKind::Cancelled => return Err(fault),
            // An error message that does not name the level, such as that of an error in the test run, is extended by
            // the level.
            Err(fault) if !fault.message.starts_with(UNAVAILABLE) => {
                reasons.push(unavailable(level, &fault.message).message);
            }
            Err(fault) => reasons.push(fault.message),
        }
    }
    if weakest == Level::D {
        let mut sandbox = RlimitOnly::create(server, cancel, instructions)?;
        sandbox.set_missing(reasons);
        return Ok(Box::new(sandbox));
    }
    let wanted = if strict { "strict isolation of level" } else { "isolation level" };
    let message = format!("{wanted} {weakest} or better is required, but {}", reasons.join("; "));
    Err(Fault::new(FaultKind::Sandbox, message))
}
