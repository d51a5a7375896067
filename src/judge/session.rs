//! The judge's decisions, as a state machine without any I/O.
//!
//! Results may be recorded in any order. Events are logged in case order, and the log and the summary do not depend on
//! the number of workers or on the order of completion. Two rules ensure this: whether a case is skipped depends only
//! on cases before it, and the result of a case that is skipped after it was started is dropped.

use std::ops::Range;

use crate::model::{
    ByteSize, CaseId, CaseResult, Credit, EventKind, Fault, Grader, Grading, GroupResult, Isolation, LogEntry, Outcome,
    Points, ProblemId, Rule, RunSummary, Score, ScoreBasis, TimeSpan, Verdict,
};

use super::custom_grader::GraderQuestion;
use super::plan::{GroupRules, Plan, Stop};
use super::scoring::{CaseState, GroupOutcome, grade, max_points, question, settles, skip_reason};

/// The data about a run that its events and summary report, but on which no decision depends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// The id of the problem.
    pub problem: ProblemId,
    /// The program, as the user named it.
    pub program: String,
    /// The id of the program's language.
    pub language: String,
    /// The isolation in force.
    pub isolation: Isolation,
}

/// A case to run: its index among the cases of the plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Job(pub usize);

/// The result of a [`Job`], for [`Session::record`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JobResult {
    /// The case was judged.
    Judged(Box<CaseResult>),
    /// The judge failed on the case.
    Faulted(Fault),
}

/// The reason why a run was over before its first case.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Ended {
    /// The program does not compile.
    CompileError,
    /// The judge failed before the first case.
    Faulted(Fault),
}

/// The state of a case.
#[derive(Debug, Clone, PartialEq, Eq)]
enum JobState {
    Waiting,
    Running,
    Done(JobResult),
    Skipped,
}

/// The state of one run.
#[derive(Debug)]
pub struct Session {
    header: Header,
    plan: Plan,
    ranges: Vec<Range<usize>>,
    groups_of: Vec<usize>,
    states: Vec<JobState>,
    /// Index of the first case that is not settled. A case is settled once its result or the reason for skipping it is
    /// in the log.
    head: usize,
    /// Whether the start of the case at the head was logged.
    head_started: bool,
    /// An index before which no case is waiting to be started.
    first_waiting: usize,
    /// Index of the first group whose result is not logged.
    logged_groups: usize,
    /// The answered questions to the package's custom grader, with the answers.
    answers: Vec<(GraderQuestion, Result<GroupOutcome, Fault>)>,
    events: Vec<LogEntry>,
    logged: u64,
    ended: Option<Ended>,
}

impl Session {
    /// Creates the session of a run of `plan`, and logs the start of the run.
    pub fn new(header: Header, plan: Plan) -> Session {
        let mut ranges = Vec::new();
        let mut groups_of = Vec::new();
        for (index, group) in plan.groups.iter().enumerate() {
            let start = groups_of.len();
            groups_of.extend(std::iter::repeat_n(index, group.cases.len()));
            ranges.push(start..groups_of.len());
        }
        let states = vec![JobState::Waiting; groups_of.len()];
        let mut session = Session {
            header,
            plan,
            ranges,
            groups_of,
            states,
            head: 0,
            head_started: false,
            first_waiting: 0,
            logged_groups: 0,
            answers: Vec::new(),
            events: Vec::new(),
            logged: 0,
            ended: None,
        };
        session.log_start();
        session.advance();
        session
    }

    /// Logs that the compiler was started.
    pub fn build_started(&mut self) {
        let language = self.header.language.clone();
        self.log(EventKind::BuildStarted { language });
    }

    /// Logs that the compiler exited after the time `wall`. If there is an `error` (the compiler's output), the program
    /// does not compile and the run is over.
    pub fn build_finished(&mut self, cached: bool, wall: TimeSpan, error: Option<String>) {
        if error.is_some() {
            self.ended = Some(Ended::CompileError);
        }
        self.log(EventKind::BuildFinished { cached, wall, error });
    }

    /// Ends the run before its first case with an error of the judge.
    pub fn fail(&mut self, fault: Fault) {
        self.ended = Some(Ended::Faulted(fault));
    }

    /// Returns the plan of this run.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Returns the next case to run; `None` if no case is left or no case can be started until more results are
    /// recorded.
    pub fn next_job(&mut self) -> Option<Job> {
        if self.ended.is_some() {
            return None;
        }
        while self.states.get(self.first_waiting).is_some_and(|state| *state != JobState::Waiting) {
            self.first_waiting += 1;
        }
        let index = (self.first_waiting..self.states.len())
            .find(|&index| self.states[index] == JobState::Waiting && self.wanted(index))?;
        self.states[index] = JobState::Running;
        self.advance();
        Some(Job(index))
    }

    /// Returns an upper bound on the number of cases that have not been started.
    pub fn waiting(&self) -> usize {
        self.states.len() - self.first_waiting
    }

    /// Undoes the start of a job that was not run. [`Session::next_job`] returns it again, unless it is skipped.
    pub fn put_back(&mut self, job: Job) {
        if self.states[job.0] == JobState::Running {
            self.states[job.0] = JobState::Waiting;
            self.first_waiting = self.first_waiting.min(job.0);
            self.advance();
        }
    }

    /// Records the result of a job. The result is dropped if the case was skipped, or the session aborted, after the
    /// job was started.
    pub fn record(&mut self, job: Job, done: JobResult) {
        debug_assert_ne!(self.states[job.0], JobState::Waiting, "only a started job has a result");
        if self.states[job.0] == JobState::Running {
            self.states[job.0] = JobState::Done(done);
            self.advance();
        }
    }

    /// Returns the question that the package's custom grader must answer before the run continues, if there is one. The
    /// answer determines which cases are skipped, and the result. A question depends on settled cases only, and
    /// questions are asked in case order.
    pub fn question(&self) -> Option<GraderQuestion> {
        let rules = self.plan.rules.as_ref().filter(|rules| rules.grader.is_some())?;
        question(&rules.tree, &|case| self.settled(case), &|question| self.said(question))
    }

    /// Records the custom grader's answer to a question.
    pub fn answer(&mut self, question: GraderQuestion, answer: Result<GroupOutcome, Fault>) {
        self.answers.push((question, answer));
        self.advance();
    }

    /// Returns the custom grader's answer to a question, if it is recorded. If the grader failed, the group has no
    /// verdict and no points.
    fn said(&self, question: &GraderQuestion) -> Option<GroupOutcome> {
        let (_, answer) = self.answers.iter().find(|(known, _)| known == question)?;
        Some(answer.as_ref().map_or(GroupOutcome { verdict: None, points: Points::ZERO }, |graded| *graded))
    }

    /// Returns the events that were logged since the last call, the earliest first.
    pub fn take_events(&mut self) -> Vec<LogEntry> {
        std::mem::take(&mut self.events)
    }

    /// Returns true if the run is over: all cases and groups are logged and no question is open, or the run ended
    /// before its first case.
    pub fn finished(&self) -> bool {
        self.ended.is_some() || self.logged_groups == self.ranges.len() && self.question().is_none()
    }

    /// Records the fault as the result of all cases that are waiting or running.
    pub fn abort(&mut self, fault: &Fault) {
        for index in self.head..self.states.len() {
            if matches!(self.states[index], JobState::Waiting | JobState::Running) {
                self.states[index] = JobState::Done(JobResult::Faulted(fault.clone()));
            }
        }
        self.advance();
    }

    /// Logs the end of the run, which must be finished, and returns its summary and the events that were not taken yet.
    pub fn into_summary(mut self) -> (RunSummary, Vec<LogEntry>) {
        debug_assert!(self.finished(), "a summary requires a finished run");
        let summary = self.summary();
        self.log(EventKind::RunFinished(summary.clone()));
        (summary, self.events)
    }

    /// Returns true if a waiting case may be started: all groups that its group requires are settled, and the results
    /// so far do not cause the case to be skipped.
    fn wanted(&self, index: usize) -> bool {
        let settled = |&before: &usize| self.head >= self.ranges[before].end;
        self.plan.groups[self.groups_of[index]].after.iter().all(settled) && self.reason_to_skip(index).is_none()
    }

    /// Returns the reason why the case is skipped, given the results so far of the cases before it; `None` if the case
    /// is run.
    fn reason_to_skip(&self, index: usize) -> Option<String> {
        let group = self.groups_of[index];
        for &before in &self.plan.groups[group].after {
            if self.ranges[before].clone().any(|case| self.failed(case) || self.states[case] == JobState::Skipped) {
                return Some(format!("group {} was not accepted", self.plan.groups[before].name));
            }
        }
        if let Some(rules) = &self.plan.rules
            && let Some(reason) =
                skip_reason(&rules.tree, index, &|case| self.known(case), &|question| self.said(question))
        {
            return Some(reason);
        }
        if let Some(reason) = self.reason_of_certainty(index) {
            return Some(reason);
        }
        let watched = match self.plan.stop {
            Stop::Never => return None,
            Stop::InGroup => self.ranges[group].start..index,
            Stop::InRun => 0..index,
        };
        let first = watched.into_iter().find(|&case| self.failed(case))?;
        Some(format!("{} was not accepted", self.names(first).1))
    }

    /// Returns the reason why the result is certain without this case; `None` if it is not certain, or if the plan does
    /// not skip such cases. The result is certain if an earlier case exceeded a limit, earned no credit and decides the
    /// result: in a problem with points, a case of the same group unless the group's points are a sum (see
    /// [`settles`]); in a problem without points, any earlier case. With the rules of the legacy package format, no
    /// result is considered certain.
    fn reason_of_certainty(&self, index: usize) -> Option<String> {
        if !self.plan.skip_certain {
            return None;
        }
        let costly = |case: &usize| match &self.states[*case] {
            JobState::Done(JobResult::Judged(result)) => is_costly(result.verdict) && result.credit == Credit::NONE,
            _ => false,
        };
        let first = match &self.plan.rules {
            None if self.plan.scored() => (self.ranges[self.groups_of[index]].start..index).find(costly)?,
            None => (0..index).find(costly)?,
            // In a package of the ICPC format 2025-09 without points, the verdict is that of the first rejected case.
            Some(GroupRules { tree: Grading { rule: Rule::Aggregate(_), .. }, scored: false, .. }) => {
                (0..index).find(costly)?
            }
            Some(GroupRules { tree, scored: true, .. }) => {
                (0..index).filter(costly).find(|&before| settles(tree, before, index))?
            }
            Some(_) => return None,
        };
        let JobState::Done(JobResult::Judged(result)) = &self.states[first] else { return None };
        Some(format!("{} got {}, which determines the result", result.case, result.verdict))
    }

    /// Converts the state of a case for the scoring functions. An index that is too large counts as a case without a
    /// result.
    fn known(&self, index: usize) -> CaseState<'_> {
        match self.states.get(index) {
            Some(JobState::Done(JobResult::Judged(result))) => CaseState::Judged(result),
            Some(JobState::Done(JobResult::Faulted(_))) => CaseState::Failed,
            Some(JobState::Skipped) => CaseState::Skipped,
            Some(JobState::Waiting | JobState::Running) | None => CaseState::Nothing,
        }
    }

    /// Returns the state of a case if it has been logged. Results of later cases are hidden, since they depend on the
    /// order of completion.
    fn settled(&self, index: usize) -> CaseState<'_> {
        if index < self.head { self.known(index) } else { CaseState::Nothing }
    }

    /// Returns the rules of the package and the result that they yield, if the plan has rules.
    fn graded(&self) -> Option<(&GroupRules, GroupOutcome)> {
        let rules = self.plan.rules.as_ref()?;
        Some((rules, grade(&rules.tree, &|case| self.known(case), &|question| self.said(question))))
    }

    fn failed(&self, index: usize) -> bool {
        match &self.states[index] {
            JobState::Done(JobResult::Judged(result)) => !result.verdict.accepted(),
            JobState::Done(JobResult::Faulted(_)) => true,
            JobState::Waiting | JobState::Running | JobState::Skipped => false,
        }
    }

    /// Settles cases in order, starting at the head, and logs them and their groups. Stops at the first case whose
    /// result is not known, or if a question is open.
    fn advance(&mut self) {
        while self.question().is_none() {
            let group = self.logged_groups;
            if self.ranges.get(group).is_some_and(|range| range.end == self.head) {
                let result = self.group_result(group);
                self.log(EventKind::GroupFinished(result));
                self.logged_groups += 1;
            } else if self.head < self.states.len() && self.settle_head() {
                self.head += 1;
                self.head_started = false;
            } else {
                break;
            }
        }
    }

    /// Logs the start and the result of the case at the head, as far as they are known, or that the case is skipped.
    /// Returns true if the case is now settled.
    fn settle_head(&mut self) -> bool {
        let index = self.head;
        let (group, case) = self.names(index);
        if let Some(reason) = self.reason_to_skip(index) {
            self.states[index] = JobState::Skipped;
            self.log(EventKind::CaseSkipped { case, group, reason });
            return true;
        }
        if self.states[index] == JobState::Waiting {
            return false;
        }
        if !self.head_started {
            self.head_started = true;
            self.log(EventKind::CaseStarted { case: case.clone(), group: group.clone() });
        }
        match self.states[index].clone() {
            JobState::Done(JobResult::Judged(result)) => self.log(EventKind::CaseFinished(result)),
            JobState::Done(JobResult::Faulted(fault)) => self.log(EventKind::CaseFaulted { case, group, fault }),
            JobState::Waiting | JobState::Running | JobState::Skipped => return false,
        }
        true
    }

    /// Returns the name of a case's group and the id of the case.
    fn names(&self, index: usize) -> (String, CaseId) {
        let group = self.groups_of[index];
        let case = &self.plan.groups[group].cases[index - self.ranges[group].start];
        (self.plan.groups[group].name.clone(), case.id.clone())
    }

    fn log_start(&mut self) {
        let header = self.header.clone();
        self.log(EventKind::RunStarted {
            problem: header.problem,
            program: header.program,
            language: header.language,
            cases: self.states.len(),
            isolation: header.isolation,
        });
    }

    fn log(&mut self, kind: EventKind) {
        self.events.push(LogEntry { number: self.logged, kind });
        self.logged += 1;
    }

    /// Returns the results of the cases in `range` that were judged.
    fn results(&self, range: Range<usize>) -> impl Iterator<Item = &CaseResult> {
        self.states[range].iter().filter_map(|state| match state {
            JobState::Done(JobResult::Judged(result)) => Some(&**result),
            _ => None,
        })
    }

    /// Returns the result of a group. The group earns the points that its rule awards. Without a rule, it earns its
    /// maximum points multiplied by the lowest credit of its cases, or nothing if a case has no result.
    fn group_result(&self, group: usize) -> GroupResult {
        let range = self.ranges[group].clone();
        let name = &self.plan.groups[group].name;
        let ruled = self.plan.rules.as_ref().filter(|rules| rules.scored).and_then(|rules| rules.tree.find(name));
        if let Some(tree) = ruled {
            let points = grade(tree, &|case| self.settled(case), &|question| self.said(question)).points;
            return GroupResult {
                group: name.clone(),
                verdict: worst(self.results(range)),
                score: points.score(),
                max_score: max_points(tree).score(),
            };
        }
        let whole = self.results(range.clone()).count() == range.len();
        let max_score = self.plan.groups[group].points.unwrap_or_default();
        GroupResult {
            group: self.plan.groups[group].name.clone(),
            verdict: worst(self.results(range.clone())),
            score: if whole { max_score.share(least_credit(self.results(range))) } else { Score::ZERO },
            max_score,
        }
    }

    fn score(&self) -> Score {
        if let Some((rules, graded)) = self.graded().filter(|_| !self.plan.part) {
            let accepted = graded.verdict.is_none_or(Verdict::accepted);
            return match (&rules.tree.rule, rules.scored) {
                (_, false) if accepted => self.plan.max_score(),
                (_, false) => Score::ZERO,
                // In Kattis, a program that is not accepted earns no points.
                (Rule::Grader(_), true) if !accepted && !self.is_scored_by_groups() => Score::ZERO,
                (_, true) => graded.points.score(),
            };
        }
        if self.plan.scored() {
            return (0..self.plan.groups.len())
                .map(|group| self.group_result(group).score)
                .fold(Score::ZERO, Score::plus);
        }
        let all = 0..self.states.len();
        let whole = self.results(all.clone()).count() == all.len();
        if whole { self.plan.max_score().share(least_credit(self.results(all))) } else { Score::ZERO }
    }

    /// Returns true if the points of groups are counted as in DOMjudge.
    fn is_scored_by_groups(&self) -> bool {
        let rule = self.plan.rules.as_ref().map(|rules| &rules.tree.rule);
        matches!(rule, Some(Rule::Grader(Grader { basis: ScoreBasis::Group, .. })))
    }

    fn outcome(&self) -> Outcome {
        match &self.ended {
            Some(Ended::CompileError) => {
                return Outcome::Final { verdict: Verdict::CompileError, score: Score::ZERO };
            }
            Some(Ended::Faulted(fault)) => return Outcome::Inconclusive { faults: vec![fault.clone()] },
            None => {}
        }
        let of_cases = self.states.iter().filter_map(|state| match state {
            JobState::Done(JobResult::Faulted(fault)) => Some(fault.clone()),
            _ => None,
        });
        let of_graders = self.answers.iter().filter_map(|(_, answer)| answer.clone().err());
        let faults: Vec<Fault> = of_cases.chain(of_graders).collect();
        if !faults.is_empty() {
            return Outcome::Inconclusive { faults };
        }
        let score = self.score();
        let ruled = self.graded().map(|(_, graded)| graded.verdict);
        let verdict = ruled.unwrap_or_else(|| worst(self.results(0..self.states.len()))).unwrap_or(Verdict::Accepted);
        let less = self.plan.rules.is_some() && score < self.plan.max_score() && !self.plan.part;
        // DOMjudge's verdict is independent of the points.
        let rejected_with_points = || score > Score::ZERO && !self.is_scored_by_groups();
        let partial = self.plan.scored() && if verdict.accepted() { less } else { rejected_with_points() };
        Outcome::Final { verdict: if partial { Verdict::Partial } else { verdict }, score }
    }

    fn summary(&self) -> RunSummary {
        let all = || self.results(0..self.states.len());
        let mut slowest: Option<&CaseResult> = None;
        for result in all() {
            if slowest.is_none_or(|so_far| result.usage.cpu > so_far.usage.cpu) {
                slowest = Some(result);
            }
        }
        RunSummary {
            problem: self.header.problem.clone(),
            program: self.header.program.clone(),
            outcome: self.outcome(),
            max_score: self.plan.max_score(),
            cases: self.states.len(),
            accepted: all().filter(|result| result.verdict.accepted()).count(),
            slowest: slowest.map(|result| (result.case.clone(), result.usage.cpu)),
            memory: all().map(|result| result.usage.memory).max().unwrap_or(ByteSize::new(0)),
            isolation: self.header.isolation.level,
        }
    }
}

/// Returns the verdict of the first case that was not accepted, or [`Verdict::Accepted`] if all cases were accepted.
/// Returns `None` if there are no results.
fn worst<'a>(results: impl Iterator<Item = &'a CaseResult>) -> Option<Verdict> {
    let mut some = None;
    for result in results {
        some = Some(Verdict::Accepted);
        if !result.verdict.accepted() {
            return Some(result.verdict);
        }
    }
    some
}

fn least_credit<'a>(results: impl Iterator<Item = &'a CaseResult>) -> Credit {
    results.map(|result| result.credit).min().unwrap_or(Credit::FULL)
}

/// Returns true if the verdict is an exceeded time, idle, memory or output limit, since runs with these verdicts take
/// long.
fn is_costly(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::TimeLimit | Verdict::IdleLimit | Verdict::MemoryLimit | Verdict::OutputLimit)
}

#[cfg(test)]
#[path = "session_properties.rs"]
mod properties;
