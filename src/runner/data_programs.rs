//! Runs the programs that generate and check test data: the reference solution, generators, validators and checkers.

use std::collections::HashMap;
use std::path::Path;

use crate::data::DataPrograms;
use crate::lang::Program;
use crate::model::{Diagnostic, Failure, FaultKind, Verdict};
use crate::problem::{AuxProgram, PointsMeaning};
use crate::sandbox::{Cell, CellCommand, CellOutput, Input};

use super::aux_program::{AuxPrograms, WRITTEN};
use super::checked_output::CheckedOutput;
use super::command::{AUTHOR_LIMITS, cell_spec, command, no_case, run_program, temp_file_with};
use super::host::Host;
use super::interactive::{InteractionCell, InteractionInput, run_both};
use super::text_source::TextSource;

/// The programs that generate and check test data on one slot. The reference solution has an open cell; cells for the
/// other programs are opened when they are needed.
pub(super) struct DataProgramRunner<'a> {
    pub(super) host: &'a Host,
    pub(super) slot: usize,
    pub(super) reference: ReferenceProgram<'a>,
    pub(super) generators: HashMap<String, (Box<dyn Cell>, Program)>,
    pub(super) aux_programs: AuxPrograms<'a>,
}

/// The reference solution and its open cell.
pub(super) struct ReferenceProgram<'a> {
    pub(super) program: &'a Program,
    pub(super) cell: Box<dyn Cell>,
}

impl DataPrograms for DataProgramRunner<'_> {
    fn answer(&mut self, input: &[u8]) -> Result<Vec<u8>, Failure> {
        let ReferenceProgram { program, cell } = &mut self.reference;
        output(cell.as_mut(), program, "the reference solution", Input::File(temp_file_with(input)?), &[])
    }

    fn generate(&mut self, program: &Path, args: &[String]) -> Result<Vec<u8>, Failure> {
        let name = program.display().to_string();
        if !self.generators.contains_key(&name) {
            let source = self.host.languages().load_author(program, None)?;
            let built = self.host.languages().build_own(&source, &name)?;
            let cell = self.host.sandbox().open(&cell_spec(&built, self.slot))?;
            self.generators.insert(name.clone(), (cell, built));
        }
        let Some((cell, built)) = self.generators.get_mut(&name) else {
            return Err(Failure::fault(FaultKind::Internal, format!("{name} was not built")));
        };
        let shown = std::iter::once(&name).chain(args).map(String::as_str).collect::<Vec<_>>().join(" ");
        output(cell.as_mut(), built, &shown, Input::Empty, args)
    }

    fn dialogue(&mut self, interactor: &AuxProgram, input: &[u8]) -> Result<Vec<u8>, Failure> {
        let ReferenceProgram { program, cell } = &mut self.reference;
        let (input, answer) = (TextSource::Bytes(input), TextSource::Bytes(b""));
        let about = &InteractionInput { case: &no_case(), input, answer, args: &[], files: Vec::new() };
        let cell = InteractionCell { cell: cell.as_mut(), program, limits: AUTHOR_LIMITS.into(), about };
        interactor_output(cell, &mut self.aux_programs, interactor, "the reference solution")
    }

    fn validate(&mut self, validator: &AuxProgram, input: &[u8]) -> Result<Option<String>, Failure> {
        self.aux_programs.at(validator)?.admit(input, Vec::new())
    }

    fn check(
        &mut self,
        checker: &AuxProgram,
        input: &[u8],
        output: &[u8],
        answer: &[u8],
    ) -> Result<Option<String>, Failure> {
        let [input, output, answer] = [input, output, answer].map(TextSource::Bytes);
        let output = CheckedOutput::of(output);
        let (ruling, _) = self.aux_programs.at(checker)?.check(input, output, answer, Vec::new())?;
        let reason = ruling.message.unwrap_or_else(|| ruling.verdict.long().to_owned());
        Ok((!ruling.verdict.accepted()).then_some(reason))
    }
}

/// Runs a problem author's program and returns the program's standard output.
///
/// # Errors
/// Fails if the program does not end normally, or if the judge itself fails.
pub(super) fn output(
    cell: &mut dyn Cell,
    program: &Program,
    name: &str,
    stdin: Input,
    args: &[String],
) -> Result<Vec<u8>, Failure> {
    let command = command(program, AUTHOR_LIMITS, cell.private_dir(), stdin, args);
    run_to_end(cell, program, command, name).map(|run| run.stdout)
}

/// Runs a problem author's program and returns the result of the run.
///
/// # Errors
/// Fails if the program does not end normally, or if the judge itself fails.
pub(super) fn run_to_end(
    cell: &mut dyn Cell,
    program: &Program,
    command: CellCommand,
    name: &str,
) -> Result<CellOutput, Failure> {
    let limits = command.limits;
    let run = run_program(cell, program, command)?;
    match crate::judge::classify(&run.execution, &limits) {
        None => Ok(run),
        Some(verdict) => {
            let how =
                if run.execution.breach.is_some() { verdict.long().to_owned() } else { run.execution.exit.to_string() };
            let stderr = run.execution.stderr.text.trim();
            let stderr = if stderr.is_empty() { String::new() } else { format!("; standard error:\n{stderr}") };
            Err(Diagnostic::new(format!("{name} failed: {how}{stderr}")).into())
        }
    }
}

/// Runs a problem author's program with an interactor and returns the content of the file that the interactor writes
/// for the checker.
///
/// # Errors
/// Fails if the program does not end normally or is not accepted, or if the judge itself fails.
pub(super) fn interactor_output(
    cell: InteractionCell<'_>,
    aux_programs: &mut AuxPrograms<'_>,
    interactor: &AuxProgram,
    name: &str,
) -> Result<Vec<u8>, Failure> {
    let limits = cell.program.limits(&cell.limits.limits);
    let interaction = run_both(cell, aux_programs.interactor(interactor)?, Vec::new())?;
    if let Some(verdict) = crate::judge::classify(&interaction.program.execution, &limits) {
        let how = format!("{name} failed during the interaction: {}", verdict.long());
        return Err(Diagnostic::new(how).into());
    }
    let (ruling, left) = aux_programs.interactor(interactor)?.rule(interaction.interactor)?;
    // In a package, a correct program may receive partial credit from an interactor that awards points.
    let partial = interactor.worth == PointsMeaning::Points && ruling.verdict == Verdict::Partial;
    if !ruling.verdict.accepted() && !partial {
        let reason = ruling.message.unwrap_or_else(|| ruling.verdict.long().to_owned());
        return Err(Diagnostic::new(format!("the interactor rejects {name}: {reason}")).into());
    }
    let written = left.into_iter().find(|(name, _)| name == WRITTEN);
    Ok(written.map(|(_, text)| text).unwrap_or_default())
}
