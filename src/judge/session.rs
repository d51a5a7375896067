//! The judge's decisions, as a state machine without any I/O.
//!
//! Results may come back in any order. Events leave in case order, and the judgement is a function of the plan and of
//! what each case's result is: not of the number of workers, nor of who finishes first. Two rules make it so: whether a
//! case is left out depends only on cases before it, and the result of a case that turns out to be left out is dropped.

use std::ops::Range;

use crate::model::{
    ByteSize, CaseId, CaseResult, Credit, Event, EventKind, Fault, GroupResult, Isolation, Outcome, Points, ProblemId,
    Rule, RunSummary, Score, Verdict,
};

use super::grade::{Graded, Known, grade, left_out, most_points, question};
use super::grader::Question;
use super::plan::{Plan, Rules, Stop};

/// Who is judged on what: the part of the events that no decision depends on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// The problem.
    pub problem: ProblemId,
    /// The program, as the person named it.
    pub program: String,
    /// Its language's id.
    pub language: String,
    /// The isolation in force.
    pub isolation: Isolation,
}

/// A case to run: its place in the plan's order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Job(pub usize);

/// What came of a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Done {
    /// A judged case.
    Judged(Box<CaseResult>),
    /// We failed.
    Faulted(Fault),
}

/// A case as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
enum State {
    Waiting,
    Running,
    Done(Done),
    Skipped,
}

/// The state of one run.
#[derive(Debug)]
pub struct Session {
    header: Header,
    plan: Plan,
    ranges: Vec<Range<usize>>,
    groups_of: Vec<usize>,
    states: Vec<State>,
    /// All cases before this one are settled and told.
    head: usize,
    /// Whether the start of the case at the head was told.
    head_started: bool,
    /// No case before this one waits.
    first_waiting: usize,
    /// All groups before this one are told.
    told_groups: usize,
    /// What the package's own grader was asked, and what it said.
    answers: Vec<(Question, Result<Graded, Fault>)>,
    events: Vec<Event>,
    told: u64,
}

impl Session {
    /// A run of this plan.
    pub fn new(header: Header, plan: Plan) -> Session {
        let mut ranges = Vec::new();
        let mut groups_of = Vec::new();
        for (index, group) in plan.groups.iter().enumerate() {
            let start = groups_of.len();
            groups_of.extend(std::iter::repeat_n(index, group.cases.len()));
            ranges.push(start..groups_of.len());
        }
        let states = vec![State::Waiting; groups_of.len()];
        let (events, told) = (Vec::new(), 0);
        let mut session = Session {
            header,
            plan,
            ranges,
            groups_of,
            states,
            head: 0,
            head_started: false,
            first_waiting: 0,
            told_groups: 0,
            answers: Vec::new(),
            events,
            told,
        };
        session.tell_start();
        session.advance();
        session
    }

    /// The plan of this run.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The next case to run, if one can be started now. None may mean: later, when more is known.
    pub fn next_job(&mut self) -> Option<Job> {
        while self.states.get(self.first_waiting).is_some_and(|state| *state != State::Waiting) {
            self.first_waiting += 1;
        }
        let index = (self.first_waiting..self.states.len())
            .find(|&index| self.states[index] == State::Waiting && self.wanted(index))?;
        self.states[index] = State::Running;
        self.advance();
        Some(Job(index))
    }

    /// Takes in what came of a job. The result of a case that was left out meanwhile is dropped.
    pub fn record(&mut self, job: Job, done: Done) {
        debug_assert!(matches!(self.states[job.0], State::Running | State::Skipped), "a job is recorded once");
        if self.states[job.0] == State::Running {
            self.states[job.0] = State::Done(done);
            self.advance();
        }
    }

    /// What the package's own grader must be asked before the run goes on: it decides what is left out, and the result.
    /// It is asked in the order of cases, of what is settled.
    pub fn question(&self) -> Option<Question> {
        let rules = self.plan.rules.as_ref().filter(|rules| rules.grader.is_some())?;
        question(&rules.tree, &|case| self.settled(case), &|question| self.said(question))
    }

    /// Takes in what the grader said.
    pub fn answer(&mut self, question: Question, answer: Result<Graded, Fault>) {
        self.answers.push((question, answer));
        self.advance();
    }

    /// What the grader said to a question. Where it failed, it says nothing of the group.
    fn said(&self, question: &Question) -> Option<Graded> {
        let (_, answer) = self.answers.iter().find(|(known, _)| known == question)?;
        Some(answer.as_ref().map_or(Graded { verdict: None, points: Points::ZERO }, |graded| *graded))
    }

    /// The events since the last call, in order.
    pub fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }

    /// Whether every case is settled.
    pub fn finished(&self) -> bool {
        self.told_groups == self.ranges.len() && self.question().is_none()
    }

    /// Gives up: every case that is not settled becomes this fault of ours.
    pub fn abort(&mut self, fault: &Fault) {
        for index in self.head..self.states.len() {
            if matches!(self.states[index], State::Waiting | State::Running) {
                self.states[index] = State::Done(Done::Faulted(fault.clone()));
            }
        }
        self.advance();
    }

    /// Ends the run: tells it and returns the judgement.
    pub fn into_judgement(mut self) -> (RunSummary, Vec<Event>) {
        debug_assert!(self.finished(), "a judgement needs every case settled");
        let summary = self.summary();
        self.tell(EventKind::RunFinished(summary.clone()));
        (summary, self.events)
    }

    /// Whether, by what is known now, the case should be run: the groups that must be accepted first are settled, and
    /// no known failure before it leaves it out.
    fn wanted(&self, index: usize) -> bool {
        let settled = |&before: &usize| self.head >= self.ranges[before].end;
        self.plan.groups[self.groups_of[index]].after.iter().all(settled) && self.reason_to_skip(index).is_none()
    }

    /// Why the case is left out, by what is known of the cases before it.
    fn reason_to_skip(&self, index: usize) -> Option<String> {
        let group = self.groups_of[index];
        for &before in &self.plan.groups[group].after {
            if self.ranges[before].clone().any(|case| self.failed(case) || self.states[case] == State::Skipped) {
                return Some(format!("group {} was not accepted", self.plan.groups[before].name));
            }
        }
        if let Some(rules) = &self.plan.rules
            && let Some(reason) =
                left_out(&rules.tree, index, &|case| self.known(case), &|question| self.said(question))
        {
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

    /// What the rules may know of a case.
    fn known(&self, index: usize) -> Known<'_> {
        match self.states.get(index) {
            Some(State::Done(Done::Judged(result))) => Known::Judged(result),
            Some(State::Done(Done::Faulted(_))) => Known::Failed,
            Some(State::Skipped) => Known::Skipped,
            Some(State::Waiting | State::Running) | None => Known::Nothing,
        }
    }

    /// What is known of a case that was told already: of later ones something may be known by chance.
    fn settled(&self, index: usize) -> Known<'_> {
        if index < self.head { self.known(index) } else { Known::Nothing }
    }

    /// The result by the rules, where there are any.
    fn graded(&self) -> Option<(&Rules, Graded)> {
        let rules = self.plan.rules.as_ref()?;
        Some((rules, grade(&rules.tree, &|case| self.known(case), &|question| self.said(question))))
    }

    fn failed(&self, index: usize) -> bool {
        match &self.states[index] {
            State::Done(Done::Judged(result)) => !result.verdict.accepted(),
            State::Done(Done::Faulted(_)) => true,
            State::Waiting | State::Running | State::Skipped => false,
        }
    }

    /// Settles and tells as many cases from the head on, and groups, as are known.
    fn advance(&mut self) {
        while self.question().is_none() {
            let group = self.told_groups;
            if self.ranges.get(group).is_some_and(|range| range.end == self.head) {
                let result = self.group_result(group);
                self.tell(EventKind::GroupFinished(result));
                self.told_groups += 1;
            } else if self.head < self.states.len() && self.settle_head() {
                self.head += 1;
                self.head_started = false;
            } else {
                break;
            }
        }
    }

    /// Tells what is known of the case at the head; true if that is all there will be.
    fn settle_head(&mut self) -> bool {
        let index = self.head;
        let (group, case) = self.names(index);
        if let Some(reason) = self.reason_to_skip(index) {
            self.states[index] = State::Skipped;
            self.tell(EventKind::CaseSkipped { case, group, reason });
            return true;
        }
        if self.states[index] == State::Waiting {
            return false;
        }
        if !self.head_started {
            self.head_started = true;
            self.tell(EventKind::CaseStarted { case: case.clone(), group: group.clone() });
        }
        match self.states[index].clone() {
            State::Done(Done::Judged(result)) => self.tell(EventKind::CaseFinished(result)),
            State::Done(Done::Faulted(fault)) => self.tell(EventKind::CaseFaulted { case, group, fault }),
            State::Waiting | State::Running | State::Skipped => return false,
        }
        true
    }

    /// The names of a case's group and of the case.
    fn names(&self, index: usize) -> (String, CaseId) {
        let group = self.groups_of[index];
        let case = &self.plan.groups[group].cases[index - self.ranges[group].start];
        (self.plan.groups[group].name.clone(), case.id.clone())
    }

    fn tell_start(&mut self) {
        let header = self.header.clone();
        self.tell(EventKind::RunStarted {
            problem: header.problem,
            program: header.program,
            language: header.language,
            cases: self.states.len(),
            isolation: header.isolation,
        });
    }

    fn tell(&mut self, kind: EventKind) {
        self.events.push(Event { number: self.told, kind });
        self.told += 1;
    }

    /// The results of these cases, without those that were left out or that we failed at.
    fn results(&self, range: Range<usize>) -> impl Iterator<Item = &CaseResult> {
        self.states[range].iter().filter_map(|state| match state {
            State::Done(Done::Judged(result)) => Some(&**result),
            _ => None,
        })
    }

    /// A group earns its points times the least credit of its cases, or what its rule says.
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
                max_score: most_points(tree).score(),
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
                // The old version's points of what is not accepted do not count.
                (Rule::Grader(_), true) if !accepted => Score::ZERO,
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

    fn outcome(&self) -> Outcome {
        let of_cases = self.states.iter().filter_map(|state| match state {
            State::Done(Done::Faulted(fault)) => Some(fault.clone()),
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
        let partial = self.plan.scored() && if verdict.accepted() { less } else { score > Score::ZERO };
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

/// The first verdict, in case order, that is not accepted; accepted if all are; none if there are none.
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

#[cfg(test)]
#[path = "session_laws.rs"]
mod laws;
