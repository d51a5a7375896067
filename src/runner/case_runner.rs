//! Judges individual cases: runs the program, classifies the measurements of the run, then compares or checks the
//! output.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::judge::retry::RunLimits;
use crate::judge::{
    CaseFiles, CheckerResult, Feedback, Job, JobResult, OutputUse, Plan, PlanCase, PlanGroup, classify, decayed,
};
use crate::lang::{Program, Source, paths_conflict};
use crate::model::{
    Activity, ByteSize, Capture, CaseDialogue, CaseResult, Credit, Execution, Exit, FailedCase, Fault, FaultKind,
    Limits, TimeSpan, Transcript, Usage, Verdict,
};
use crate::problem::{AuxProgram, Judging};
use crate::sandbox::{Cell, CellCommand, CellOutput, Output, pin_beside_slot, pin_to_slot};
use crate::workers::GateGuard;

use super::checked_output::CheckedOutput;
use super::command::{ReportActivity, command, finish_queued, program_output, queue_length, run_program};
use super::interactive::{Interaction, InteractionInput};
use super::output_check::{CheckOutcome, OutputChecker};
use super::package_source::{entry_point, language_code};
use super::retry::RetryPolicy;
use super::text_source::{MOST_IN_MEMORY, TextSource};

/// Maximum length in bytes of each stored file (input, answer and output) of a run's first failed case.
const KEPT_FIRST: usize = 4 << 20;
// The stored output is taken from the part in memory.
const _: () = assert!(KEPT_FIRST <= MOST_IN_MEMORY);
/// Maximum length in bytes of each stored file of the first failed case of every other group.
const KEPT_OTHERS: usize = 64 << 10;

/// The longest wall time and the largest output of a run after which further runs are queued. The output of a queued run
/// is read late, so it must fit in a pipe.
const SHORT_TIME: TimeSpan = TimeSpan::millis(5);
const SHORT_OUTPUT: usize = 32 << 10;

/// The number of wasted queued runs after which no more runs are queued.
const WASTED_MAX: u32 = 64;

/// The failed cases, the dialogue and the output of a run, collected by all workers.
#[derive(Default)]
pub(super) struct Evidence {
    /// For each group, the first failed case, in case order, among the results so far, with its index in the plan.
    failures: Mutex<BTreeMap<String, (usize, KeptFailure)>>,
    dialogue: Mutex<Option<KeptDialogue>>,
    output: Mutex<Option<Vec<u8>>>,
}

/// The parts of [`Evidence`] that are reported.
#[derive(Default)]
pub(super) struct ReportedEvidence {
    /// The first failed case of each group, in case order, with the beginnings of its files.
    pub(super) failures: Vec<FailedCase>,
    /// The dialogue of the first failed case, or of the first case if none failed; `None` if no case had a dialogue.
    pub(super) dialogue: Option<CaseDialogue>,
    /// The output of the program, if the plan requests it.
    pub(super) output: Option<Vec<u8>>,
}

struct KeptFailure {
    result: CaseResult,
    files: CaseFiles,
    output: Vec<u8>,
}

/// The dialogue to show: the dialogue of the first case, in case order, that was not accepted, or of the first case if
/// all were accepted.
struct KeptDialogue {
    accepted: bool,
    index: usize,
    dialogue: CaseDialogue,
}

impl Evidence {
    /// Stores this dialogue if it takes precedence over the stored one; see [`KeptDialogue`].
    fn keep_dialogue(&self, index: usize, accepted: bool, dialogue: CaseDialogue) {
        let mut kept = self.dialogue.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.as_ref().is_none_or(|kept| (accepted, index) < (kept.accepted, kept.index)) {
            *kept = Some(KeptDialogue { accepted, index, dialogue });
        }
    }

    /// Stores a failed case if it is the first of its group, in case order, among the results so far.
    fn keep_failure(&self, index: usize, result: &CaseResult, files: &CaseFiles, mut output: Vec<u8>) {
        let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        if failures.get(&result.group).is_none_or(|(kept, _)| index < *kept) {
            let is_first = failures.values().all(|(kept, _)| index <= *kept);
            output.truncate(if is_first { KEPT_FIRST } else { KEPT_OTHERS });
            output.shrink_to_fit();
            let failure = KeptFailure { result: result.clone(), files: files.clone(), output };
            failures.insert(result.group.clone(), (index, failure));
        }
    }

    /// Stores the output of a case, and replaces a previously stored output.
    fn keep_output(&self, output: &[u8]) {
        *self.output.lock().unwrap_or_else(PoisonError::into_inner) = Some(output.to_vec());
    }

    /// Converts the evidence to the reported parts, and reads the beginnings of the failed cases' files.
    ///
    /// # Errors
    /// Fails if a file of the test data can't be read.
    pub(super) fn into_parts(self) -> Result<ReportedEvidence, Fault> {
        let failures = self.failures.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut failures: Vec<(usize, KeptFailure)> = failures.into_values().collect();
        failures.sort_by_key(|(index, _)| *index);
        let mut failed = Vec::with_capacity(failures.len());
        for (place, (_, KeptFailure { result, files, mut output })) in failures.into_iter().enumerate() {
            let most = if place == 0 { KEPT_FIRST } else { KEPT_OTHERS };
            output.truncate(most);
            let [input, answer] = [&files.input, &files.answer].map(|path| head(path, most));
            failed.push(FailedCase { result, input: input?.into(), answer: answer?.into(), output: output.into() });
        }
        let dialogue = self.dialogue.into_inner().unwrap_or_else(PoisonError::into_inner);
        let output = self.output.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(ReportedEvidence { failures: failed, dialogue: dialogue.map(|kept| kept.dialogue), output })
    }
}

/// Reads a file of the test data, and returns its content truncated to `most` bytes.
fn head(path: &Path, most: usize) -> Result<Vec<u8>, Fault> {
    let fault = |error: io::Error| Fault::io(FaultKind::Data, &error).context("cannot read test data");
    let mut bytes = Vec::new();
    fs_err::File::open(path).map_err(fault)?.take(most as u64).read_to_end(&mut bytes).map_err(fault)?;
    Ok(bytes)
}

/// Reads the files of a case that are placed in the program's working directory. `files` are pairs of a name in that
/// directory and a path.
pub(super) fn working_files(files: &[(String, PathBuf)]) -> Result<Feedback, Fault> {
    let read = |(name, path): &(String, PathBuf)| {
        let content = fs_err::read(path)
            .map_err(|error| Fault::io(FaultKind::Data, &error).context("cannot read a file of a test case"))?;
        Ok((name.into(), content))
    };
    files.iter().map(read).collect()
}

/// Returns the names of the input file in the program's working directory, which the program may only read.
fn read_only(case: &PlanCase) -> Vec<OsString> {
    let input = |(name, path): &&(String, PathBuf)| *path == case.files.input && !name.contains('/');
    let names = case.beside.iter().filter(input).map(|(name, _)| name);
    names.filter(|name| case.output_file.as_ref() != Some(*name)).map(OsString::from).collect()
}

/// The program that is judged: its source, its build, and the name by which compilers and interpreters refer to it in
/// messages.
#[derive(Clone, Copy)]
pub(super) struct JudgedProgram<'a> {
    pub(super) source: &'a Source,
    pub(super) program: &'a Program,
    pub(super) name: &'a str,
}

/// A runner that judges cases on one slot. The program has a cell; cells for the problem's auxiliary programs are
/// opened when they are needed.
pub(super) struct CaseRunner<'a> {
    pub(super) slot: usize,
    /// The number of slots of the host.
    pub(super) slots: usize,
    pub(super) cell: Box<dyn Cell>,
    pub(super) judged: JudgedProgram<'a>,
    pub(super) plan: &'a Plan,
    pub(super) output_checker: OutputChecker<'a>,
    pub(super) retry: &'a RetryPolicy<'a>,
    pub(super) evidence: &'a Evidence,
    /// The dialogue of the current case, if the problem is interactive.
    pub(super) transcript: Option<Transcript>,
    /// Whether runs can be queued in the cell; see [`can_queue`].
    pub(super) queues: bool,
    /// Whether the last run of the program was short, so that further runs are worth queueing.
    pub(super) is_short: bool,
    /// The number of queued runs that did not take place, or whose results did not count.
    pub(super) wasted: u32,
    /// The shared access of the queued runs; `None` if the queue is empty.
    pub(super) access: Option<GateGuard>,
}

/// Returns whether a run was so short that the judge's work for it matters.
fn is_short(run: &CellOutput) -> bool {
    let Execution { exit, breach, usage, stderr } = &run.execution;
    let output = run.stdout.len().max(usize::try_from(stderr.bytes).unwrap_or(usize::MAX));
    exit.success() && breach.is_none() && usage.wall <= SHORT_TIME && output <= SHORT_OUTPUT && run.spilled.is_none()
}

/// Returns whether runs of a program on the cases of a plan can be queued in a cell.
pub(super) fn can_queue(cell: &dyn Cell, plan: &Plan, source: &Source) -> bool {
    let mut cases = plan.groups.iter().flat_map(|group| &group.cases);
    cell.has_queue() && !plan.alone && source.working_dir_files().next().is_none() && cases.all(is_queueable)
}

/// Returns whether runs on a case can be queued: the program uses no files, and has the limits of the problem, and its
/// output is compared.
fn is_queueable(case: &PlanCase) -> bool {
    let has_files = !case.beside.is_empty() || case.output_file.is_some();
    matches!(*case.judging, Judging::Compare(_)) && !has_files && case.text.is_none() && case.limits.is_none()
}

impl<'a> CaseRunner<'a> {
    /// Pins this thread. If runs are queued, another CPU than that of the cell can judge the results.
    pub(super) fn pin(&self) {
        // Pinning only saves time, so an error is ignored.
        _ = if self.queues { pin_beside_slot(self.slot, self.slots) } else { pin_to_slot(self.slot) };
    }

    /// Returns whether a run can be added to the queue of the cell.
    pub(super) fn accepts_queued(&self) -> bool {
        self.queues && self.is_short && self.wasted < WASTED_MAX && !self.retry.is_exclusive_awaited()
    }

    /// Returns the maximum number of runs in the queue of the cell.
    pub(super) fn queue_length(&self) -> usize {
        queue_length(self.slots)
    }

    /// Adds the run on the case of a job to the queue of the cell. Returns false if it must be run by
    /// [`CaseRunner::run`].
    pub(super) fn enqueue(&mut self, job: Job) -> bool {
        // An error is reported by the run outside of the queue.
        let is_queued = self.try_enqueue(job).is_ok();
        self.is_short &= is_queued;
        is_queued
    }

    fn try_enqueue(&mut self, job: Job) -> Result<(), Fault> {
        let (_, case) = self.case(job)?;
        if self.access.is_none() {
            self.access = Some(self.retry.shared_access()?);
        }
        let command = self.command(case, TextSource::File(&case.files.input), &self.retry.shared_limits())?;
        self.cell.enqueue(command)
    }

    /// Judges the case of the job whose run is the oldest in the queue. Returns `None` if it must be run by
    /// [`CaseRunner::run`].
    pub(super) fn finish_queued(&mut self, job: Job, report: ReportActivity<'_>) -> Option<JobResult> {
        match self.judge_queued(job, report) {
            Ok(Some(result)) => Some(JobResult::Judged(Box::new(result))),
            Ok(None) => {
                self.wasted += 1;
                None
            }
            Err(fault) => Some(JobResult::Faulted(fault)),
        }
    }

    fn judge_queued(&mut self, job: Job, report: ReportActivity<'_>) -> Result<Option<CaseResult>, Fault> {
        let (group, case) = self.case(job)?;
        report(Activity::RunningCase { case: case.id.clone() });
        self.is_short = false;
        let limits = self.judged.program.limits(self.retry.limits());
        let run = finish_queued(self.cell.as_mut(), self.judged.program, limits.memory)?;
        let Some(run) = run.filter(|run| self.retry.is_final(&run.execution, limits.cpu)) else { return Ok(None) };
        self.is_short = is_short(&run);
        let outcome = self.check(case, TextSource::File(&case.files.input), &run, &limits, Feedback::new())?;
        Ok(Some(self.case_result(job, (group, case), run, outcome)))
    }

    /// Ends the runner without waiting until the process of its cell has ended.
    pub(super) fn close(self) {
        self.cell.close();
    }

    /// Ends the access of the queued runs, all of which have ended.
    pub(super) fn end_queue(&mut self) {
        self.access = None;
    }

    /// Judges the case of a job. A fault becomes the result of the job.
    pub(super) fn run(&mut self, job: Job, report: ReportActivity<'_>) -> JobResult {
        match self.judge(job, report) {
            Ok(result) => JobResult::Judged(Box::new(result)),
            Err(fault) => JobResult::Faulted(fault),
        }
    }

    fn judge(&mut self, job: Job, report: ReportActivity<'_>) -> Result<CaseResult, Fault> {
        let (group, case) = self.case(job)?;
        self.transcript = None;
        let judged = match &case.text {
            Some(validator) => {
                report(Activity::RunningCase { case: case.id.clone() });
                self.validate_source(validator)
            }
            None => self.run_passes(case, report),
        };
        let accepted = judged.as_ref().is_ok_and(|(_, outcome)| outcome.ruling.verdict.accepted());
        if let Some(transcript) = self.transcript.take() {
            self.evidence.keep_dialogue(job.0, accepted, CaseDialogue { case: case.id.clone(), transcript });
        }
        let (run, outcome) = judged?;
        Ok(self.case_result(job, (group, case), run, outcome))
    }

    /// Returns the group and the case of a job.
    fn case(&self, job: Job) -> Result<(&'a PlanGroup, &'a PlanCase), Fault> {
        let plan = self.plan;
        plan.case(job.0)
            .ok_or_else(|| Fault::new(FaultKind::Internal, format!("the plan has no case with index {}", job.0)))
    }

    /// Returns the result of a case, and keeps the evidence that the report needs.
    fn case_result(
        &self,
        job: Job,
        (group, case): (&PlanGroup, &PlanCase),
        mut run: CellOutput,
        outcome: CheckOutcome,
    ) -> CaseResult {
        let CheckOutcome { ruling, difference, .. } = outcome;
        let stderr = &mut run.execution.stderr.text;
        *stderr = self.judged.program.plain(stderr, self.judged.name);
        let CheckerResult { verdict, credit, points, message, .. } = ruling;
        let result = CaseResult {
            case: case.id.clone(),
            group: group.name.clone(),
            verdict,
            credit,
            points,
            usage: run.execution.usage,
            exit: run.execution.exit,
            stderr: run.execution.stderr,
            difference,
            message,
        };
        if self.plan.outputs != OutputUse::Checked {
            self.evidence.keep_output(&run.stdout);
        }
        if !verdict.accepted() {
            self.evidence.keep_failure(job.0, &result, &case.files, run.stdout);
        }
        result
    }

    /// Runs a static validator on the program's source. The program is not run.
    fn validate_source(&mut self, validator: &AuxProgram) -> Result<(CellOutput, CheckOutcome), Fault> {
        let JudgedProgram { source, program, .. } = self.judged;
        let language_and_entry = [language_code(source).to_owned(), entry_point(source, program)];
        let ruling = self.output_checker.aux_programs.ready(validator)?.read_text(&language_and_entry)?;
        let (exit, usage, stderr) = (Exit::Code(0), Usage::default(), Capture::default());
        let execution = Execution { exit, breach: None, usage, stderr };
        let run = CellOutput {
            execution,
            resident: ByteSize::default(),
            stdout: Vec::new(),
            spilled: None,
            files: Vec::new(),
        };
        Ok((run, CheckOutcome { ruling, difference: None, feedback: Feedback::new() }))
    }

    /// Judges the passes of a case; most problems have one pass. For each resource, the returned usage is the maximum
    /// over all passes.
    fn run_passes(&mut self, case: &PlanCase, report: ReportActivity<'_>) -> Result<(CellOutput, CheckOutcome), Fault> {
        let language = &self.judged.source.language().id;
        let problem = self.retry.limits();
        let retry = &self.retry.under(case.limits.as_ref().map_or(*problem, |own| own.of(language, problem)));
        let mut next: Option<Vec<u8>> = None;
        let (mut feedback, mut most) = (Feedback::new(), Usage::default());
        // The note for the report; `None` unless the time of a pass is close to the limit.
        let mut note = None;
        for _ in 0..case.judging.passes() {
            let input = next.as_deref().map_or(TextSource::File(&case.files.input), TextSource::Bytes);
            let (mut run, mut outcome) = self.run_pass((case, retry), input, feedback, report)?;
            let usage = &mut run.execution.usage;
            if let Some(close) = retry.take_close() {
                usage.cpu = usage.cpu.min(close.least);
                note = Some(close.message(self.judged.program.limits(retry.limits()).cpu));
            }
            most = most.maximum(*usage);
            *usage = most;
            match outcome.ruling.next_pass.take() {
                None => {
                    let messages = outcome.ruling.message.take().into_iter().chain(note);
                    outcome.ruling.message = messages.reduce(|own, note| format!("{own}\n{note}"));
                    if case.limits.as_ref().is_some_and(|limits| limits.decay) {
                        self.reduce_credit(&mut outcome.ruling, run.execution.usage.cpu, retry);
                    }
                    return Ok((run, outcome));
                }
                input => (next, feedback) = (input, outcome.feedback),
            }
        }
        let validator = case.judging.aux_programs().next().and_then(|program| program.source.file_name());
        let (name, passes) = (validator.unwrap_or_default().to_string_lossy(), case.judging.passes());
        let message =
            format!("{}: `{name}` requests another pass, but the maximum number of passes is {passes}", case.id);
        Err(Fault::new(FaultKind::Checker, message))
    }

    /// Reduces the credit of a program whose CPU time exceeds half of the time limit.
    fn reduce_credit(&self, ruling: &mut CheckerResult, time: TimeSpan, retry: &RetryPolicy<'_>) {
        ruling.credit = decayed(ruling.credit, time, self.judged.program.limits(retry.limits()).cpu);
        if ruling.verdict.accepted() && ruling.credit != Credit::FULL {
            ruling.verdict = Verdict::Partial;
        }
    }

    fn run_pass(
        &mut self,
        (case, retry): (&PlanCase, &RetryPolicy<'_>),
        input: TextSource<'_>,
        feedback: Feedback,
        report: ReportActivity<'_>,
    ) -> Result<(CellOutput, CheckOutcome), Fault> {
        if let Judging::Interactor { interactor, checker, .. } = &*case.judging {
            let (answer, args) = (TextSource::File(&case.files.answer), case.args.as_slice());
            let about = InteractionInput { case: &case.id, input, answer, args, files: self.working_files(case)? };
            let mut interaction = Interaction {
                cell: self.cell.as_mut(),
                program: self.judged.program,
                output_checker: &mut self.output_checker,
                retry,
                transcript: &mut self.transcript,
            };
            return interaction.judge((interactor, checker.as_deref()), &about, feedback, report);
        }
        let run = self.run_case((case, retry), input, report)?;
        let limits = self.judged.program.limits(retry.limits());
        let outcome = self.check(case, input, &run, &limits, feedback)?;
        Ok((run, outcome))
    }

    /// Judges a run of the program under these limits.
    fn check(
        &mut self,
        case: &PlanCase,
        input: TextSource<'_>,
        run: &CellOutput,
        limits: &Limits,
        feedback: Feedback,
    ) -> Result<CheckOutcome, Fault> {
        let answer = TextSource::File(&case.files.answer);
        let text = run.spilled.as_ref().map_or(TextSource::Bytes(&run.stdout), TextSource::Spilled);
        let output = CheckedOutput { text, run: Some((&run.execution, limits)) };
        let checked = self.plan.outputs == OutputUse::Checked;
        Ok(match (classify(&run.execution, limits), &*case.judging) {
            (Some(verdict), Judging::Checker { checker, .. }) if checked && checker.after_failure => {
                let outcome = self.output_checker.check_text(&case.judging, input, output, answer, feedback)?;
                let ruling = CheckerResult { verdict, points: None, next_pass: None, ..outcome.ruling };
                CheckOutcome { ruling, ..outcome }
            }
            (Some(verdict), _) => CheckOutcome::decided(verdict, None),
            (None, _) if self.plan.outputs == OutputUse::Kept => CheckOutcome::decided(Verdict::Accepted, None),
            (None, _) => self.output_checker.check_text(&case.judging, input, output, answer, feedback)?,
        })
    }

    /// Runs the program on a case.
    fn run_case(
        &mut self,
        (case, retry): (&PlanCase, &RetryPolicy<'_>),
        input: TextSource<'_>,
        report: ReportActivity<'_>,
    ) -> Result<CellOutput, Fault> {
        let program = self.judged.program;
        let own = program.limits(retry.limits()).cpu;
        let once = |run: &RunLimits| {
            let command = self.command(case, input, run)?;
            run_program(self.cell.as_mut(), program, command)
        };
        let mut run = retry.run(own, &case.id, report, once)?;
        self.is_short = is_short(&run);
        run.stdout = program_output(&mut run, case.output_file.as_deref());
        run.files.clear();
        Ok(run)
    }

    /// Returns the command that runs the program on a case.
    fn command(&self, case: &PlanCase, input: TextSource<'_>, run: &RunLimits) -> Result<CellCommand, Fault> {
        let mut command = command(self.judged.program, *run, self.cell.private_dir(), input.as_input()?, &case.args);
        command.files = self.working_files(case)?;
        command.read_only = read_only(case);
        command.take_files = case.output_file.is_some();
        if self.plan.outputs == OutputUse::Checked {
            command.stdout = Output::Spill { memory: MOST_IN_MEMORY };
        }
        Ok(command)
    }

    /// Returns the files in the program's working directory: the files of the case, and the files of the program whose
    /// names do not conflict with those of the case.
    fn working_files(&self, case: &PlanCase) -> Result<Feedback, Fault> {
        let mut files = working_files(&case.beside)?;
        let is_free = |name: &str| case.beside.iter().all(|(taken, _)| !paths_conflict(taken.as_ref(), name.as_ref()));
        let own = self.judged.source.working_dir_files().filter(|(name, _)| is_free(name));
        files.extend(own.map(|(name, content)| (name.into(), content.to_vec())));
        Ok(files)
    }
}
