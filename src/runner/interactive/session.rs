//! One case of an interactive problem: the program and the interactor run concurrently and exchange messages. Some
//! interactors communicate with several processes of the program.

use std::ffi::OsString;
use std::os::fd::OwnedFd;

use rustix::pipe::{PipeFlags, pipe_with};

use crate::judge::{Feedback, InteractionDecision, InteractorEnd, ProgramEnd, classify, decide_interaction};
use crate::lang::Program;
use crate::model::{
    Breach, ByteSize, CaseId, Execution, Exit, Fault, FaultKind, Limits, Side, Transcript, Usage, Verdict,
};
use crate::problem::{AuxProgram, Protocol};
use crate::runner::aux_program::{ReadyAuxProgram, WRITTEN};
use crate::runner::checked_output::CheckedOutput;
use crate::runner::command::{ReportActivity, command};
use crate::runner::output_check::{CheckOutcome, OutputChecker};
use crate::runner::retry::RetryPolicy;
use crate::runner::text_source::TextSource;
use crate::sandbox::{Cell, CellOutput, Input, Output};
use crate::workers::start_scoped;

use super::relay::{Ends, LinkOutcome, ProgramEnds, RelayOutcome, ends};

/// The results of the program, the interactor and the relay between them.
pub(in crate::runner) struct InteractionRun {
    /// The result of the process that decides; see [`decisive`].
    pub(in crate::runner) program: CellOutput,
    pub(in crate::runner) interactor: CellOutput,
    /// The result of relaying the dialogue with the process that decides.
    pub(in crate::runner) relayed: LinkOutcome,
    pub(in crate::runner) transcript: Transcript,
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
        let limits = process_limits(self.program, self.retry.limits(), interactor.processes);
        let mut once = |limits: &Limits| {
            let cell = InteractionCell { cell: &mut *self.cell, program: self.program, limits, about };
            run_both(cell, self.output_checker.aux_programs.ready(interactor)?, feedback.clone())
        };
        let run = |limits: &Limits| match once(limits)? {
            run if run.timed_out_awaiting_reply() => once(limits),
            run => Ok(run),
        };
        let InteractionRun { mut program, interactor: interactor_run, relayed, transcript } =
            self.retry.run(limits.cpu, about.case, report, run, |run| &run.program.execution)?;
        if relayed.flooded == Some(Side::Program) {
            program.execution.breach = Some(Breach::Output);
        }
        *self.transcript = Some(transcript);
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

/// Returns the limits of each of `processes` processes of the program. A process may have to wait while the others run,
/// so the wall limit is extended.
fn process_limits(program: &Program, limits: &Limits, processes: u32) -> Limits {
    let limits = program.limits(limits);
    Limits { wall: limits.wall.times(processes.into()), ..limits }
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
    let own = process_limits(program, limits, interactor.processes());
    let (stop_read, stop_write) = pipe_with(PipeFlags::CLOEXEC).map_err(|error| unconnected(error.into()))?;
    let output = interactor.limits().output.get();
    let Ends { program: program_ends, interactor: interactor_ends, relay } =
        ends(interactor.processes() as usize, stop_read, [own.output.get(), output]).map_err(unconnected)?;
    let mut interactor_command = interactor.prepare(about.input, about.answer, feedback, interactor_ends)?;
    // The interactor may wait for the program as long as the program's wall limit, in addition to the interactor's own
    // wall limit.
    interactor_command.limits.wall = interactor_command.limits.wall.plus(own.wall);
    let protocol = interactor.protocol();
    let mut others = interactor.take_cells(program)?;
    let start = |(number, ends): (usize, ProgramEnds), cell: &mut dyn Cell| {
        // A process of a sinol package gets its number.
        let number = (protocol == Protocol::Sinol).then(|| number.to_string());
        let args: Vec<String> = about.args.iter().cloned().chain(number).collect();
        let mut command = command(program, limits, cell.private_dir(), Input::Pipe(ends.stdin), &args);
        command.limits.wall = own.wall;
        command.stdout = Output::StoppablePipe { pipe: ends.stdout, stop: ends.stop };
        command.files.clone_from(&about.files);
        cell.run(command)
    };
    let (run, interactor) = std::thread::scope(|scope| {
        let relay = start_scoped(scope, move || relay.run())?;
        // If a thread can't be started, the ends of all pipes are dropped, so that the other threads end.
        let interactor = start_scoped(scope, move || {
            let run = interactor.run_interactor(interactor_command);
            let content = run.as_ref().is_ok_and(|run| may_accept(interactor.protocol(), &run.execution));
            // If the interactor has not accepted the program, the write end of the stop pipe is dropped, so that the
            // relay stops reading the program's output.
            let stop_write: Option<OwnedFd> = content.then_some(stop_write);
            (run, stop_write, interactor)
        })?;
        let mut program_ends = program_ends.into_iter().enumerate();
        let first = program_ends.next().ok_or_else(|| Fault::new(FaultKind::Internal, "no process to run"))?;
        let threads: Vec<_> = program_ends
            .zip(&mut others)
            .map(|(ends, cell)| start_scoped(scope, move || start(ends, cell.as_mut())))
            .collect::<Result<_, Fault>>()?;
        let first = start(first, cell);
        let panicked = |_| Fault::new(FaultKind::Internal, "a worker thread panicked");
        let joined = threads.into_iter().map(|thread| thread.join().map_err(panicked)?);
        let programs: Result<Vec<CellOutput>, Fault> = std::iter::once(first).chain(joined).collect();
        let (run, stop_write, interactor) = interactor.join().map_err(panicked)?;
        let RelayOutcome { links, transcript } = relay.join().map_err(panicked)?.map_err(unconnected)?;
        drop(stop_write);
        let (program, relayed) = decisive(programs?, &links)?;
        Ok::<_, Fault>((InteractionRun { program, interactor: run?, relayed, transcript }, interactor))
    })?;
    let mut interactor = interactor;
    interactor.keep_cells(program, others);
    Ok(run)
}

/// Returns the process that decides with the result of its dialogue: the first process that failed before the interactor
/// ended, or else the first process that failed. If no process failed, returns the first process; the interactor ended
/// before the program if it ended before one of the processes. For each resource, the returned usage is the maximum over
/// all processes.
fn decisive(mut programs: Vec<CellOutput>, links: &[LinkOutcome]) -> Result<(CellOutput, LinkOutcome), Fault> {
    let has_failed = |(program, link): &(&CellOutput, &LinkOutcome)| {
        let Execution { exit, breach, .. } = &program.execution;
        link.flooded.is_some() || breach.is_some() || !exit.success()
    };
    let results = || programs.iter().zip(links);
    let failed_first = |result: (&CellOutput, &LinkOutcome)| has_failed(&result) && result.1.first == Side::Program;
    let failed = results().position(failed_first).or_else(|| results().position(|result| has_failed(&result)));
    let most = programs.iter().map(|program| program.execution.usage).reduce(Usage::maximum);
    let index = failed.unwrap_or_default();
    let mut link = *links.get(index).ok_or_else(|| Fault::new(FaultKind::Internal, "no process was run"))?;
    if failed.is_none() && links.iter().any(|link| link.first == Side::Interactor) {
        link.first = Side::Interactor;
    }
    let mut program = programs.swap_remove(index);
    program.execution.usage = most.unwrap_or(program.execution.usage);
    Ok((program, link))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Capture, TimeSpan};

    /// Returns the index of the deciding process, the side that ended first, and the CPU time in seconds. Each process
    /// is given by its exit code and the side that ended first; process I uses I + 1 seconds.
    fn decided(processes: &[(i32, Side)]) -> (usize, Side, u64) {
        let program = |(index, (code, _)): (usize, &(i32, Side))| {
            let usage = Usage { cpu: TimeSpan::seconds(index as u64 + 1), ..Usage::default() };
            let execution = Execution { exit: Exit::Code(*code), breach: None, usage, stderr: Capture::default() };
            CellOutput { execution, stdout: vec![index as u8], spilled: None, files: Vec::new() }
        };
        let programs = processes.iter().enumerate().map(program).collect();
        let link =
            |(_, first): &(i32, Side)| LinkOutcome { first: *first, flooded: None, unanswered: false, last: None };
        let (program, link) = decisive(programs, &processes.iter().map(link).collect::<Vec<_>>()).unwrap();
        (usize::from(program.stdout[0]), link.first, program.execution.usage.cpu.as_micros() / 1_000_000)
    }

    #[test]
    fn a_process_that_failed_before_the_interactor_ended_decides() {
        use Side::{Interactor, Program};
        assert_eq!(decided(&[(0, Program)]), (0, Program, 1));
        assert_eq!(decided(&[(0, Program), (0, Program)]), (0, Program, 2));
        assert_eq!(
            decided(&[(0, Program), (0, Interactor)]),
            (0, Interactor, 2),
            "the interactor did not wait for all"
        );
        assert_eq!(decided(&[(0, Program), (1, Interactor)]), (1, Interactor, 2));
        assert_eq!(decided(&[(1, Interactor), (1, Program), (1, Program)]), (1, Program, 3), "0 failed afterwards");
    }
}
