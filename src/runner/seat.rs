//! Where one case is judged: run the program, then classify the facts, then compare or check the output.

use std::collections::BTreeMap;
use std::sync::Mutex;

use crate::judge::{CaseFiles, Done, Feedback, Job, Plan, PlanCase, Ruling, Seat, classify};
use crate::lang::{Program, Source, collide};
use crate::model::{Capture, CaseId, CaseResult, Execution, Exit, Fault, FaultKind, Limits, Transcript, Usage};
use crate::problem::{AuxProgram, Judging};
use crate::sandbox::{Cell, Run, stay_with_slot};

use super::converse::{Talker, Topic};
use super::desk::Text;
use super::examiner::{Examined, Examiner};
use super::hands::{task, written};
use super::package::{code, entry_point};
use super::stand::{Quiet, fairly};

/// How much of a wrong output is kept to be shown, in bytes.
const KEPT: usize = 4 << 20;
/// How much of it is kept of the first failures of further groups, in bytes.
const HEAD: usize = 64 << 10;

/// What is needed to show a person a case that was not accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Witness {
    /// The judgement on the case.
    pub result: CaseResult,
    /// Where its data is.
    pub files: CaseFiles,
    /// What the program wrote, cut.
    pub output: Vec<u8>,
}

/// Of each group the first failure, in case order, that any seat has seen, and its place.
pub(super) type Firsts = Mutex<BTreeMap<String, (usize, Witness)>>;

/// The failures in case order.
pub(super) fn in_order(firsts: BTreeMap<String, (usize, Witness)>) -> Vec<Witness> {
    let mut firsts: Vec<(usize, Witness)> = firsts.into_values().collect();
    firsts.sort_by_key(|(place, _)| *place);
    firsts.into_iter().map(|(_, witness)| witness).collect()
}

/// The dialogue to show: that of the first case, in case order, that was not accepted, or of the first of all. With it:
/// whether the case was accepted, its place, its name.
pub(super) type Spoken = Mutex<Option<(bool, usize, CaseId, Transcript)>>;

/// The files that a case puts into the program's working directory.
pub(super) fn beside(files: &[(String, std::path::PathBuf)]) -> Result<Feedback, Fault> {
    let read = |(name, path): &(String, std::path::PathBuf)| {
        let content = fs_err::read(path).map_err(|error| Fault::new(FaultKind::Data, error.to_string()))?;
        Ok((name.into(), content))
    };
    files.iter().map(read).collect()
}

/// A cell with the program to judge.
pub(super) struct JudgeSeat<'a> {
    pub(super) slot: usize,
    pub(super) cell: Box<dyn Cell>,
    pub(super) source: &'a Source,
    pub(super) program: &'a Program,
    pub(super) plan: &'a Plan,
    pub(super) name: &'a str,
    pub(super) limits: Limits,
    pub(super) examiner: Examiner<'a>,
    pub(super) firsts: &'a Firsts,
    /// What was said in the case under way, if it is a dialogue.
    pub(super) transcript: Option<Transcript>,
    pub(super) spoken: &'a Spoken,
    pub(super) quiet: &'a Quiet,
}

impl Seat for JudgeSeat<'_> {
    fn sit(&mut self) {
        // Being elsewhere than its cell makes a run slower, never wrong.
        _ = stay_with_slot(self.slot);
    }

    fn run(&mut self, job: Job) -> Done {
        match self.judge(job) {
            Ok(result) => Done::Judged(Box::new(result)),
            Err(fault) => Done::Faulted(fault),
        }
    }
}

impl JudgeSeat<'_> {
    fn judge(&mut self, job: Job) -> Result<CaseResult, Fault> {
        let plan = self.plan;
        let Some((group, case)) = plan.case(job.0) else {
            return Err(Fault::new(FaultKind::Worker, format!("there is no case {}", job.0)));
        };
        self.transcript = None;
        let judged = match &case.text {
            Some(validator) => self.read_text(validator),
            None => self.passes(case),
        };
        self.speak(job.0, &case.id, judged.as_ref().is_ok_and(|(_, examined)| examined.ruling.verdict.accepted()));
        let (mut run, Examined { ruling, difference, .. }) = judged?;
        let said = &mut run.execution.stderr.text;
        *said = self.program.plain(said, self.name);
        let Ruling { verdict, credit, points, message, .. } = ruling;
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
        if !verdict.accepted() {
            self.witness(job.0, &result, &case.files, run.stdout);
        }
        Ok(result)
    }

    /// Has the program's text judged, without running it.
    fn read_text(&mut self, validator: &AuxProgram) -> Result<(Run, Examined), Fault> {
        let language_and_entry = [code(self.source).to_owned(), entry_point(self.source, self.program)];
        let ruling = self.examiner.desks.ready(validator)?.read_text(&language_and_entry)?;
        let (exit, usage, stderr) = (Exit::Code(0), Usage::default(), Capture::default());
        let execution = Execution { exit, breach: None, usage, stderr };
        let run = Run { execution, stdout: Vec::new(), files: Vec::new() };
        Ok((run, Examined { ruling, difference: None, feedback: Feedback::new() }))
    }

    /// Judges the passes of a case, one in most problems. It used what its greatest pass used.
    fn passes(&mut self, case: &PlanCase) -> Result<(Run, Examined), Fault> {
        let mut next: Option<Vec<u8>> = None;
        let (mut feedback, mut most) = (Feedback::new(), Usage::default());
        for _ in 0..case.judging.passes() {
            let input = next.as_deref().map_or(Text::File(&case.files.input), Text::Bytes);
            let (mut run, mut examined) = self.pass(case, input, feedback)?;
            let usage = &mut run.execution.usage;
            most = Usage {
                cpu: most.cpu.max(usage.cpu),
                wall: most.wall.max(usage.wall),
                memory: most.memory.max(usage.memory),
                instructions: most.instructions.max(usage.instructions),
            };
            *usage = most;
            match examined.ruling.next_pass.take() {
                None => return Ok((run, examined)),
                asked => (next, feedback) = (asked, examined.feedback),
            }
        }
        let aux_program = case.judging.aux_programs().next().and_then(|aux_program| aux_program.source.file_name());
        let (name, passes) = (aux_program.unwrap_or_default().to_string_lossy(), case.judging.passes());
        let message = format!("{}: {name} asks for another pass after {passes}", case.id);
        Err(Fault::new(FaultKind::Checker, message))
    }

    fn pass(&mut self, case: &PlanCase, input: Text<'_>, feedback: Feedback) -> Result<(Run, Examined), Fault> {
        if let Judging::Interactor { interactor, checker, .. } = &*case.judging {
            let (answer, args) = (Text::File(&case.files.answer), case.args.as_slice());
            let topic = Topic { input, answer, args, beside: self.beside(case)? };
            let mut talker = Talker {
                cell: self.cell.as_mut(),
                program: self.program,
                limits: &self.limits,
                examiner: &mut self.examiner,
                quiet: self.quiet,
                transcript: &mut self.transcript,
            };
            return talker.converse(interactor, checker.as_ref(), &topic, feedback);
        }
        let run = self.run_case(case, input)?;
        let examined = match classify(&run.execution, &self.program.limits(&self.limits)) {
            Some(verdict) => Examined::decided(verdict, None),
            None => self.examiner.look(&case.judging, input, &run.stdout, Text::File(&case.files.answer), feedback)?,
        };
        Ok((run, examined))
    }

    /// Runs the program on a case.
    fn run_case(&mut self, case: &PlanCase, input: Text<'_>) -> Result<Run, Fault> {
        let (quiet, limits, own) = (self.quiet, self.limits, self.program.limits(&self.limits).cpu);
        let once = |limits: &Limits| {
            let mut task = task(self.program, limits, self.cell.private_dir(), input.as_input()?, &case.args);
            task.files = self.beside(case)?;
            task.take_files = case.output_file.is_some();
            self.cell.run(task)
        };
        let mut run = fairly(quiet, &limits, own, once, |run| &run.execution)?;
        run.stdout = written(&mut run, case.output_file.as_deref());
        run.files.clear();
        Ok(run)
    }

    /// What is in the program's working directory: the files of the case, and its own where they are in nobody's way.
    fn beside(&self, case: &PlanCase) -> Result<Feedback, Fault> {
        let mut files = beside(&case.beside)?;
        let is_free = |name: &str| case.beside.iter().all(|(taken, _)| !collide(taken.as_ref(), name.as_ref()));
        let own = self.source.laid().filter(|(name, _)| is_free(name));
        files.extend(own.map(|(name, content)| (name.into(), content.to_vec())));
        Ok(files)
    }

    /// Keeps this dialogue if it is the one to show so far.
    fn speak(&mut self, index: usize, case: &CaseId, accepted: bool) {
        let Some(transcript) = self.transcript.take() else { return };
        let mut spoken = self.spoken.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if spoken.as_ref().is_none_or(|(good, so_far, ..)| (accepted, index) < (*good, *so_far)) {
            *spoken = Some((accepted, index, case.clone(), transcript));
        }
    }

    /// Keeps this failure if it is its group's first in case order so far. Of the run's first as much output is kept as
    /// a person may want to see, of the others' a head.
    fn witness(&self, index: usize, result: &CaseResult, files: &CaseFiles, mut output: Vec<u8>) {
        let mut firsts = self.firsts.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if firsts.get(&result.group).is_none_or(|(so_far, _)| index < *so_far) {
            let before = firsts.iter().any(|(group, (so_far, _))| *group != result.group && *so_far < index);
            output.truncate(if before { HEAD } else { KEPT });
            output.shrink_to_fit();
            let witness = Witness { result: result.clone(), files: files.clone(), output };
            firsts.insert(result.group.clone(), (index, witness));
        }
    }
}
