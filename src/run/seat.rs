//! Where one case is judged: run the program, then classify the facts, then compare the output.

use std::sync::Mutex;

use crate::check::{Comparer, Finding};
use crate::judge::{CaseFiles, Done, Job, Plan, Seat, classify};
use crate::lang::Program;
use crate::model::{CaseResult, Credit, Difference, Fault, FaultKind, Limits, Verdict};
use crate::sandbox::{Cell, Input, Run, stay_with_slot};

use super::hands::task;
use super::stand::{Quiet, fairly};

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

/// A cell with the program to judge.
pub(super) struct JudgeSeat<'a> {
    pub(super) slot: usize,
    pub(super) cell: Box<dyn Cell>,
    pub(super) program: &'a Program,
    pub(super) plan: &'a Plan,
    pub(super) name: &'a str,
    pub(super) limits: Limits,
    pub(super) checker: Comparer,
    pub(super) first: &'a First,
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
        let mut run = self.run_case(&case.files)?;
        let said = &mut run.execution.stderr.text;
        *said = self.program.plain(said, self.name);
        let (verdict, difference) = self.verdict(&run, &case.files)?;
        let result = CaseResult {
            case: case.id.clone(),
            group: group.name.clone(),
            verdict,
            credit: if verdict.accepted() { Credit::FULL } else { Credit::NONE },
            usage: run.execution.usage,
            exit: run.execution.exit,
            stderr: run.execution.stderr,
            difference,
            message: None,
        };
        if !verdict.accepted() {
            self.witness(job.0, &result, &case.files, run.stdout);
        }
        Ok(result)
    }

    fn run_case(&mut self, files: &CaseFiles) -> Result<Run, Fault> {
        let (quiet, limits, own) = (self.quiet, self.limits, self.program.limits(&self.limits).cpu);
        fairly(quiet, &limits, own, |limits| self.run_once(files, limits))
    }

    fn run_once(&mut self, files: &CaseFiles, limits: &Limits) -> Result<Run, Fault> {
        let fault = |error: std::io::Error| Fault::new(FaultKind::Data, error.to_string());
        let input = fs_err::File::open(&files.input).map_err(fault)?;
        let task = task(self.program, limits, self.cell.private_dir(), Input::File(input.into()), &[]);
        self.cell.run(task)
    }

    fn verdict(&self, run: &Run, files: &CaseFiles) -> Result<(Verdict, Option<Difference>), Fault> {
        if let Some(verdict) = classify(&run.execution, &self.program.limits(&self.limits)) {
            return Ok((verdict, None));
        }
        let answer = fs_err::read(&files.answer).map_err(|error| Fault::new(FaultKind::Data, error.to_string()))?;
        Ok(match self.checker.compare_bytes(&answer, &run.stdout) {
            Finding::Same => (Verdict::Accepted, None),
            Finding::Differs { verdict, difference } => (verdict, Some(difference)),
        })
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
