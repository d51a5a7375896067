//! Runs one built program in its own cell on one input after another.

use crate::judge::retry::RunLimits;
use crate::judge::{Feedback, classify};
use crate::lang::{Program, Source};
use crate::model::{Failure, Fault, Limits, Verdict};
use crate::problem::AuxProgram;
use crate::sandbox::{Cell, CellOutput, Input};

use super::command::{cell_spec, command, finish_queued, no_case, queue_length, run_program, temp_file_with};
use super::host::Host;
use super::interactive::{Interaction, InteractionInput};
use super::languages::BuildOutcome;
use super::output_check::{CheckOutcome, OutputChecker};
use super::retry::RetryPolicy;
use super::text_source::TextSource;

/// A built program with additional arguments.
#[derive(Debug, Clone)]
pub struct BuiltProgram {
    /// The built program.
    pub program: Program,
    /// The additional arguments, which follow the program's own arguments.
    pub args: Vec<String>,
    /// The name by which messages refer to the program.
    pub name: String,
}

/// The result of building a program to run.
#[derive(Debug, Clone)]
pub enum BuildResult {
    /// The program compiles.
    Ready(BuiltProgram),
    /// The program does not compile. Contains the compiler's output.
    Rejected(String),
}

impl BuiltProgram {
    /// Builds a program, which is called `name` in messages.
    ///
    /// # Errors
    /// Fails if the language is not installed, or if the judge itself fails.
    pub fn build(host: &Host, source: &Source, name: &str) -> Result<BuildResult, Failure> {
        Ok(match host.languages().build(source, 0)? {
            BuildOutcome::Rejected { output, .. } => BuildResult::Rejected(output),
            BuildOutcome::Ready(built) => {
                BuildResult::Ready(BuiltProgram { program: built.program, args: Vec::new(), name: name.to_owned() })
            }
        })
    }

    /// Builds a program that must compile.
    ///
    /// # Errors
    /// Returns the errors of [`BuiltProgram::build`], and fails if the program does not compile.
    pub fn build_valid(host: &Host, source: &Source, name: &str) -> Result<BuiltProgram, Failure> {
        match BuiltProgram::build(host, source, name)? {
            BuildResult::Ready(program) => Ok(program),
            BuildResult::Rejected(output) => Err(Failure::complaint(format!("{name} does not compile:\n{output}"))),
        }
    }
}

/// A built program and its open cell.
pub struct ProgramRunner {
    built: BuiltProgram,
    cell: Box<dyn Cell>,
    /// The maximum number of runs in the queue of the cell.
    queue: usize,
}

/// The policy by which [`ProgramRunner::judge`] repeats a run while no other program runs. All runners of one program
/// share the policy.
pub struct SharedRetry<'a>(RetryPolicy<'a>);

impl<'a> SharedRetry<'a> {
    /// Creates the policy for runs under the problem's limits `limits`.
    pub fn new(host: &'a Host, limits: Limits) -> SharedRetry<'a> {
        SharedRetry(RetryPolicy::new(host, limits, false))
    }
}

impl ProgramRunner {
    /// Opens a cell for the program on the slot `slot`.
    ///
    /// # Errors
    /// Fails if the cell can't be created.
    pub fn new(host: &Host, built: &BuiltProgram, slot: usize) -> Result<ProgramRunner, Fault> {
        let cell = host.sandbox().open(&cell_spec(&built.program, slot))?;
        let queue = if cell.has_queue() { queue_length(host.jobs()) } else { 0 };
        Ok(ProgramRunner { built: built.clone(), cell, queue })
    }

    /// Returns the program that this runner runs.
    pub fn built(&self) -> &BuiltProgram {
        &self.built
    }

    /// Runs the program on the input `input`. `limits` are the problem's limits; the program's language may extend
    /// them.
    ///
    /// # Errors
    /// Returns a fault if the sandbox fails or the run is cancelled. A failure of the program is not an error.
    pub fn run(&mut self, input: &[u8], limits: &Limits) -> Result<CellOutput, Fault> {
        self.start(Input::File(temp_file_with(input)?), &[], limits)
    }

    /// Runs the program on the inputs, one after another, and returns the runs in the same order. The first run in which the
    /// program fails or exceeds a limit is the last. If the cell has a queue, it starts the program on several inputs
    /// without waiting for the judge.
    ///
    /// # Errors
    /// Returns the errors of [`ProgramRunner::run`].
    pub fn run_until_failure(&mut self, inputs: &[Vec<u8>], limits: &Limits) -> Result<Vec<CellOutput>, Fault> {
        let memory = self.built.program.limits(limits).memory;
        let mut runs = Vec::with_capacity(inputs.len());
        for inputs in inputs.chunks(self.queue.max(1)) {
            let queueable = inputs.iter().take(self.queue);
            let queued = queueable.take_while(|input| self.enqueue(input, limits).is_ok()).count();
            // The queue must be empty before the program is run outside of it, and before an error is returned.
            let mut finish = |_| finish_queued(self.cell.as_mut(), &self.built.program, memory);
            let finished: Vec<_> = (0..queued).map(&mut finish).collect();
            let known = finished.into_iter().chain(std::iter::repeat_with(|| Ok(None)));
            for (input, known) in inputs.iter().zip(known) {
                let run = match known? {
                    Some(run) => run,
                    None => self.run(input, limits)?,
                };
                let has_failed = self.classify(&run, limits).is_some();
                runs.push(run);
                if has_failed {
                    return Ok(runs);
                }
            }
        }
        Ok(runs)
    }

    /// Runs the program without input. `args` follow the program's own arguments.
    ///
    /// # Errors
    /// Returns the errors of [`ProgramRunner::run`].
    pub fn run_with_args(&mut self, args: &[String], limits: &Limits) -> Result<CellOutput, Fault> {
        self.start(Input::Empty, args, limits)
    }

    /// Runs the program as a generator: without input, with `args` after the program's own arguments, and with the seed
    /// in the environment variable `NIMATRON_SEED`.
    ///
    /// # Errors
    /// Returns the errors of [`ProgramRunner::run`].
    pub fn run_with_seed(&mut self, args: &[String], seed: u64, limits: &Limits) -> Result<CellOutput, Fault> {
        let args = [&self.built.args, args].concat();
        let mut command = command(&self.built.program, limits, self.cell.private_dir(), Input::Empty, &args);
        command.env.push(("NIMATRON_SEED".into(), seed.to_string().into()));
        run_program(self.cell.as_mut(), &self.built.program, command)
    }

    /// Runs the program with an increased CPU time limit, and again alone if other programs may have affected the
    /// result. Returns the run with the verdict that its measurements determine; `None` if the output must be checked.
    ///
    /// # Errors
    /// Returns the errors of [`ProgramRunner::run`].
    pub fn judge(&mut self, input: &[u8], retry: &SharedRetry<'_>) -> Result<(CellOutput, Option<Verdict>), Fault> {
        let limits = self.built.program.limits(retry.0.limits());
        let run = |run: &RunLimits| self.start(Input::File(temp_file_with(input)?), &[], *run);
        let mut run = retry.0.run(limits.cpu, &no_case(), &mut |_| {}, run)?;
        let stderr = &mut run.execution.stderr.text;
        *stderr = self.built.program.plain(stderr, file_name(&self.built.name));
        let verdict = classify(&run.execution, &limits);
        Ok((run, verdict))
    }

    /// Judges the interaction of the program with an interactor, and checks the interactor's output if there is a
    /// checker. The answer file that these programs read is empty.
    ///
    /// # Errors
    /// Returns the errors of [`ProgramRunner::run`], and fails if the interactor or the checker violates its protocol.
    pub fn judge_interaction(
        &mut self,
        output_checker: &mut OutputChecker<'_>,
        programs: (&AuxProgram, Option<&AuxProgram>),
        input: &[u8],
        retry: &SharedRetry<'_>,
    ) -> Result<(CellOutput, CheckOutcome), Fault> {
        let BuiltProgram { program, args, name } = &self.built;
        let (input, answer) = (TextSource::Bytes(input), TextSource::Bytes(b""));
        let about = InteractionInput { case: &no_case(), input, answer, args, files: Vec::new() };
        let (cell, transcript) = (self.cell.as_mut(), &mut None);
        let mut interaction = Interaction { cell, program, output_checker, retry: &retry.0, transcript };
        let (mut run, outcome) = interaction.judge(programs, &about, Feedback::new(), &mut |_| {})?;
        let stderr = &mut run.execution.stderr.text;
        *stderr = program.plain(stderr, file_name(name));
        Ok((run, outcome))
    }

    /// Returns the verdict that the measurements of a run determine; `None` if the output must be checked. `limits` are
    /// the problem's limits, which are extended for the program's language.
    pub fn classify(&self, run: &CellOutput, limits: &Limits) -> Option<Verdict> {
        classify(&run.execution, &self.built.program.limits(limits))
    }

    fn enqueue(&mut self, input: &[u8], limits: &Limits) -> Result<(), Fault> {
        let BuiltProgram { program, args, .. } = &self.built;
        let stdin = Input::File(temp_file_with(input)?);
        self.cell.enqueue(command(program, limits, self.cell.private_dir(), stdin, args))
    }

    fn start(&mut self, stdin: Input, args: &[String], limits: impl Into<RunLimits>) -> Result<CellOutput, Fault> {
        let args = [&self.built.args, args].concat();
        let command = command(&self.built.program, limits, self.cell.private_dir(), stdin, &args);
        run_program(self.cell.as_mut(), &self.built.program, command)
    }
}

/// Returns the file name of a path, which compilers and interpreters print in messages.
pub(super) fn file_name(path: &str) -> &str {
    std::path::Path::new(path).file_name().and_then(|name| name.to_str()).unwrap_or(path)
}
