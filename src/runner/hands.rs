//! Running the programs that a problem is made with: its reference and its generators.

use std::collections::HashMap;
use std::io::{Seek, Write};
use std::path::Path;

use crate::data::Hands;
use crate::lang::Program;
use crate::model::{ByteSize, Diagnostic, Failure, Fault, FaultKind, Limits, TimeSpan, Verdict};
use crate::problem::{AuxProgram, Worth};
use crate::sandbox::{Cell, CellCommand, CellSpec, Input, Mount, Run};

use super::arena::Arena;
use super::converse::{Scene, Topic, meet};
use super::desk::{Desks, Text, WRITTEN};

/// How much of what a program writes to standard error is kept.
const KEPT_STDERR: usize = 16 << 10;

/// How much a program's private working directory may hold.
const SCRATCH: ByteSize = ByteSize::mib(64);

/// What a reference or a generator may use. Its author is trusted to mean well and may still be wrong.
pub(super) const SETTERS: Limits = Limits {
    cpu: TimeSpan::seconds(60),
    wall: TimeSpan::seconds(120),
    memory: ByteSize::mib(2048),
    output: ByteSize::mib(1024),
    processes: 64,
};

/// One run of a program under these limits, with these arguments behind its own.
pub(super) fn task(program: &Program, limits: &Limits, private: &Path, stdin: Input, args: &[String]) -> CellCommand {
    let mut argv = program.argv(limits);
    argv.extend(args.iter().map(Into::into));
    CellCommand {
        argv,
        env: program.env(limits, private),
        dir: None,
        files: Vec::new(),
        take_files: false,
        stdin,
        stdout: crate::sandbox::Output::Collect,
        limits: program.limits(limits),
        bound_address_space: program.bound_address_space(),
        keep_stderr: KEPT_STDERR,
    }
}

/// The room for a program at this worker.
pub(super) fn room(program: &Program, slot: usize) -> CellSpec {
    room_with(program.mounts().to_vec(), slot)
}

/// The room in which these paths are seen.
pub(super) fn room_with(mounts: Vec<Mount>, slot: usize) -> CellSpec {
    CellSpec { slot, mounts, scratch: SCRATCH }
}

/// The reference at its cell, and the generators as they are needed.
pub(super) struct Setter<'a> {
    pub(super) arena: &'a Arena,
    pub(super) slot: usize,
    pub(super) reference: Bench<'a>,
    pub(super) generators: HashMap<String, (Box<dyn Cell>, Program)>,
    pub(super) desks: Desks<'a>,
}

/// A program at its cell.
pub(super) struct Bench<'a> {
    pub(super) program: &'a Program,
    pub(super) cell: Box<dyn Cell>,
}

impl Hands for Setter<'_> {
    fn answer(&mut self, input: &[u8]) -> Result<Vec<u8>, Failure> {
        let Bench { program, cell } = &mut self.reference;
        output(cell.as_mut(), program, "the reference", Input::File(file_with(input)?), &[])
    }

    fn generate(&mut self, program: &Path, args: &[String]) -> Result<Vec<u8>, Failure> {
        let name = program.display().to_string();
        if !self.generators.contains_key(&name) {
            let source = self.arena.own_source(program, None)?;
            let built = self.arena.build_own(&source, &name)?;
            let cell = self.arena.sandbox().open(&room(&built, self.slot))?;
            self.generators.insert(name.clone(), (cell, built));
        }
        let Some((cell, built)) = self.generators.get_mut(&name) else {
            return Err(Failure::fault(FaultKind::Worker, format!("{name} was lost")));
        };
        let shown = format!("{name} {}", args.join(" "));
        output(cell.as_mut(), built, &shown, Input::Empty, args)
    }

    fn dialogue(&mut self, interactor: &AuxProgram, input: &[u8]) -> Result<Vec<u8>, Failure> {
        let Bench { program, cell } = &mut self.reference;
        let topic = &Topic { input: Text::Bytes(input), answer: Text::Bytes(b""), args: &[], beside: Vec::new() };
        let scene = Scene { cell: cell.as_mut(), program, limits: &SETTERS, topic };
        written_in(scene, &mut self.desks, interactor, "the reference")
    }

    fn validate(&mut self, validator: &AuxProgram, input: &[u8]) -> Result<Option<String>, Failure> {
        self.desks.at(validator)?.admit(input, Vec::new())
    }

    fn check(
        &mut self,
        checker: &AuxProgram,
        input: &[u8],
        output: &[u8],
        answer: &[u8],
    ) -> Result<Option<String>, Failure> {
        let [input, output, answer] = [input, output, answer].map(Text::Bytes);
        let (ruling, _) = self.desks.at(checker)?.check(input, output, answer, Vec::new())?;
        let reason = ruling.message.unwrap_or_else(|| ruling.verdict.long().to_owned());
        Ok((!ruling.verdict.accepted()).then_some(reason))
    }
}

/// What a setter's program prints; a complaint if it does not end well.
pub(super) fn output(
    cell: &mut dyn Cell,
    program: &Program,
    name: &str,
    stdin: Input,
    args: &[String],
) -> Result<Vec<u8>, Failure> {
    let task = task(program, &SETTERS, cell.private_dir(), stdin, args);
    made(cell, task, name).map(|run| run.stdout)
}

/// A setter's program's run; a complaint if it does not end well.
pub(super) fn made(cell: &mut dyn Cell, task: CellCommand, name: &str) -> Result<Run, Failure> {
    let limits = task.limits;
    let run = cell.run(task)?;
    match crate::judge::classify(&run.execution, &limits) {
        None => Ok(run),
        Some(verdict) => {
            let how =
                if run.execution.breach.is_some() { verdict.long().to_owned() } else { run.execution.exit.to_string() };
            let said = run.execution.stderr.text.trim();
            let said = if said.is_empty() { String::new() } else { format!("; it said:\n{said}") };
            Err(Diagnostic::new(format!("{name} failed: {how}{said}")).into())
        }
    }
}

/// What an interactor writes for the checker while it talks to a setter's program of this name; a complaint if that does
/// not end well or is not accepted.
pub(super) fn written_in(
    scene: Scene<'_>,
    desks: &mut Desks<'_>,
    interactor: &AuxProgram,
    name: &str,
) -> Result<Vec<u8>, Failure> {
    let limits = scene.program.limits(scene.limits);
    let met = meet(scene, desks.at(interactor)?, Vec::new())?;
    if let Some(verdict) = crate::judge::classify(&met.program.execution, &limits) {
        let how = format!("{name} failed while it talked to the interactor: {}", verdict.long());
        return Err(Diagnostic::new(how).into());
    }
    let (ruling, left) = desks.at(interactor)?.rule(met.interactor)?;
    // In a package whoever gets a part of the points may be right.
    let partial = interactor.worth == Worth::Points && ruling.verdict == Verdict::Partial;
    if !ruling.verdict.accepted() && !partial {
        let said = ruling.message.unwrap_or_else(|| ruling.verdict.long().to_owned());
        return Err(Diagnostic::new(format!("the interactor does not accept {name}: {said}")).into());
    }
    let written = left.into_iter().find(|(name, _)| name == WRITTEN);
    Ok(written.map(|(_, text)| text).unwrap_or_default())
}

/// What a run gave as its output: the file of this name, if it left one, else what it printed.
pub(super) fn written(run: &mut Run, file: Option<&str>) -> Vec<u8> {
    let found = file.and_then(|file| run.files.iter_mut().find(|(name, _)| name == file));
    std::mem::take(found.map_or(&mut run.stdout, |(_, content)| content))
}

/// A file without a name that holds this input.
pub(super) fn file_with(input: &[u8]) -> Result<std::fs::File, Fault> {
    let fault =
        |error: std::io::Error| Fault::new(FaultKind::Data, format!("a temporary file can't be written: {error}"));
    let mut file = tempfile::tempfile().map_err(fault)?;
    file.write_all(input).and_then(|()| file.rewind()).map_err(fault)?;
    Ok(file)
}
