//! Generates a problem's test data with its reference solution, generators and validators.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::data::{Lock, MadeData, Maker, Store, check_lock};
use crate::model::{Failure, FaultKind};
use crate::problem::Problem;
use crate::sandbox::pin_to_slot;

use super::aux_program::AuxPrograms;
use super::command::cell_spec;
use super::data_programs::{DataProgramRunner, ReferenceProgram};
use super::host::Host;
use super::solutions::reference;

/// A problem's test data, and whether it matches the lock.
#[derive(Debug, Clone)]
pub struct Prepared {
    /// All cases, in the order of the groups.
    pub made: MadeData,
    /// The result of comparing the cases with the lock.
    pub lock: Lock,
}

/// Generates the part of a problem's test data that is not in the cache, and compares all of the data with the lock.
/// Calls `progress` with the number of finished cases and the total.
///
/// # Errors
/// Fails if the reference solution or a generator is missing, does not compile or fails, if an input does not match its
/// description or a validator rejects it, if the reference solution disagrees with a sample, if the lock can't be read,
/// or if the judge itself fails.
pub fn prepare_data(
    host: &Host,
    problem: &Problem,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<Prepared, Failure> {
    let lease = host.slots().lease(usize::MAX, host.cancel(), &mut || {})?;
    let made = make_data(host, problem, (host.store(), &host.cache().data_index(problem)), lease.slots(), progress)?;
    let lock = check_lock(&problem.dir, &made.cases)?;
    Ok(Prepared { made, lock })
}

/// Generates the test data of a problem into a store, with one worker per slot. A case is not generated again if both
/// the index and the store contain it.
///
/// # Errors
/// Returns the errors of [`prepare_data`].
pub fn make_data(
    host: &Host,
    problem: &Problem,
    (store, index): (&Store, &Path),
    slots: &[usize],
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<MadeData, Failure> {
    let solution = reference(problem)?;
    let source = host.languages().load(&solution.path, None)?;
    let built = OnceLock::new();
    let maker = Maker { problem, reference: source.digest(), store, index, slots };
    let build = Mutex::new(());
    let start = |slot: usize| -> Result<DataProgramRunner<'_>, Failure> {
        _ = pin_to_slot(slot);
        // One thread builds the program while the others wait.
        let guard = build.lock().unwrap_or_else(PoisonError::into_inner);
        if built.get().is_none() {
            let _ = built.set(host.languages().build_own(&source, &solution.name)?);
        }
        drop(guard);
        let Some(program) = built.get() else {
            return Err(Failure::fault(FaultKind::Internal, "the reference solution was not built"));
        };
        let cell = host.sandbox().open(&cell_spec(program, slot))?;
        Ok(DataProgramRunner {
            host,
            slot,
            reference: ReferenceProgram { program, cell },
            generators: HashMap::new(),
            aux_programs: AuxPrograms::new(host, slot),
        })
    };
    maker.make(start, progress)
}
