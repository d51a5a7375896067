//! The verdict matrix: every solution on every test, held to what its folder promises.

use crate::lang::{Source, SourceBundle};
use crate::model::{CaseResult, EventKind, Failure, Fault, Limits, Outcome, TimeSpan, Verdict};
use crate::problem::Problem;
use crate::runner::{BuildOutcome, Host, JudgeOptions, PreparedProblem, Solution, solutions};
use crate::service::{JudgeRequest, JudgeService};
use crate::workers::in_parallel;

use super::check_result::{Check, Status};
use super::expectation::{EXPECTATIONS, Expectation};
use super::margins::wide;
use super::problem::described;

/// The verdict matrix: solutions by groups.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Matrix {
    /// The groups' names.
    pub groups: Vec<String>,
    /// A row a solution.
    pub rows: Vec<Row>,
}

/// A solution in the verdict matrix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Its path below the folder of solutions.
    pub name: String,
    /// What it got in each group; none where it was not judged.
    pub cells: Vec<Option<Cell>>,
    /// The CPU time of its slowest case.
    pub slowest: TimeSpan,
    /// The CPU time limit for its language, where it is known.
    pub limit: Option<TimeSpan>,
    /// Its folder promises that it is accepted.
    pub right: bool,
    /// Its folder promises that it is too slow.
    pub slow: bool,
    /// What it got is not what its folder promises.
    pub unexpected: bool,
}

/// What a solution got in a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell {
    /// The first verdict that is not accepted, or accepted.
    pub verdict: Verdict,
    /// The CPU time of its slowest case in the group, where it is known.
    pub slowest: Option<TimeSpan>,
}

/// Says each check as it is done.
pub(super) type Say<'a> = &'a mut dyn FnMut(Check) -> Result<(), Failure>;

/// Judges all solutions of the problem, those that must fail only until they do if it is to be fast.
///
/// # Errors
/// Our own failure.
pub(super) fn judge_all(
    service: &JudgeService,
    prepared: &PreparedProblem,
    fail_fast: bool,
    say: Say<'_>,
) -> Result<Matrix, Failure> {
    let (host, Some(problem)) = (service.host(), prepared.problem()) else { return Ok(Matrix::default()) };
    let groups = problem.groups.iter().map(|group| group.name.clone()).collect();
    let mut matrix = Matrix { groups, rows: Vec::new() };
    let list = match solutions(problem) {
        Ok(list) => list,
        Err(Failure::Complaint(complaint)) => {
            say(Check::new("solutions", Status::Fail, described(&complaint)))?;
            return Ok(matrix);
        }
        Err(fault) => return Err(fault),
    };
    if list.iter().all(|solution| solution.folder != "wrong_answer") {
        say(Check::new("solutions", Status::Skip, "there is no wrong solution to show that the tests find it"))?;
    }
    build_all(host, &list)?;
    let limits = match service.target(prepared, &JudgeOptions::default(), &mut |_| {}) {
        Ok(target) => target.limits,
        Err(Failure::Complaint(complaint)) => {
            say(Check::new("margins", Status::Fail, described(&complaint)))?;
            return Ok(matrix);
        }
        Err(fault) => return Err(fault),
    };
    for solution in list {
        let (check, row) = match Expectation::of_folder(&solution.folder) {
            Some(expectation) => Judge { service, problem, prepared, limits, fail_fast, expectation }.one(&solution)?,
            None => (unknown(&solution), None),
        };
        matrix.rows.extend(row);
        say(check)?;
    }
    Ok(matrix)
}

/// Builds all solutions, several at once, so that none of it disturbs the times of a judged one. What can't be built is
/// told when it is judged.
fn build_all(host: &Host, list: &[Solution]) -> Result<(), Failure> {
    let sources: Vec<Source> =
        list.iter().filter_map(|solution| host.languages().load(&solution.path, None).ok()).collect();
    let build = |slot: &mut usize, source: &Source| match host.languages().build(source, *slot) {
        Ok(_) | Err(Failure::Complaint(_)) => Ok(()),
        Err(fault) => Err(fault),
    };
    let lease = host.slots().lease(sources.len(), host.cancel(), &mut || {})?;
    in_parallel(&sources, lease.slots(), Ok, build, |_| {}).1
}

fn unknown(solution: &Solution) -> Check {
    let near = crate::yaml::nearest(&solution.folder, EXPECTATIONS.iter().map(|known| known.folder));
    let near = near.map(|name| format!("; did you mean `{name}`?")).unwrap_or_default();
    let detail = format!("the folder `{}` promises nothing that is known{near}", solution.folder);
    Check::new(&solution.name, Status::Fail, detail)
}

/// What came of running a solution.
struct Run {
    results: Vec<CaseResult>,
    /// The verdict on the whole.
    verdict: Verdict,
    /// What the compiler said, if it refused.
    refusal: String,
}

/// What is needed to judge solutions of one folder.
struct Judge<'a> {
    service: &'a JudgeService,
    problem: &'a Problem,
    prepared: &'a PreparedProblem,
    limits: Limits,
    fail_fast: bool,
    expectation: Expectation,
}

impl Judge<'_> {
    /// Judges one solution and holds it to its promise.
    fn one(&self, solution: &Solution) -> Result<(Check, Option<Row>), Failure> {
        let name = &solution.name;
        let languages = self.service.host().languages();
        let read = self.prepared.read_source(&solution.path, None);
        let (bundle, source) = match read.and_then(|bundle| Ok((languages.from_bundle(&bundle)?, bundle))) {
            Ok((source, bundle)) => (bundle, source),
            Err(Failure::Complaint(complaint)) => {
                return Ok((Check::new(name, Status::Fail, described(&complaint)), None));
            }
            Err(fault) => return Err(fault),
        };
        if let Some(missing) = languages.missing(&source)? {
            return Ok((Check::new(name, Status::Skip, missing), None));
        }
        let Run { results, verdict, refusal } = self.run(bundle, &source, name)?;
        let all: Vec<Verdict> =
            if results.is_empty() { vec![verdict] } else { results.iter().map(|result| result.verdict).collect() };
        let kept = self.expectation.check(&all);
        let row = self.row(name, &source, &results, kept.is_err())?;
        let (slowest, failed) = (row.slowest, all.iter().filter(|verdict| !verdict.accepted()).count());
        let (status, detail) = match kept {
            Ok(()) if self.expectation.accepted() => {
                (Status::Pass, format!("AC, slowest {:.0} ms", slowest.as_millis_f64()))
            }
            Ok(()) => {
                let first = all.iter().find(|verdict| !verdict.accepted()).copied().unwrap_or(verdict);
                (Status::Pass, format!("{first}, by {failed} of {} cases", all.len()))
            }
            Err(otherwise) => (Status::Fail, otherwise),
        };
        let check = Check::new(name, status, detail)
            .with("verdict", all.iter().find(|verdict| !verdict.accepted()).unwrap_or(&verdict).short())
            .with("failed_cases", failed)
            .with("slowest_ms", slowest.as_micros() / 1_000);
        let check = if status == Status::Fail { check.with_words(&refusal) } else { check };
        Ok((check, Some(row)))
    }

    /// Runs a solution on the cases.
    ///
    /// A solution that is to be too slow is stopped only at the time that shows it to be clearly so, and at its first
    /// such case: each costs that long. The largest cases come first, since one of them will be it.
    fn run(&self, bundle: SourceBundle, source: &Source, name: &str) -> Result<Run, Failure> {
        let slow = self.expectation.slow();
        let time = slow.then(|| wide(self.limits.cpu));
        let fail_fast = slow || self.fail_fast && !self.expectation.accepted();
        let options = JudgeOptions { fail_fast, largest_first: slow, time, ..JudgeOptions::default() };
        let program = Some(name.to_owned());
        let request = JudgeRequest { program, options, ..JudgeRequest::new(self.prepared, bundle) };
        let judged = self.service.submit(request)?.wait()?;
        let mut results: Vec<CaseResult> = judged
            .log
            .into_iter()
            .filter_map(|entry| match entry.kind {
                EventKind::CaseFinished(result) => Some(*result),
                _ => None,
            })
            .collect();
        let refusal = judged.compile_error.unwrap_or_default();
        let verdict = match judged.summary.outcome {
            Outcome::Final { verdict, .. } => verdict,
            Outcome::Inconclusive { faults } => return Err(Fault::first_of(&faults).into()),
        };
        if slow {
            let limit = self.limit(source)?;
            for result in results.iter_mut().filter(|result| result.usage.cpu > limit) {
                if matches!(result.verdict, Verdict::Accepted | Verdict::WrongAnswer | Verdict::PresentationError) {
                    result.verdict = Verdict::TimeLimit;
                }
            }
        }
        Ok(Run { results, verdict, refusal })
    }

    /// The time limit that this program's language has here.
    fn limit(&self, source: &Source) -> Result<TimeSpan, Failure> {
        Ok(match self.service.host().languages().build(source, 0)? {
            BuildOutcome::Ready(built) => built.program.limits(&self.limits).cpu,
            BuildOutcome::Rejected { .. } => self.limits.cpu,
        })
    }

    fn row(&self, name: &str, source: &Source, results: &[CaseResult], unexpected: bool) -> Result<Row, Failure> {
        Ok(Row {
            name: name.to_owned(),
            cells: self.problem.groups.iter().map(|group| cell(results, &group.name)).collect(),
            slowest: results.iter().map(|result| result.usage.cpu).max().unwrap_or(TimeSpan::ZERO),
            limit: Some(self.limit(source)?),
            right: self.expectation.accepted(),
            slow: self.expectation.slow() && self.expectation.folder == "time_limit_exceeded",
            unexpected,
        })
    }
}

/// What a solution got in a group.
fn cell(results: &[CaseResult], group: &str) -> Option<Cell> {
    let inside = || results.iter().filter(|result| result.group == group);
    let slowest = inside().map(|result| result.usage.cpu).max()?;
    let failed = inside().map(|result| result.verdict).find(|verdict| !verdict.accepted());
    Some(Cell { verdict: failed.unwrap_or(Verdict::Accepted), slowest: Some(slowest) })
}
