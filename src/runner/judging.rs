//! Judges one program on one plan: builds it, runs its session on the slots of a lease, and returns the evidence.

use std::time::Instant;

use crate::judge::retry::is_quiet;
use crate::judge::{EventSink, Header, Plan, Session, emit_log, finish};
use crate::lang::{Program, Source, SourceBundle};
use crate::model::{CaseDialogue, EventKind, FailedCase, Failure, Fault, Limits, ProblemId, RunSummary, TimeSpan};
use crate::problem::AuxProgram;
use crate::sandbox::{Cell, CellSpec, host_cpu_time, runnable_threads};
use crate::workers::on_each_worker;

use super::case_runner::{CaseRunner, Evidence, JudgedProgram, ReportedEvidence, can_queue};
use super::case_workers::drive_on_workers;
use super::command::cell_spec;
use super::host::Host;
use super::languages::BuildOutcome;
use super::output_check::OutputChecker;
use super::program_runner::file_name;
use super::retry::RetryPolicy;

/// Maximum number of looks at the runnable threads of the machine. A process that has just ended, such as a compiler,
/// is runnable until the kernel has released its memory.
const MOST_LOOKS: u32 = 4;
/// Time between two such looks.
const BETWEEN_LOOKS: TimeSpan = TimeSpan::millis(1);

/// A program to judge on a plan.
#[derive(Clone, Copy)]
pub(crate) struct JudgeJob<'a> {
    pub(crate) problem: &'a ProblemId,
    /// The cases, and the rules for skipping them.
    pub(crate) plan: &'a Plan,
    /// The source of the program.
    pub(crate) source: &'a Source,
    /// The program's name, as the user specified it.
    pub(crate) name: &'a str,
}

/// The result of judging a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct JudgedRun {
    /// The verdict, the score and statistics.
    pub(crate) summary: RunSummary,
    /// The compiler's output, if the program does not compile.
    pub(crate) compile_error: Option<String>,
    /// The first failed case of each group, in case order.
    pub(crate) failures: Vec<FailedCase>,
    /// The dialogue of the first failed case of an interactive problem, or of the first case if none failed; `None` if
    /// no case had a dialogue.
    pub(crate) dialogue: Option<CaseDialogue>,
    /// The output of the program, if the plan requests it.
    pub(crate) output: Option<Vec<u8>>,
}

impl JudgedRun {
    /// Creates the result of a run in which no case was judged.
    pub(crate) fn without_evidence(summary: RunSummary) -> JudgedRun {
        JudgedRun { summary, compile_error: None, failures: Vec::new(), dialogue: None, output: None }
    }
}

/// An event sink that drops all events.
pub(crate) struct NoEvents;

impl EventSink for NoEvents {
    fn emit(&mut self, _: Option<u64>, _: EventKind) {}
}

impl JudgeJob<'_> {
    /// Starts the session of this job.
    pub(crate) fn session(&self, host: &Host) -> Session {
        let header = Header {
            problem: self.problem.clone(),
            program: self.name.to_owned(),
            language: self.source.language().id.clone(),
            isolation: host.isolation().clone(),
        };
        Session::new(header, self.plan.clone())
    }

    /// Judges the program on the slots `slots`.
    ///
    /// # Errors
    /// Fails if an auxiliary program does not compile, if a language is not installed, or if the judge itself fails
    /// outside of a case.
    pub(crate) fn judge(
        &self,
        host: &Host,
        slots: &[usize],
        limits: Limits,
        sink: &mut dyn EventSink,
    ) -> Result<JudgedRun, Failure> {
        self.drive(host, slots, limits, self.session(host), sink).map_err(|(_, failure)| failure)
    }

    /// Drives a session of this job to its end. If a failure outside of a case occurs, the session is returned with the
    /// error.
    pub(crate) fn drive(
        &self,
        host: &Host,
        slots: &[usize],
        limits: Limits,
        mut session: Session,
        sink: &mut dyn EventSink,
    ) -> Result<JudgedRun, (Box<Session>, Failure)> {
        emit_log(&mut session, sink);
        let built = match self.build(host, slots, &mut session, sink) {
            Ok(built) => built,
            Err(failure) => return Err((Box::new(session), failure)),
        };
        let program = match built {
            BuildOutcome::Ready(built) => built.program,
            BuildOutcome::Rejected { output, .. } => {
                let summary = finish(session, sink);
                return Ok(JudgedRun { compile_error: Some(output), ..JudgedRun::without_evidence(summary) });
            }
        };
        let evidence = Evidence::default();
        // Programs that are still running when the session has finished are cancelled, since their results are not
        // needed.
        let finished = match host.cancel().child() {
            Ok(finished) => finished,
            Err(fault) => return Err((Box::new(session), fault.into())),
        };
        let host = &host.with_cancel(&finished);
        let (retry, cells) = match self.prepare_runs(host, slots, limits, &program) {
            Ok(prepared) => prepared,
            Err(fault) => return Err((Box::new(session), fault.into())),
        };
        let judged = JudgedProgram { source: self.source, program: &program, name: file_name(self.name) };
        let runner = |(&slot, cell): (&usize, Box<dyn Cell>)| CaseRunner {
            slot,
            slots: host.jobs(),
            queues: can_queue(&*cell, self.plan, self.source),
            cell,
            judged,
            plan: self.plan,
            output_checker: OutputChecker::new(host, slot).of(self.source, &program),
            retry: &retry,
            evidence: &evidence,
            transcript: None,
            is_short: false,
            wasted: 0,
            access: None,
        };
        let runners = slots.iter().zip(cells).map(runner).collect();
        let grader = self.plan.rules.as_ref().and_then(|rules| rules.grader.as_ref());
        let summary = drive_on_workers(session, runners, (host, grader), sink, || finished.cancel());
        // If the evidence can't be read, the verdict is still valid.
        let ReportedEvidence { failures, dialogue, output } = evidence.into_parts().unwrap_or_default();
        Ok(JudgedRun { summary, compile_error: None, failures, dialogue, output })
    }

    /// Returns the policy for repeating runs, and a cell for the program on each slot of `slots`, but not more cells
    /// than cases.
    fn prepare_runs<'h>(
        &self,
        host: &'h Host,
        slots: &[usize],
        limits: Limits,
        program: &Program,
    ) -> Result<(RetryPolicy<'h>, Vec<Box<dyn Cell>>), Fault> {
        let used = &slots[..slots.len().min(self.plan.cases().max(1))];
        // The cells are opened first, so that their preparation does not make the machine look busy.
        let cells = open_cells(host, program, used)?;
        let mut retry = RetryPolicy::new(host, limits, self.plan.alone);
        if let Some((_, first)) = self.plan.case(0).filter(|_| self.is_first_run_alone(host, slots)) {
            retry = retry.with_first_run_alone(first.id.clone())?;
        }
        Ok((retry, cells))
    }

    /// Returns whether the first run of the program is a run alone: on a sample, with all slots, on a quiet machine.
    /// With all slots, no other program of this host waits.
    fn is_first_run_alone(&self, host: &Host, slots: &[usize]) -> bool {
        !self.plan.alone && self.plan.starts_with_sample() && slots.len() == host.jobs() && is_machine_quiet()
    }

    /// Builds the auxiliary programs and the program to judge.
    fn build(
        &self,
        host: &Host,
        slots: &[usize],
        session: &mut Session,
        sink: &mut dyn EventSink,
    ) -> Result<BuildOutcome, Failure> {
        build_aux_programs(host, self.plan)?;
        session.build_started();
        emit_log(session, sink);
        let start = Instant::now();
        let built = {
            let _shared = host.gate().shared(host.cancel())?;
            host.languages().build(self.source, slots.first().copied().unwrap_or_default())?
        };
        let wall = TimeSpan::from(start.elapsed());
        match &built {
            BuildOutcome::Ready(built) => session.build_finished(built.cached, wall, None),
            BuildOutcome::Rejected { output, .. } => session.build_finished(false, wall, Some(output.clone())),
        }
        emit_log(session, sink);
        Ok(built)
    }
}

/// Looks at the runnable threads of the machine up to [`MOST_LOOKS`] times. Returns whether the machine was
/// [quiet](is_quiet) at one of them. It may become busy during the run alone; see [`RetryPolicy::run`].
fn is_machine_quiet() -> bool {
    let is_quiet_now = || {
        let processors = host_cpu_time().map(|(_, processors)| processors);
        runnable_threads().zip(processors).is_some_and(|(runnable, processors)| is_quiet(runnable, processors))
    };
    (0..MOST_LOOKS).any(|look| {
        if look > 0 {
            std::thread::sleep(BETWEEN_LOOKS.duration());
        }
        is_quiet_now()
    })
}

/// Prepares the cells that the sandbox expects for the slots below `count` for the program `bundle`, if the program was
/// built before. Errors are ignored, since the run reports them. Returns false without doing so if `may_detect` is false
/// and the toolchain of the program's language must first be detected, which runs programs.
pub fn prepare_cells(host: &Host, bundle: &SourceBundle, count: usize, may_detect: bool) -> bool {
    let languages = host.languages();
    let Ok(source) = languages.from_bundle(bundle) else { return true };
    let toolchain = match languages.detected_before(source.language()) {
        None if !may_detect => return false,
        None => languages.toolchain(source.language()).ok(),
        known => known,
    };
    if let Some(program) = toolchain.and_then(|toolchain| languages.built_before(&source, &toolchain)) {
        let specs: Vec<CellSpec> = (0..count).map(|slot| cell_spec(&program, slot)).collect();
        host.sandbox().prepare_cells(&specs);
    }
    true
}

/// Opens a cell for the program on each slot of `slots`. The cells are opened in parallel, since most of the time is
/// spent waiting.
fn open_cells(host: &Host, program: &Program, slots: &[usize]) -> Result<Vec<Box<dyn Cell>>, Fault> {
    let open = |slot: usize| host.sandbox().open(&cell_spec(program, slot));
    let Some((&own, others)) = slots.split_first() else { return Ok(Vec::new()) };
    let (opened, first) = on_each_worker(others.to_vec(), open, || open(own));
    std::iter::once(first).chain(opened.into_iter().map(|opened| opened?)).collect()
}

/// Builds the auxiliary programs of a plan.
///
/// # Errors
/// Fails if a program can't be read or does not compile, if a language is not installed, or if the judge itself fails.
pub(crate) fn build_aux_programs(host: &Host, plan: &Plan) -> Result<(), Failure> {
    let cases = plan.groups.iter().flat_map(|group| &group.cases);
    let interactors: Vec<&AuxProgram> = cases.filter_map(|case| case.judging.interactor()).collect();
    let languages = host.languages();
    let build = |aux_program: &AuxProgram| match interactors.iter().any(|interactor| are_same(interactor, aux_program))
    {
        true => languages.build_interactor(aux_program),
        false => languages.build_aux(aux_program),
    };
    aux_programs(plan).into_iter().try_for_each(|aux_program| build(aux_program).map(drop))
}

/// Returns the auxiliary programs of a plan, one for each combination of source and language.
pub(crate) fn aux_programs(plan: &Plan) -> Vec<&AuxProgram> {
    let mut all: Vec<&AuxProgram> = Vec::new();
    let judgings = plan.groups.iter().flat_map(|group| &group.cases).map(|case| &case.judging);
    let grader = plan.rules.iter().filter_map(|rules| rules.grader.as_ref());
    let texts = plan.groups.iter().flat_map(|group| &group.cases).filter_map(|case| case.text.as_deref());
    for program in judgings.flat_map(|judging| judging.aux_programs()).chain(grader).chain(texts) {
        if !all.iter().any(|known| are_same(known, program)) {
            all.push(program);
        }
    }
    all
}

/// Returns whether two auxiliary programs have the same source and language.
fn are_same(one: &AuxProgram, other: &AuxProgram) -> bool {
    (&one.source, &one.language) == (&other.source, &other.language)
}
