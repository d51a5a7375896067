//! One case of an interactive problem: the program and the interactor run concurrently and exchange messages. Some
//! interactors communicate with several processes of the program.

use std::ffi::OsString;
use std::os::fd::OwnedFd;
use std::time::Instant;

use rustix::pipe::{PipeFlags, pipe_with};

use crate::judge::retry::RunLimits;
use crate::judge::{
    Feedback, InteractionDecision, InteractorEnd, ProgramEnd, classify, decide_interaction, sinol_accepts,
};
use crate::lang::Program;
use crate::model::{
    Breach, ByteSize, CaseId, Execution, Exit, Fault, FaultKind, Limits, Side, TimeSpan, Transcript, Usage, Verdict,
};
use crate::problem::{AuxProgram, Protocol};
use crate::runner::aux_program::{ReadyAuxProgram, WRITTEN, faulty};
use crate::runner::checked_output::CheckedOutput;
use crate::runner::command::{ReportActivity, command, run_program};
use crate::runner::output_check::{CheckOutcome, OutputChecker};
use crate::runner::retry::{RetryPolicy, RunResult};
use crate::runner::text_source::TextSource;
use crate::sandbox::{Cell, CellOutput, Input, Output};
use crate::workers::start_scoped;

use super::relay::{Ends, LinkOutcome, ProgramEnds, RelayOutcome, direct_ends, ends};

/// The results of the program, the interactor and the relay between them.
pub(in crate::runner) struct InteractionRun {
    /// The result of the process that decides; see [`decisive`].
    pub(in crate::runner) program: CellOutput,
    pub(in crate::runner) interactor: CellOutput,
    /// The result of relaying the dialogue with the process that decides.
    pub(in crate::runner) relayed: LinkOutcome,
    pub(in crate::runner) transcript: Transcript,
    /// The number of the process that failed, from 0, if the program has several processes and one failed.
    failed: Option<usize>,
    /// The CPU time of the interactor and of the processes that do not decide.
    other_cpu: TimeSpan,
}

impl RunResult for InteractionRun {
    fn execution(&self) -> &Execution {
        &self.program.execution
    }

    fn other_cpu(&self) -> TimeSpan {
        self.other_cpu
    }
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
        let mut once = |run: &RunLimits| {
            let cell = InteractionCell { cell: &mut *self.cell, program: self.program, limits: *run, about };
            let interactor = self.output_checker.aux_programs.interactor(interactor).map_err(faulty)?;
            run_both(cell, interactor, feedback.clone())
        };
        let run = |limits: &RunLimits| match once(limits)? {
            run if run.timed_out_awaiting_reply() => once(limits),
            run => Ok(run),
        };
        let InteractionRun { mut program, interactor: interactor_run, relayed, transcript, failed, .. } =
            self.retry.run(limits.cpu, about.case, report, run)?;
        if relayed.flooded == Some(Side::Program) {
            program.execution.breach = Some(Breach::Output);
        }
        *self.transcript = Some(transcript);
        let part = self.part(&program.execution, &limits);
        let process = self.output_checker.aux_programs.interactor(interactor).map_err(faulty)?;
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
                let hint = (verdict == Verdict::IdleLimit).then(|| idle_hint(relayed.last));
                outcome.ruling.message = match (failed, hint) {
                    (Some(number), Some(hint)) => Some(format!("process {number}: {hint}")),
                    (Some(number), None) => Some(format!("process {number} failed")),
                    (None, hint) => hint.map(str::to_owned),
                };
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
    pub(in crate::runner) limits: RunLimits,
    pub(in crate::runner) about: &'a InteractionInput<'a>,
}

/// Runs the program and the interactor until both have ended.
///
/// # Errors
/// Returns a fault if the sandbox fails, or if the pipes or the interactor's files can't be created.
pub(in crate::runner) fn run_both(
    mut cell: InteractionCell<'_>,
    mut interactor: ReadyAuxProgram<'_>,
    feedback: Feedback,
) -> Result<InteractionRun, Fault> {
    if interactor.records()
        && let Some(run) = run_connected(&mut cell, &mut interactor, feedback.clone(), Connection::Direct)?
    {
        return Ok(run);
    }
    let run = run_connected(&mut cell, &mut interactor, feedback, Connection::Relayed)?;
    run.ok_or_else(|| Fault::new(FaultKind::Internal, "a relayed dialogue was not recorded"))
}

/// How the program and the interactor are connected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Connection {
    /// By pipes; the interactor records the dialogue.
    Direct,
    /// By a relay, which records the dialogue.
    Relayed,
}

/// Runs the program and the interactor until both have ended. Returns `None` if the interactor did not record the dialogue.
fn run_connected(
    cell: &mut InteractionCell<'_>,
    interactor: &mut ReadyAuxProgram<'_>,
    feedback: Feedback,
    connection: Connection,
) -> Result<Option<InteractionRun>, Fault> {
    let InteractionCell { cell, program, limits, about } = cell;
    let limits = *limits;
    let own = program.limits(&limits.limits);
    let has_several = interactor.processes() > 1;
    let mut others = interactor.take_cells(program)?;
    let (stop_read, stop_write) = pipe_with(PipeFlags::CLOEXEC).map_err(|error| unconnected(error.into()))?;
    let output_limits = [own.output.get(), interactor.limits().output.get()];
    let connected = match connection {
        Connection::Direct => direct_ends(stop_read, output_limits),
        Connection::Relayed => ends(interactor.processes() as usize, stop_read, output_limits),
    };
    let Ends { program: program_ends, interactor: interactor_ends, relay } = connected.map_err(unconnected)?;
    let mut interactor_command = interactor.prepare(about.input, about.answer, feedback, interactor_ends)?;
    // The interactor may wait for the program as long as the program's wall limit, in addition to the interactor's own
    // wall limit.
    interactor_command.limits.wall = interactor_command.limits.wall.plus(own.wall);
    if connection == Connection::Direct {
        interactor.record(&mut interactor_command, output_limits);
    }
    let protocol = interactor.protocol();
    let started = relay.started();
    let start = |(number, ends): (usize, ProgramEnds), cell: &mut dyn Cell| {
        // A process of a sinol package gets its number.
        let number = (protocol == Protocol::Sinol).then(|| number.to_string());
        let args: Vec<String> = about.args.iter().cloned().chain(number).collect();
        let mut command = command(program, limits, cell.private_dir(), Input::Pipe(ends.stdin), &args);
        command.stdout = Output::StoppablePipe { pipe: ends.stdout, stop: ends.stop };
        command.files.clone_from(&about.files);
        (run_program(cell, program, command), Instant::now())
    };
    let run = std::thread::scope(|scope| {
        let (relay_thread, direct) = match connection {
            Connection::Direct => (None, Some(relay)),
            Connection::Relayed => (Some(start_scoped(scope, move || relay.run())?), None),
        };
        // If a thread can't be started, the ends of all pipes are dropped, so that the other threads end.
        let ready = &mut *interactor;
        let interactor_thread = start_scoped(scope, move || {
            let mut run = ready.run_interactor(interactor_command);
            let content = run.as_ref().is_ok_and(|run| may_accept(protocol, run));
            // If the interactor has not accepted the program, the write end of the stop pipe is dropped, so that the
            // relay stops reading the program's output.
            let stop_write: Option<OwnedFd> = content.then_some(stop_write);
            let completed =
                direct.and_then(|relay| match run.as_mut().ok().and_then(|run| ready.take_record(run, started)) {
                    Some(record) => Some(relay.run_after(record)),
                    None => {
                        relay.abandon();
                        None
                    }
                });
            (run, stop_write, completed)
        })?;
        let mut program_ends = program_ends.into_iter().enumerate();
        let first = program_ends.next().ok_or_else(|| Fault::new(FaultKind::Internal, "no process to run"))?;
        let threads: Vec<_> = program_ends
            .zip(&mut others)
            .map(|(ends, cell)| start_scoped(scope, move || start(ends, cell.as_mut())))
            .collect::<Result<_, Fault>>()?;
        let first = start(first, &mut **cell);
        let panicked = |_| Fault::new(FaultKind::Internal, "a worker thread panicked");
        let mut ended = vec![first];
        for thread in threads {
            ended.push(thread.join().map_err(panicked)?);
        }
        let (run, stop_write, completed) = interactor_thread.join().map_err(panicked)?;
        let relayed = relay_thread.map(|relay| relay.join().map_err(panicked)).transpose()?;
        drop(stop_write);
        let run = run?;
        let Some(outcome) = relayed.or(completed) else { return Ok(None) };
        let RelayOutcome { links, transcript } = outcome.map_err(unconnected)?;
        let process = |((output, at), link): ((Result<CellOutput, Fault>, Instant), LinkOutcome)| {
            Ok(EndedProcess { output: output?, at, link })
        };
        let processes: Vec<EndedProcess> = ended.into_iter().zip(links).map(process).collect::<Result<_, Fault>>()?;
        let total = processes.iter().map(|process| process.output.execution.usage.cpu);
        let total = total.fold(run.execution.usage.cpu, TimeSpan::plus);
        let failed = failed(&processes);
        let (program, relayed) = decisive(processes, failed)?;
        let other_cpu = TimeSpan::micros(total.as_micros().saturating_sub(program.execution.usage.cpu.as_micros()));
        let failed = failed.filter(|_| has_several);
        Ok::<_, Fault>(Some(InteractionRun { program, interactor: run, relayed, transcript, failed, other_cpu }))
    })?;
    interactor.keep_cells(program, others);
    Ok(run)
}

/// A process of the program that has ended.
struct EndedProcess {
    output: CellOutput,
    /// The time at which it ended.
    at: Instant,
    link: LinkOutcome,
}

impl EndedProcess {
    /// Returns whether the process crashed or exceeded a limit of the run.
    fn has_failed(&self) -> bool {
        let Execution { exit, breach, .. } = &self.output.execution;
        self.link.flooded.is_some() || breach.is_some() || !exit.success()
    }
}

/// Returns the index of the process that failed first. A process that failed before its dialogue ended takes precedence
/// over a process whose failure may be a consequence of the end of the interactor.
fn failed(processes: &[EndedProcess]) -> Option<usize> {
    let failed = processes.iter().enumerate().filter(|(_, process)| process.has_failed());
    failed.min_by_key(|(_, process)| (process.link.first != Side::Program, process.at)).map(|(index, _)| index)
}

/// Returns the process that decides with the result of its dialogue: the process with the index `failed`, or, if no
/// process failed, the first one. In the latter case, the interactor ended before the program if it ended before one of
/// the processes, and the returned usage is the maximum over all processes.
fn decisive(mut processes: Vec<EndedProcess>, failed: Option<usize>) -> Result<(CellOutput, LinkOutcome), Fault> {
    let no_process = || Fault::new(FaultKind::Internal, "the program was not run");
    if let Some(index) = failed {
        let EndedProcess { output, link, .. } = processes.swap_remove(index);
        return Ok((output, link));
    }
    let most = processes.iter().map(|process| process.output.execution.usage).reduce(Usage::maximum);
    let interactor_first = processes.iter().any(|process| process.link.first == Side::Interactor);
    let EndedProcess { mut output, mut link, .. } = processes.into_iter().next().ok_or_else(no_process)?;
    output.execution.usage = most.ok_or_else(no_process)?;
    if interactor_first {
        link.first = Side::Interactor;
    }
    Ok((output, link))
}

/// Returns whether an interactor with this result may have accepted the program. If so, the program is not stopped before
/// it ends.
fn may_accept(protocol: Protocol, run: &CellOutput) -> bool {
    match (protocol, run.execution.exit) {
        (Protocol::Icpc | Protocol::Dmoj, Exit::Code(code)) => code == 42,
        (Protocol::Testlib, Exit::Code(code)) => matches!(code, 0 | 5 | 7 | 16..),
        (Protocol::Coci, Exit::Code(code)) => matches!(code, 0 | 7),
        (Protocol::Peg, Exit::Code(code)) => matches!(code, 0 | 1),
        (Protocol::Sinol, Exit::Code(code)) => matches!(code, 0..=2) && sinol_accepts(&run.files),
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
    use std::time::Duration;

    use super::*;
    use crate::model::Capture;

    /// A process: its exit code, the side of its dialogue that ended first, and the time at which it ended.
    type Process = (i32, Side, u64);

    /// Returns the index of the process that failed first, the side that ended first, and the CPU time in seconds.
    /// Process I uses I + 1 seconds.
    fn decided(processes: &[Process]) -> (Option<usize>, Side, u64) {
        let start = Instant::now();
        let process = |(index, (code, first, at)): (usize, &Process)| {
            let usage = Usage { cpu: TimeSpan::seconds(index as u64 + 1), ..Usage::default() };
            let execution = Execution { exit: Exit::Code(*code), breach: None, usage, stderr: Capture::default() };
            let output = CellOutput {
                execution,
                resident: ByteSize::default(),
                stdout: Vec::new(),
                spilled: None,
                files: Vec::new(),
            };
            let link = LinkOutcome { first: *first, flooded: None, unanswered: false, last: None };
            EndedProcess { output, at: start + Duration::from_secs(*at), link }
        };
        let ended: Vec<EndedProcess> = processes.iter().enumerate().map(process).collect();
        let failed = failed(&ended);
        let (program, link) = decisive(ended, failed).unwrap();
        (failed, link.first, program.execution.usage.cpu.as_micros() / 1_000_000)
    }

    #[test]
    fn the_process_that_failed_first_decides() {
        use Side::{Interactor, Program};
        assert_eq!(decided(&[(0, Program, 1)]), (None, Program, 1));
        assert_eq!(decided(&[(0, Program, 1), (0, Program, 2)]), (None, Program, 2));
        assert_eq!(decided(&[(0, Program, 1), (0, Interactor, 1)]), (None, Interactor, 2), "not all were awaited");
        assert_eq!(decided(&[(0, Program, 1), (1, Interactor, 2), (0, Program, 3)]), (Some(1), Interactor, 2));
        assert_eq!(decided(&[(1, Program, 3), (1, Program, 2)]), (Some(1), Program, 2));
        assert_eq!(decided(&[(1, Interactor, 1), (1, Program, 2)]), (Some(1), Program, 2), "0 failed at the end");
    }
}
