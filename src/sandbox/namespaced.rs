//! The sandboxes with walls, and the choice of the strongest that this machine allows.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::cell_client::{CellClient, House};
use super::cgroup::Hierarchy;
use super::host::instruction_counter_error;
use super::message::Setup;
use super::{Cancel, Cell, CellCommand, CellSpec, Input, Output, RlimitOnly, Sandbox, sys};
use crate::model::{ByteSize, Exit, Fault, FaultKind, Isolation, Level, Limits, TimeSpan};

/// The version of Landlock that keeps signals inside. Without namespaces nothing weaker can be trusted.
const LANDLOCK_WITH_SIGNALS: u32 = 6;

/// Runs programs behind walls: levels A, B and C.
///
/// At A and B a cell is a set of namespaces with a root of its own that shows the system's programs and the room's
/// mounts, read-only and under their own names, and nothing else. At C programs see the machine's file tree, and the
/// kernel's Landlock lets them open only the same.
#[derive(Debug, Clone)]
pub struct Namespaced {
    house: Arc<House>,
    cancel: Cancel,
    isolation: Isolation,
}

impl Namespaced {
    /// A sandbox of exactly this level.
    ///
    /// # Errors
    /// A fault that says what this machine lacks for it. `Level::D` is not ours: see [`RlimitOnly`].
    pub fn at(level: Level, cell_exe: PathBuf, cancel: Cancel) -> Result<Namespaced, Fault> {
        Namespaced::made(level, IsolationRequirement::default(), cell_exe, cancel)
    }

    /// The same, but no two runs share anything: each has process and IPC namespaces and an empty scratch space of its
    /// own, where else a cell empties and uses them again. Dearer, and only at A and B.
    ///
    /// # Errors
    /// As [`Namespaced::at`].
    pub fn strict(level: Level, cell_exe: PathBuf, cancel: Cancel) -> Result<Namespaced, Fault> {
        if level > Level::B {
            return Err(lacking(level, "the strict mode needs namespaces, so level A or B"));
        }
        Namespaced::made(
            level,
            IsolationRequirement { strict: true, ..IsolationRequirement::default() },
            cell_exe,
            cancel,
        )
    }

    fn made(
        level: Level,
        demand: IsolationRequirement,
        cell_exe: PathBuf,
        cancel: Cancel,
    ) -> Result<Namespaced, Fault> {
        let mut missing = Vec::new();
        let landlock = sys::landlock_version();
        let hierarchy = match level {
            Level::A => Some(Hierarchy::find().map_err(|reason| lacking(level, &reason))?),
            Level::B => {
                missing.push(
                    "control groups: memory is judged by resident sets, processes by the kernel's own limit".into(),
                );
                None
            }
            Level::C if landlock < LANDLOCK_WITH_SIGNALS => {
                return Err(lacking(
                    level,
                    &format!("Landlock {LANDLOCK_WITH_SIGNALS} is needed, the kernel has {landlock}"),
                ));
            }
            Level::C => {
                missing.push("user namespaces: programs see the machine's processes and file names".into());
                None
            }
            Level::D => return Err(lacking(level, "that is the plain sandbox")),
        };
        if landlock == 0 {
            missing.push("Landlock: this kernel does not have it".into());
        }
        let mut house = House::new(cell_exe, hierarchy)?;
        house.instructions = demand.instructions;
        let strict = demand.strict;
        let contained = Namespaced { house: Arc::new(house), cancel, isolation: Isolation { level, strict, missing } };
        contained.probe()?;
        Ok(contained)
    }

    /// Runs a program, so that what does not work is known before anybody relies on it.
    fn probe(&self) -> Result<(), Fault> {
        let room = CellSpec { slot: 0, mounts: Vec::new(), scratch: ByteSize::mib(1) };
        let mut cell = self.open(&room)?;
        let limits = Limits {
            cpu: TimeSpan::seconds(5),
            wall: TimeSpan::seconds(20),
            memory: ByteSize::mib(64),
            output: ByteSize::mib(1),
            processes: 4,
        };
        let program = ["/usr/bin/true", "/bin/true"].into_iter().find(|path| Path::new(path).exists());
        let Some(program) = program else { return Ok(()) };
        let run = cell.run(CellCommand {
            argv: vec![program.into()],
            env: Vec::new(),
            dir: None,
            files: Vec::new(),
            take_files: false,
            stdin: Input::Empty,
            stdout: Output::Collect,
            limits,
            bound_address_space: false,
            keep_stderr: 200,
        })?;
        match run.execution.exit {
            Exit::Code(0) => Ok(()),
            other => Err(lacking(self.isolation.level, &format!("{program} ended with {other}"))),
        }
    }

    fn setup(&self, room: &CellSpec) -> Setup {
        let contained = self.isolation.level <= Level::B;
        Setup {
            private_dir: if contained { "/box".into() } else { PathBuf::new() },
            contained,
            strict: self.isolation.strict,
            filter: true,
            landlock: sys::landlock_version() > 0,
            drop_capabilities: true,
            slot: room.slot as u64,
            processors: self.house.processors_for(room),
            mounts: room.mounts.iter().map(|mount| (mount.path.clone(), mount.writable)).collect(),
            scratch: room.scratch.get(),
            counter: self.house.hierarchy.is_some(),
            instructions: self.house.instructions,
        }
    }
}

fn lacking(level: Level, reason: &str) -> Fault {
    Fault::new(FaultKind::Sandbox, format!("isolation {level} cannot be had here: {reason}"))
}

impl Sandbox for Namespaced {
    fn isolation(&self) -> &Isolation {
        &self.isolation
    }

    fn open(&self, room: &CellSpec) -> Result<Box<dyn Cell>, Fault> {
        Ok(Box::new(CellClient::new(Arc::clone(&self.house), self.cancel.clone(), self.setup(room))?))
    }

    fn with_cancel(&self, cancel: Cancel) -> Arc<dyn Sandbox> {
        Arc::new(Namespaced { cancel, ..self.clone() })
    }
}

/// What a sandbox must be at least.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct IsolationRequirement {
    /// The weakest level that will do; C if none is named.
    pub level: Option<Level>,
    /// Whether every run must have everything of its own, as [`Namespaced::strict`] gives it.
    pub strict: bool,
    /// Whether instructions are to be counted.
    pub instructions: bool,
}

impl From<Option<Level>> for IsolationRequirement {
    fn from(level: Option<Level>) -> IsolationRequirement {
        IsolationRequirement { level, ..IsolationRequirement::default() }
    }
}

/// The strongest sandbox this machine allows, with what it lacks in its [`Isolation`].
///
/// `cell_exe` is our own binary (see [`RlimitOnly::new`]). Level D, which protects nothing, is taken only if it is named.
///
/// # Errors
/// A fault with every reason if nothing as strong as what is demanded can be had.
pub fn best_available(
    cell_exe: PathBuf,
    cancel: Cancel,
    demand: impl Into<IsolationRequirement>,
) -> Result<Box<dyn Sandbox>, Fault> {
    let demand = demand.into();
    let IsolationRequirement { level, strict, instructions } = demand;
    if instructions && let Some(reason) = instruction_counter_error() {
        return Err(Fault::new(FaultKind::Sandbox, format!("instructions cannot be counted here: {reason}")));
    }
    let weakest = level.unwrap_or(Level::C).min(if strict { Level::B } else { Level::D });
    let mut reasons = Vec::new();
    for level in [Level::A, Level::B, Level::C] {
        if level > weakest {
            break;
        }
        match Namespaced::made(level, demand, cell_exe.clone(), cancel.clone()) {
            Ok(mut contained) => {
                reasons.append(&mut contained.isolation.missing);
                contained.isolation.missing = reasons;
                return Ok(Box::new(contained));
            }
            Err(fault) if fault.kind == FaultKind::Cancelled => return Err(fault),
            Err(fault) => reasons.push(fault.message),
        }
    }
    if weakest == Level::D {
        let mut plain = RlimitOnly::made(cell_exe, cancel, instructions)?;
        plain.explain(reasons);
        return Ok(Box::new(plain));
    }
    let wanted = if strict { "strict isolation" } else { "isolation" };
    let message = format!("{wanted} {weakest} or better is required and cannot be had here: {}", reasons.join("; "));
    Err(Fault::new(FaultKind::Sandbox, message))
}
