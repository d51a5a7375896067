//! One case of an interactive problem: the program and the interactor run concurrently and exchange messages.

use std::ffi::OsString;
use std::os::fd::OwnedFd;

use rustix::pipe::{PipeFlags, pipe_with};

use crate::judge::{Feedback, InteractionDecision, InteractorEnd, ProgramEnd, classify, decide_interaction};
use crate::lang::Program;
use crate::model::{Breach, ByteSize, CaseId, Execution, Exit, Fault, FaultKind, Limits, Side, Transcript, Verdict};
use crate::problem::{AuxProgram, Protocol};
use crate::runner::aux_program::{ReadyAuxProgram, WRITTEN};
use crate::runner::checked_output::CheckedOutput;
use crate::runner::command::{ReportActivity, command};
use crate::runner::output_check::{CheckOutcome, OutputChecker};
use crate::runner::retry::RetryPolicy;
use crate::runner::text_source::TextSource;
use crate::sandbox::{Cell, CellOutput, Input, Output};
use crate::workers::start_scoped;

use super::relay::{Ends, RelayOutcome, ends};

/// The results of the program, the interactor and the relay between them.
pub(in crate::runner) struct InteractionRun {
    pub(in crate::runner) program: CellOutput,
    pub(in crate::runner) interactor: CellOutput,
    pub(in crate::runner) relayed: RelayOutcome,
}

impl InteractionRun {
    /// Returns whether the wall limit stopped a program that was waiting for a reply. The interactor may have received
    /// too little CPU time, so the case is run once more. A second timeout counts against the program.
    fn timed_out_awaiting_reply(&self) -> bool {
        self.relayed.unanswered && self.program.execution.breach == Some(Breach::Idle)
    }
}

/// A program that is judged with an interactor: its open cell, its output checker, its policy for repeated runs, and
/// the destination of the dialogue.
pub(in crate::runner) struct Interaction<'a, 'e> {
    pub(in crate::runner) cell: &'a mut dyn Cell,
    pub(in crate::runner) program: &'a Program,
    pub(in crate::runner) output_checker: &'a mut OutputChecker<'e>,
    pub(in crate::runner) retry: &'a RetryPolicy<'a>,
    /// The destination of the recorded dialogue.
    pub(in crate::runner) transcript: &'a mut Option<Transcript>,
}

/// The test data of an interaction, and the arguments and files of the program.
pub(in crate::runner) struct InteractionInput<'a> {
    pub(in crate::runner) case: &'a CaseId,
    pub(in crate::runner) input: TextSource<'a>,
    pub(in crate::runner) answer: TextSource<'a>,
    /// The program's arguments.
    pub(in crate::runner) args: &'a [String],
    /// The files in the program's working directory.
    pub(in crate::runner) files: Vec<(OsString, Vec<u8>)>,
}

impl Interaction<'_, '_> {
    /// Runs the program with the interactor and judges the result. If the problem has a checker and the interactor
    /// accepts, the checker judges the file that the interactor wrote.
    ///
    /// # Errors
    /// Fails if the sandbox fails, if the interactor or the checker fails or violates its protocol, or if the run is
    /// cancelled.
    pub(in crate::runner) fn judge(
        &mut self,
        (interactor, checker): (&AuxProgram, Option<&AuxProgram>),
        about: &InteractionInput<'_>,
        feedback: Feedback,
        report: ReportActivity<'_>,
    ) -> Result<(CellOutput, CheckOutcome), Fault> {
        let limits = self.program.limits(self.retry.limits());
        let mut once = |limits: &Limits| {
            let cell = InteractionCell { cell: &mut *self.cell, program: self.program, limits, about };
            run_both(cell, self.output_checker.aux_programs.ready(interactor)?, feedback.clone())
        };
        let run = |limits: &Limits| match once(limits)? {
            run if run.timed_out_awaiting_reply() => once(limits),
            run => Ok(run),
        };
        let InteractionRun { mut program, interactor: interactor_run, relayed } =
            self.retry.run(limits.cpu, about.case, report, run, |run| &run.program.execution)?;
        if relayed.flooded == Some(Side::Program) {
            program.execution.breach = Some(Breach::Output);
        }
        *self.transcript = Some(relayed.transcript);
        let part = self.part(&program.execution, &limits);
        let process = self.output_checker.aux_programs.ready(interactor)?;
        let breach = interactor_run.execution.breach;
        let stuck = matches!(breach, Some(Breach::Cpu | Breach::Wall | Breach::Starved | Breach::Idle));
        let busy = interactor_run.execution.usage.cpu.times(2) >= limits.wall;
        let (ruling, left) = match (relayed.flooded, process.rule(interactor_run)) {
            (Some(Side::Interactor), _) => (Err(flood(process.name(), process.limits().output)), Feedback::new()),
            (_, Ok((ruling, left))) => (Ok(ruling), left),
            (_, Err(fault)) => (Err(fault), Feedback::new()),
        };
        let outcome = match decide_interaction(relayed.first, part, InteractorEnd { ruling, stuck, busy })? {
            InteractionDecision::Program(verdict) => {
                let mut outcome = CheckOutcome::decided(verdict, None);
                outcome.ruling.message = (verdict == Verdict::IdleLimit).then(|| idle_hint(relayed.last).to_owned());
                outcome
            }
            InteractionDecision::Interactor(ruling) => CheckOutcome { ruling, difference: None, feedback: left },
        };
        let accepted = outcome.ruling.verdict.accepted();
        match checker.filter(|_| accepted) {
            None => Ok((program, outcome)),
            Some(checker) => self.check_written(checker, about, outcome).map(|outcome| (program, outcome)),
        }
    }

    fn part(&self, execution: &Execution, limits: &Limits) -> ProgramEnd {
        let decided = classify(execution, limits);
        ProgramEnd { decided, waited: matches!(execution.breach, Some(Breach::Wall | Breach::Starved | Breach::Idle)) }
    }

    /// Runs the checker on the file that an accepting interactor wrote.
    fn check_written(
        &mut self,
        checker: &AuxProgram,
        about: &InteractionInput<'_>,
        accepted: CheckOutcome,
    ) -> Result<CheckOutcome, Fault> {
        let written = accepted.feedback.into_iter().find(|(name, _)| name == WRITTEN);
        let written = written.map(|(_, text)| text).unwrap_or_default();
        let process = &mut self.output_checker.aux_programs.ready(checker)?;
        let (ruling, feedback) = process.check(
            about.input,
            CheckedOutput::of(TextSource::Bytes(&written)),
            about.answer,
            Feedback::new(),
        )?;
        Ok(CheckOutcome { ruling, difference: None, feedback })
    }
}

/// Returns a hint that explains why a program may have waited until its wall limit. `last` is the side that wrote last.
fn idle_hint(last: Option<Side>) -> &'static str {
    match last {
        Some(Side::Program) => {
            "the interactor did not reply to the last output of the program; each line must end with a line break, and \
             the interactor must flush its output"
        }
        Some(Side::Interactor) | None => "a program must flush its output before it waits for input",
    }
}

/// A program with its open cell, the limits of the run, and the test data of the interaction.
pub(in crate::runner) struct InteractionCell<'a> {
    pub(in crate::runner) cell: &'a mut dyn Cell,
    pub(in crate::runner) program: &'a Program,
    pub(in crate::runner) limits: &'a Limits,
    pub(in crate::runner) about: &'a InteractionInput<'a>,
}

/// Runs the program and the interactor until both have ended.
///
/// # Errors
/// Returns a fault if the sandbox fails, or if the pipes or the interactor's files can't be created.
pub(in crate::runner) fn run_both(
    cell: InteractionCell<'_>,
    mut interactor: ReadyAuxProgram<'_>,
    feedback: Feedback,
) -> Result<InteractionRun, Fault> {
    let InteractionCell { cell, program, limits, about } = cell;
    let own = program.limits(limits);
    let (stop_read, stop_write) = pipe_with(PipeFlags::CLOEXEC).map_err(|error| unconnected(error.into()))?;
    let output = interactor.limits().output.get();
    let Ends { stdin, stdout, stop_program, relay } =
        ends(stop_read, [own.output.get(), output]).map_err(unconnected)?;
    let ([program_in, interactor_in], [program_out, interactor_out]) = (stdin, stdout);
    let streams = (Input::Pipe(interactor_in), Output::Pipe(interactor_out));
    let mut interactor_command = interactor.prepare(about.input, about.answer, feedback, streams)?;
    // The interactor may wait for the program as long as the program's wall limit, in addition to the interactor's own
    // wall limit.
    interactor_command.limits.wall = interactor_command.limits.wall.plus(own.wall);
    let mut command = command(program, limits, cell.private_dir(), Input::Pipe(program_in), about.args);
    command.stdout = Output::StoppablePipe { pipe: program_out, stop: stop_program };
    command.files.clone_from(&about.files);
    std::thread::scope(|scope| {
        let relay = start_scoped(scope, move || relay.run())?;
        // If the thread can't be started, the ends of all pipes are dropped, so that the relay ends.
        let interactor = start_scoped(scope, move || {
            let run = interactor.run(interactor_command);
            let content = run.as_ref().is_ok_and(|run| may_accept(interactor.protocol(), &run.execution));
            // If the interactor has not accepted the program, the write end of the stop pipe is dropped, so that the
            // relay stops reading the program's output.
            let stop_write: Option<OwnedFd> = content.then_some(stop_write);
            (run, stop_write)
        })?;
        let program = cell.run(command);
        let panicked = |_| Fault::new(FaultKind::Internal, "a worker thread panicked");
        let (interactor, stop_write) = interactor.join().map_err(panicked)?;
        let relayed = relay.join().map_err(panicked)?.map_err(unconnected)?;
        drop(stop_write);
        Ok(InteractionRun { program: program?, interactor: interactor?, relayed })
    })
}

/// Returns whether an interactor with this exit status may have accepted the program. If so, the program is not stopped
/// before it ends.
fn may_accept(protocol: Protocol, execution: &Execution) -> bool {
    match (protocol, execution.exit) {
        (Protocol::Icpc | Protocol::Dmoj, Exit::Code(code)) => code == 42,
        (Protocol::Testlib, Exit::Code(code)) => matches!(code, 0 | 5 | 7 | 16..),
        (Protocol::Coci, Exit::Code(code)) => matches!(code, 0 | 7),
        (Protocol::Peg | Protocol::Sinol, Exit::Code(code)) => matches!(code, 0 | 1),
        (Protocol::Plain, Exit::Code(code)) => code == 0,
        (_, Exit::Signal(_)) => false,
    }
}

fn flood(name: &str, limit: ByteSize) -> Fault {
    Fault::new(FaultKind::Checker, format!("{name} exceeded its output limit of {limit}"))
}

fn unconnected(error: std::io::Error) -> Fault {
    Fault::io(FaultKind::Sandbox, &error).context("cannot connect the program and the interactor")
}
