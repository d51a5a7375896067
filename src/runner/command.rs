//! Creates the commands and cell specifications for programs, and reads the outputs of their runs.

use std::io::{Seek, Write};
use std::path::Path;

use crate::judge::retry::RunLimits;
use crate::lang::Program;
use crate::model::{Activity, Breach, ByteSize, CaseId, Fault, FaultKind, Limits, TimeSpan};
use crate::sandbox::{Cell, CellCommand, CellOutput, CellSpec, Input, Mount, memory_file};

/// Maximum number of bytes of a program's standard error that are retained.
const KEPT_STDERR: usize = 16 << 10;

/// Maximum size, in bytes, of a temporary file in memory. Creating and removing a file on a disk takes about a tenth as long
/// as the run of a short program.
const IN_MEMORY: usize = 1 << 20;

/// The maximum number of runs in the queue of a cell, and in the queues of all cells. Each has four descriptors in the
/// judge and three in the socket.
const QUEUED_IN_CELL_MAX: usize = 16;
const QUEUED_MAX: usize = 64;

/// Capacity of a program's private working directory.
const SCRATCH: ByteSize = ByteSize::mib(64);

/// The limits of reference solutions and generators. Their authors are trusted, but the programs may have errors.
pub const AUTHOR_LIMITS: Limits = Limits {
    cpu: TimeSpan::seconds(60),
    wall: TimeSpan::seconds(120),
    memory: ByteSize::mib(2048),
    output: ByteSize::mib(1024),
    processes: 64,
};

/// Returns the maximum number of runs in the queue of a cell if a host has this number of slots.
pub(super) fn queue_length(slots: usize) -> usize {
    (QUEUED_MAX / slots.max(1)).min(QUEUED_IN_CELL_MAX)
}

/// Returns the command that runs a program under the limits `limits`, which are extended for the program's language. `args`
/// follow the program's own arguments.
pub(super) fn command(
    program: &Program,
    limits: impl Into<RunLimits>,
    private: &Path,
    stdin: Input,
    args: &[String],
) -> CellCommand {
    let RunLimits { limits, undisturbed } = limits.into();
    let limits = &limits;
    let mut argv = program.argv(limits);
    argv.extend(args.iter().map(Into::into));
    CellCommand {
        argv,
        env: program.env(limits, private),
        dir: None,
        files: Vec::new(),
        read_only: Vec::new(),
        take_files: false,
        stdin,
        stdout: crate::sandbox::Output::Collect,
        more_pipes: Vec::new(),
        prestart: program.has_start_hook(),
        limits: program.limits(limits),
        early_stop: undisturbed.map(|limits| program.limits(&limits).cpu),
        address_space: program.address_space(limits),
        keep_stderr: KEPT_STDERR,
    }
}

/// Runs `program` by `command`. A run that failed because the program got no more memory counts as one that exceeded the
/// memory limit. If the rules of the problem limit the resident set, a resident set above the limit is the memory usage.
///
/// # Errors
/// Fails if the sandbox fails.
pub(super) fn run_program(cell: &mut dyn Cell, program: &Program, command: CellCommand) -> Result<CellOutput, Fault> {
    let limit = command.limits.memory;
    Ok(with_memory_breach(cell.run(command)?, program, limit))
}

/// Returns the result of the oldest run of `program` in the queue of the cell. `memory` is the memory limit of the run, and has
/// the effect that [`run_program`] describes. Returns `None` if the run did not take place or its result is not certain;
/// the program must then be run outside of the queue.
///
/// # Errors
/// Fails if the sandbox fails.
pub(super) fn finish_queued(
    cell: &mut dyn Cell,
    program: &Program,
    memory: ByteSize,
) -> Result<Option<CellOutput>, Fault> {
    let run = cell.finish_queued()?.map(|run| with_memory_breach(run, program, memory));
    // The judge reads the output of a queued run late, so the program may have waited for the judge.
    let may_have_waited =
        |run: &CellOutput| matches!(run.execution.breach, Some(Breach::Idle | Breach::Wall | Breach::Starved));
    Ok(run.filter(|run| !may_have_waited(run)))
}

/// Completes a run of `program` under the memory limit `limit`, as [`run_program`] describes.
fn with_memory_breach(mut run: CellOutput, program: &Program, limit: ByteSize) -> CellOutput {
    let execution = &mut run.execution;
    if program.limits_resident() && run.resident > limit {
        execution.usage.memory = execution.usage.memory.max(run.resident);
    }
    if program.is_out_of_memory(execution) {
        execution.breach = Some(Breach::Memory);
    }
    run
}

/// Returns the specification of a cell for the program on the slot `slot`.
pub(super) fn cell_spec(program: &Program, slot: usize) -> CellSpec {
    cell_spec_with(program.mounts().to_vec(), slot)
}

/// Returns the specification of a cell on the slot `slot` with the mounts `mounts`.
pub(super) fn cell_spec_with(mounts: Vec<Mount>, slot: usize) -> CellSpec {
    CellSpec { slot, mounts, scratch: SCRATCH }
}

/// A function that reports the current activity of a runner.
pub(super) type ReportActivity<'a> = &'a mut dyn FnMut(Activity);

/// Returns the placeholder for the case id of a run that belongs to no case.
pub(super) fn no_case() -> CaseId {
    CaseId::named("input")
}

/// Takes the program's output out of a run and returns it: the content of the file `file` if the program wrote this
/// file, otherwise standard output. If the program wrote this file, standard output that was spilled is dropped.
pub(super) fn program_output(run: &mut CellOutput, file: Option<&str>) -> Vec<u8> {
    let found = file.and_then(|file| run.files.iter_mut().find(|(name, _)| name == file));
    if found.is_some() {
        run.spilled = None;
    }
    std::mem::take(found.map_or(&mut run.stdout, |(_, content)| content))
}

/// Creates an unnamed temporary file with the content `input`. It is in memory if it is small.
pub(super) fn temp_file_with(input: &[u8]) -> Result<std::fs::File, Fault> {
    if input.len() <= IN_MEMORY {
        let fault = |error| Fault::io(FaultKind::Data, &error).context("cannot create a file in memory");
        return memory_file([input]).map_err(fault);
    }
    let fault = |error: std::io::Error| {
        let folder = std::env::temp_dir();
        let context = format!("cannot write a temporary file to `{}`", folder.display());
        Fault::io(FaultKind::Data, &error).context(context)
    };
    let mut file = tempfile::tempfile().map_err(fault)?;
    file.write_all(input).and_then(|()| file.rewind()).map_err(fault)?;
    Ok(file)
}
