//! A class with prepared problems, and the judging of its submissions.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::model::{Activity, Failure, Fault, FaultKind, ProblemId};
use crate::package::Package;
use crate::runner::{JudgeOptions, JudgingTarget, PreparedProblem};
use crate::service::{JudgeRequest, JudgeService, RunReport};

use super::class::{ClassSummary, Enrolled, ProgramJudge, Work, judge_request, judged_record, plan};
use super::gradebook::{MarkingRules, wanted};
use super::ledger::add_overrides;
use super::record::Record;
use super::store::{Change, GradeStore};
use super::submission::SubmissionState;

/// The problems of a class, and the settings for judging it.
#[derive(Debug)]
pub struct ClassRequest<'a> {
    /// Problems of the assignment.
    pub problems: Vec<Arc<PreparedProblem>>,
    /// Marking rules, which determine the submissions that count and how programs are judged. The overrides in the
    /// store are added to the rules.
    pub rules: MarkingRules,
    /// Options for judging programs. The policy determines which cases are skipped.
    pub options: JudgeOptions,
    /// Whether to also judge the cases that can no longer change the verdict or the points.
    pub all_cases: bool,
    /// The reason for judging all submissions again; `None` to reuse the results in the store.
    pub rejudge: Option<&'a str>,
    /// Function that returns the current time, in seconds since the Unix epoch. Called when the problems are prepared.
    pub now: fn() -> i64,
}

/// A class with prepared problems.
pub struct ClassToJudge<'a> {
    service: &'a JudgeService,
    store: &'a GradeStore,
    enrolled: &'a Enrolled,
    problems: Vec<Arc<PreparedProblem>>,
    options: JudgeOptions,
    targets: Vec<JudgingTarget>,
    rules: MarkingRules,
    wanted: Vec<bool>,
    rejudge: Option<i64>,
    /// The reason for publishing marks, which is recorded in the log of marks.
    reason: String,
    now: i64,
}

/// Callback that receives the index of a submission in [`Work::submissions`], and the record of its judging or the
/// fault of the judge.
pub type WhenRecorded<'a> = &'a mut dyn FnMut(usize, Result<&Record, &Fault>) -> Result<(), Failure>;

impl<'a> ClassToJudge<'a> {
    /// Prepares the problems: generates their test data, and derives their time limits. Calls `progress` with the id of
    /// the problem that is being prepared and the current activity. If all submissions are to be judged again, begins a
    /// rejudging in the store, or continues an interrupted rejudging with the same reason.
    ///
    /// # Errors
    /// Fails if a problem can't be prepared, or if the store can't be read or written.
    pub fn prepare(
        service: &'a JudgeService,
        store: &'a GradeStore,
        enrolled: &'a Enrolled,
        request: ClassRequest<'_>,
        progress: &(dyn Fn(&ProblemId, Activity) + Sync),
    ) -> Result<ClassToJudge<'a>, Failure> {
        let ClassRequest { problems, mut rules, options, all_cases, rejudge, now } = request;
        let ids: Vec<ProblemId> = problems.iter().map(|problem| problem.id().clone()).collect();
        add_overrides(&mut rules, &store.overrides()?, &ids);
        let JudgeOptions { stop_groups, skip_certain, .. } = rules.policy.judge_options(all_cases);
        let options = JudgeOptions { stop_groups, skip_certain, ..options };
        let targets = problems
            .iter()
            .map(|problem| service.target(problem, &options, &|activity| progress(problem.id(), activity)));
        let targets = targets.collect::<Result<_, Failure>>()?;
        let reason = rejudge.map_or("graded".to_owned(), |why| format!("judged again: {why}"));
        let now = now();
        let rejudge = rejudge.map(|why| store.begin_rejudge(why, now)).transpose()?;
        let wanted = wanted(&enrolled.roster, &rules);
        Ok(ClassToJudge { service, store, enrolled, problems, options, targets, rules, wanted, rejudge, reason, now })
    }

    /// Returns the judging target of each problem.
    pub fn targets(&self) -> &[JudgingTarget] {
        &self.targets
    }

    /// Returns notes for the user: the assumptions about problems whose description is incomplete, and the cases of
    /// packages that are left out.
    pub fn notes(&self) -> Vec<String> {
        let of_problem = |(problem, target): (&Arc<PreparedProblem>, &JudgingTarget)| {
            let skipped = problem.package().map(Package::skipped_case_notes).unwrap_or_default();
            let notes = problem.assumptions(&self.options, &target.limits).into_iter().chain(skipped);
            notes.map(|note| format!("{}: {note}", problem.id())).collect::<Vec<_>>()
        };
        self.problems.iter().zip(&self.targets).flat_map(of_problem).collect()
    }

    /// Returns the marking rules, with the overrides in the store.
    pub fn rules(&self) -> &MarkingRules {
        &self.rules
    }

    pub(super) fn enrolled(&self) -> &Enrolled {
        self.enrolled
    }

    pub(super) fn store(&self) -> &GradeStore {
        self.store
    }

    /// Records the new marks in `changes` as published.
    pub(super) fn publish(&self, changes: &[Change]) -> Result<(), Failure> {
        self.store.publish(changes, self.now, &self.reason)
    }

    /// Determines which submissions must be judged.
    ///
    /// # Errors
    /// Returns the errors of [`plan`].
    pub fn plan(&self) -> Result<Work<'a>, Failure> {
        let targets = (self.problems.as_slice(), self.targets.as_slice());
        plan(self.store, self.service.host(), targets, self.enrolled, &self.wanted, self.rejudge)
    }

    /// Judges the submissions that [`Work::todo`] lists, stores each result, and passes it to `recorded`. A rejudging
    /// ends when all its submissions have been judged without faults; otherwise, a later run with the same reason
    /// continues the rejudging.
    ///
    /// # Errors
    /// Fails if the store can't be read or written, if a program can't be read, or if `judge` or `recorded` fails. Nothing
    /// is stored if [`ProgramJudge::prepare`] fails.
    pub fn judge(
        &self,
        judge: &dyn ProgramJudge,
        work: &Work<'_>,
        recorded: WhenRecorded<'_>,
    ) -> Result<ClassSummary, Failure> {
        let is_program = |index: &usize| matches!(work.submissions[*index].1.state, SubmissionState::Program(_));
        let programs: Vec<usize> = work.todo.iter().map(|(index, _)| *index).filter(is_program).collect();
        let problems: BTreeSet<usize> = programs.iter().map(|&index| work.submissions[index].1.claim.problem).collect();
        judge.prepare(&problems.into_iter().map(|problem| &self.targets[problem]).collect::<Vec<_>>())?;
        let mut done = ClassSummary::default();
        for &(index, _) in &work.todo {
            let submission = &work.submissions[index].1;
            if let SubmissionState::Refused(_, reason) = &submission.state {
                let record = Record::refused(reason, &self.targets[submission.claim.problem].plan);
                self.put(work, index, &record)?;
                done.judged += 1;
                recorded(index, Ok(&record))?;
            }
        }
        let is_cancelled = || self.service.host().cancel().is_cancelled();
        let mut queue = programs.into_iter();
        let mut next = || -> Result<Option<(usize, JudgeRequest)>, Failure> {
            match queue.next().filter(|_| !is_cancelled()) {
                Some(index) => Ok(Some((index, self.request(work, index)?))),
                None => Ok(None),
            }
        };
        let mut judged = |index: usize, report: Result<RunReport, Failure>| -> Result<(), Failure> {
            match judged_record(report) {
                Ok(record) => {
                    self.put(work, index, &record)?;
                    done.judged += 1;
                    recorded(index, Ok(&record))
                }
                Err(fault) => {
                    let cancelled = fault.kind == FaultKind::Cancelled;
                    done.cancelled |= cancelled;
                    let reported = if cancelled { Ok(()) } else { recorded(index, Err(&fault)) };
                    done.faults.extend(work.submissions[index].1.key().map(|key| (key.whole(), fault)));
                    reported
                }
            }
        };
        judge.judge_all(&mut next, &mut judged)?;
        done.cancelled |= is_cancelled();
        if let Some(rejudge) = self.rejudge.filter(|_| !done.cancelled && done.faults.is_empty()) {
            self.store.end_rejudge(rejudge)?;
        }
        Ok(done)
    }

    fn put(&self, work: &Work<'_>, index: usize, record: &Record) -> Result<(), Failure> {
        let submission = &work.submissions[index].1;
        let Some(key) = submission.key() else { return Ok(()) };
        let problem = self.targets[submission.claim.problem].problem.as_str();
        self.store.put(key, problem, self.rejudge.unwrap_or(0), self.now, record)
    }

    fn request(&self, work: &Work<'_>, index: usize) -> Result<JudgeRequest, Failure> {
        let claim = work.submissions[index].1.claim;
        let (problem, limits) = (&self.problems[claim.problem], self.targets[claim.problem].limits);
        judge_request(self.store, problem, &self.options, limits, (&self.enrolled.files, claim))
    }
}
