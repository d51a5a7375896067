//! Where one case is judged: run the program, then classify the facts, then compare or check the output.

use std::sync::{Mutex, PoisonError, RwLock};

use crate::check::{Comparer, Finding};
use crate::judge::{CaseFiles, Done, Feedback, Job, Plan, PlanCase, Ruling, Seat, classify};
use crate::lang::Program;
use crate::model::{CaseResult, Credit, Difference, Execution, Fault, FaultKind, Limits, Span, Usage, Verdict};
use crate::problem::{Companion, Judging};
use crate::sandbox::{Cell, Run};

use super::desk::{Desks, Text};
use super::hands::task;

/// How much of a wrong output is kept to be shown, in bytes.
const KEPT: usize = 4 << 20;

/// What is needed to show a person the first case that was not accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Witness {
    /// The judgement on the case.
    pub result: CaseResult,
    /// Where its data is.
    pub files: CaseFiles,
    /// What the program wrote, cut.
    pub output: Vec<u8>,
}

/// The first failure, in case order, that any seat has seen.
pub(super) type First = Mutex<Option<(usize, Witness)>>;

/// The files that a case puts into the program's working directory.
pub(super) fn beside(case: &PlanCase) -> Result<Vec<(std::ffi::OsString, Vec<u8>)>, Fault> {
    let read = |(name, path): &(String, std::path::PathBuf)| {
        let content = fs_err::read(path).map_err(|error| Fault::new(FaultKind::Data, error.to_string()))?;
        Ok((name.into(), content))
    };
    case.beside.iter().map(read).collect()
}

/// Held for reading while a case runs, and for writing while one runs alone.
pub(super) type Quiet = RwLock<()>;

/// A cell with the program to judge.
pub(super) struct JudgeSeat<'a> {
    pub(super) cell: Box<dyn Cell>,
    pub(super) program: &'a Program,
    pub(super) plan: &'a Plan,
    pub(super) name: &'a str,
    pub(super) limits: Limits,
    pub(super) desks: Desks<'a>,
    pub(super) first: &'a First,
    pub(super) quiet: &'a Quiet,
}

/// The limits with a tenth more CPU time.
fn with_grace(limits: &Limits) -> Limits {
    Limits { cpu: limits.cpu.plus(Span::micros(limits.cpu.as_micros() / 10)), ..*limits }
}

/// What came of one pass of a case.
pub(super) struct Pass {
    pub(super) run: Run,
    pub(super) ruling: Ruling,
    pub(super) difference: Option<Difference>,
    /// What the checker or interactor left for the next pass.
    pub(super) feedback: Feedback,
}

impl Pass {
    /// A pass that the facts of the run decide.
    pub(super) fn decided(run: Run, verdict: Verdict) -> Pass {
        let credit = if verdict.accepted() { Credit::FULL } else { Credit::NONE };
        let ruling = Ruling { verdict, credit, points: None, message: None, next_pass: None };
        Pass { run, ruling, difference: None, feedback: Vec::new() }
    }
}

impl Seat for JudgeSeat<'_> {
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
        let Pass { mut run, ruling, difference, .. } = self.passes(case)?;
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

    /// Judges the passes of a case, one in most problems. It used what its greatest pass used.
    fn passes(&mut self, case: &PlanCase) -> Result<Pass, Fault> {
        let mut next: Option<Vec<u8>> = None;
        let (mut feedback, mut most) = (Feedback::new(), Usage::default());
        for _ in 0..case.judging.passes() {
            let input = next.as_deref().map_or(Text::File(&case.files.input), Text::Bytes);
            let mut pass = self.pass(case, input, feedback)?;
            let usage = &mut pass.run.execution.usage;
            most = Usage {
                cpu: most.cpu.max(usage.cpu),
                wall: most.wall.max(usage.wall),
                memory: most.memory.max(usage.memory),
            };
            *usage = most;
            match pass.ruling.next_pass.take() {
                None => return Ok(pass),
                asked => (next, feedback) = (asked, pass.feedback),
            }
        }
        let companion = case.judging.companions().next().map(|companion| companion.source.display().to_string());
        let (name, passes) = (companion.unwrap_or_default(), case.judging.passes());
        let message = format!("{}: {name} asks for another pass after {passes}", case.id);
        Err(Fault::new(FaultKind::Checker, message))
    }

    fn pass(&mut self, case: &PlanCase, input: Text<'_>, feedback: Feedback) -> Result<Pass, Fault> {
        match &*case.judging {
            Judging::Compare(comparer) => {
                let run = self.run_case(case, input)?;
                self.compare(*comparer, run, &case.files)
            }
            Judging::Checker { checker, .. } => {
                let run = self.run_case(case, input)?;
                self.check(checker, run, input, &case.files, feedback)
            }
            Judging::Interactor { interactor, checker, .. } => {
                self.converse(interactor, checker.as_ref(), input, &case.files, feedback)
            }
        }
    }

    /// Runs the program on a case.
    fn run_case(&mut self, case: &PlanCase, input: Text<'_>) -> Result<Run, Fault> {
        self.twice_if_close(|seat, limits| seat.run_once(case, input, limits), |run| &run.execution)
    }

    /// Runs something. A time just above the limit may be the fault of what else runs here, so the program gets a tenth
    /// more, and is run once more, alone, if it used a part of that.
    pub(super) fn twice_if_close<T>(
        &mut self,
        once: impl Fn(&mut Self, &Limits) -> Result<T, Fault>,
        execution: impl Fn(&T) -> &Execution,
    ) -> Result<T, Fault> {
        let (quiet, limits) = (self.quiet, self.limits);
        let run = {
            let _shared = quiet.read().unwrap_or_else(PoisonError::into_inner);
            once(self, &with_grace(&limits))?
        };
        let facts = execution(&run);
        if facts.breach.is_some() || facts.usage.cpu <= self.program.limits(&limits).cpu {
            return Ok(run);
        }
        let _alone = quiet.write().unwrap_or_else(PoisonError::into_inner);
        once(self, &with_grace(&limits))
    }

    fn run_once(&mut self, case: &PlanCase, input: Text<'_>, limits: &Limits) -> Result<Run, Fault> {
        let mut task = task(self.program, limits, self.cell.private_dir(), input.as_input()?, &case.args);
        task.files = beside(case)?;
        self.cell.run(task)
    }

    /// The verdict that the facts of a run decide.
    pub(super) fn classify(&self, execution: &Execution) -> Option<Verdict> {
        classify(execution, &self.program.limits(&self.limits))
    }

    fn compare(&self, comparer: Comparer, run: Run, files: &CaseFiles) -> Result<Pass, Fault> {
        if let Some(verdict) = self.classify(&run.execution) {
            return Ok(Pass::decided(run, verdict));
        }
        let answer = fs_err::read(&files.answer).map_err(|error| Fault::new(FaultKind::Data, error.to_string()))?;
        Ok(match comparer.compare_bytes(&answer, &run.stdout) {
            Finding::Same => Pass::decided(run, Verdict::Accepted),
            Finding::Differs { verdict, difference } => {
                Pass { difference: Some(difference), ..Pass::decided(run, verdict) }
            }
        })
    }

    fn check(
        &mut self,
        checker: &Companion,
        run: Run,
        input: Text<'_>,
        files: &CaseFiles,
        feedback: Feedback,
    ) -> Result<Pass, Fault> {
        if let Some(verdict) = self.classify(&run.execution) {
            return Ok(Pass::decided(run, verdict));
        }
        let (output, answer) = (Text::Bytes(&run.stdout), Text::File(&files.answer));
        let (ruling, feedback) = self.desks.ready(checker)?.check(input, output, answer, feedback)?;
        Ok(Pass { run, ruling, difference: None, feedback })
    }

    /// Keeps this failure if it is the first in case order so far.
    fn witness(&self, index: usize, result: &CaseResult, files: &CaseFiles, mut output: Vec<u8>) {
        let mut first = self.first.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if first.as_ref().is_none_or(|(so_far, _)| index < *so_far) {
            output.truncate(KEPT);
            *first = Some((index, Witness { result: result.clone(), files: files.clone(), output }));
        }
    }
}
