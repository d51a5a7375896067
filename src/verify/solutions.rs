//! Judges the solutions of a problem, and compares the results with the expectations of their folders.

use std::time::Instant;

use crate::judge::retry::limit_that_stops_at;
use crate::lang::{Source, SourceBundle};
use crate::model::{Activity, CaseResult, Failure, Limits, TimeSpan, Verdict};
use crate::package::{ProblemType, SubmissionExpectation};
use crate::problem::Problem;
use crate::runner::{ACCEPTED_TO_LIMIT, BuildOutcome, Host, JudgeOptions, Solution, least_too_slow, solutions};
use crate::service::JudgeRequest;
use crate::workers::in_parallel;

use super::check_result::{Check, Status};
use super::expectation::{folders, may_be_too_slow, must_be_accepted, must_be_too_slow, of_folder, violations};
use super::judged_program::{JudgedSubmission, Verifier};
use super::matrix::{CheckSink, Matrix, MatrixRow, slowest};
use super::problem::described;
use super::step::{Step, time_left};

/// Judges all solutions of the problem and reports the check of each.
///
/// # Errors
/// Fails if a solution can't be judged, or if `say` fails.
pub(super) fn judge_all(verifier: &Verifier<'_>, say: &mut CheckSink<'_>) -> Result<Matrix, Failure> {
    let Verifier { service, prepared, options, .. } = *verifier;
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
        let why = "there is no solution in `wrong_answer`; add one to show that the tests reject wrong programs";
        say(Check::new("solutions", Status::Skip, why))?;
    }
    misplaced(problem).map_or(Ok(()), &mut *say)?;
    let (list, foreign): (Vec<Solution>, Vec<Solution>) =
        list.into_iter().partition(|solution| host.languages().may_be_program(&solution.path));
    left_out(&foreign).map_or(Ok(()), &mut *say)?;
    let measuring = |activity| {
        if let Activity::MeasuringTimeLimit { program } = activity {
            (options.progress)(&Step::new(format!("measuring the time limit with {program}")));
        }
    };
    let limits = match service.target(prepared, &JudgeOptions::default(), &measuring) {
        Ok(target) => target.limits,
        Err(Failure::Complaint(complaint)) => {
            say(Check::new("margins", Status::Fail, described(&complaint)))?;
            return Ok(matrix);
        }
        Err(fault) => return Err(fault),
    };
    let (start, mut judged) = (Instant::now(), 0);
    for (done, solution) in list.iter().enumerate() {
        let left = time_left(start.elapsed(), judged, judged + list.len() - done);
        let parts = Some((done, list.len()));
        let step = Step { text: format!("judging {}", solution.name), parts, left };
        let (check, row) = match of_folder(&solution.folder) {
            Some(expected) => Judge { verifier, problem, limits }.one(solution, &expected, &step)?,
            None => (unknown(solution), None),
        };
        matrix.rows.extend(row);
        judged += usize::from(!check.cached);
        say(check)?;
    }
    Ok(matrix)
}

/// Builds all solutions in parallel before any of them runs: compilers would disturb the times that are measured, and one
/// processor would be idle while the reference is compiled alone. Errors of solutions are reported when they are judged.
///
/// # Errors
/// Fails if the judge itself fails or the verification is cancelled.
pub(super) fn build_all(host: &Host, problem: &Problem, progress: &(dyn Fn(&Step) + Sync)) -> Result<(), Failure> {
    let list = solutions(problem).unwrap_or_default();
    let list = list.iter().filter(|solution| host.languages().may_be_program(&solution.path));
    let sources = list.filter_map(|solution| host.languages().load(&solution.path, None).ok()).collect();
    build_sources(host, sources, progress)
}

/// Builds programs in parallel. Programs that can't be built are ignored.
///
/// # Errors
/// Fails if the judge itself fails or the verification is cancelled.
pub(super) fn build_sources(
    host: &Host,
    sources: Vec<Source>,
    progress: &(dyn Fn(&Step) + Sync),
) -> Result<(), Failure> {
    let build = |slot: &mut usize, source: &Source| match host.languages().build(source, *slot) {
        Ok(_) | Err(Failure::Complaint(_)) => Ok(()),
        Err(fault) => Err(fault),
    };
    let built = |done| progress(&Step { parts: Some((done, sources.len())), ..Step::new("compiling the solutions") });
    built(0);
    let lease = host.slots().lease(sources.len(), host.cancel(), &mut || {})?;
    in_parallel(&sources, lease.slots(), Ok, build, built).1
}

fn unknown(solution: &Solution) -> Check {
    let near = crate::yaml::nearest(&solution.folder, folders());
    let near = near.map(|name| format!("; did you mean `{name}`?")).unwrap_or_default();
    let folder = &solution.folder;
    let detail = format!("unknown folder `{folder}`: {}{near}", folder_rule());
    Check::new(&solution.name, Status::Fail, detail)
}

/// Returns a clause for messages that states in which folders solutions must be.
fn folder_rule() -> String {
    let names: Vec<String> = folders().map(|name| format!("`{name}`")).collect();
    format!("solutions must be in a folder named after their expected verdict ({})", names.join(", "))
}

/// Returns a check with a warning about files outside the folders that are named after verdicts; these files are
/// ignored. Returns `None` if there are no such files.
fn misplaced(problem: &Problem) -> Option<Check> {
    let entries = problem.solutions().read_dir().into_iter().flatten().flatten();
    let files = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    let mut names: Vec<String> = files.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.retain(|name| !name.starts_with('.'));
    names.sort();
    let list = (!names.is_empty()).then(|| names.join(", "))?;
    Some(Check::new("solutions", Status::Pass, String::new()).warn(format!("not judged: {list}; {}", folder_rule())))
}

/// Returns a check with a warning about files that are not programs in any known language, or `None` if there are none.
fn left_out(foreign: &[Solution]) -> Option<Check> {
    let names: Vec<&str> = foreign.iter().map(|file| file.name.as_str()).collect();
    let list = (!names.is_empty()).then(|| names.join(", "))?;
    let warning = format!("files whose extension belongs to no known language are not judged: {list}");
    Some(Check::new("solutions", Status::Pass, String::new()).warn(warning))
}

/// Describes the expected failure of a solution. `stopped` states whether the solution was stopped at its first failure
/// because it may be too slow.
fn told_failure(verdict: Verdict, results: &[CaseResult], stopped: bool) -> String {
    let mut failures = results.iter().filter(|result| !result.verdict.accepted());
    match failures.next() {
        Some(first) if stopped => format!("{verdict} in {}; stopped at the first failure", first.case),
        _ => format!("{verdict}, in {} of {} cases", failures.count() + 1, results.len()),
    }
}

/// The problem, the limits and the verifier with which the solutions are judged.
struct Judge<'a> {
    verifier: &'a Verifier<'a>,
    problem: &'a Problem,
    limits: Limits,
}

impl Judge<'_> {
    /// Judges one solution, and compares the result with the verdicts that its folder expects.
    fn one(
        &self,
        solution: &Solution,
        expected: &[SubmissionExpectation],
        step: &Step,
    ) -> Result<(Check, Option<MatrixRow>), Failure> {
        let name = &solution.name;
        let languages = self.verifier.service.host().languages();
        let read = self.verifier.prepared.read_source(&solution.path, None);
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
        let limit = self.limit(&source)?;
        let judged = self.run(bundle, (&source, limit), (solution, expected), step)?;
        let violations = violations(expected, ProblemType::default(), &judged.results);
        let (results, right) = (&judged.results.cases, must_be_accepted(expected));
        let failures = || results.iter().map(|result| result.verdict).filter(|verdict| !verdict.accepted());
        let verdict = failures().next().or(judged.results.verdict).unwrap_or(Verdict::Accepted);
        let slowest = slowest(results);
        let (status, detail) = match violations.first() {
            None if right => (Status::Pass, format!("AC, slowest {:.0} ms", slowest.as_millis_f64())),
            None if results.is_empty() => (Status::Pass, verdict.short().to_owned()),
            None => (Status::Pass, told_failure(verdict, results, may_be_too_slow(expected))),
            Some(violation) => (Status::Fail, violation.clone()),
        };
        let check = Check::new(name, status, detail)
            .with("verdict", verdict.short())
            .with("failed_cases", failures().count())
            .with("slowest_ms", slowest.as_micros() / 1_000);
        let check = if status == Status::Fail { check.with_words(&judged.compile_error) } else { check };
        let groups: Vec<String> = self.problem.groups.iter().map(|group| group.name.clone()).collect();
        let row = MatrixRow {
            limit: Some(limit),
            right,
            slow: must_be_too_slow(expected),
            unexpected: status == Status::Fail,
            ..MatrixRow::new(name, &groups, results, |result| &result.group)
        };
        Ok((Check { cached: judged.cached, ..check }, Some(row)))
    }

    /// Runs a solution on the cases. `limit` is the time limit of its language.
    ///
    /// A solution that may be too slow is run with a time limit with which it is stopped as soon as it is clearly too
    /// slow, unless other processes of the machine disturb it. It is not run on further cases after the first that exceeds this limit, since every such case would take as
    /// long. The largest cases run first, because they are the most likely to exceed the limit. No other program runs at
    /// the same time, because a program that runs concurrently with others is stopped only at twice its limit.
    fn run(
        &self,
        bundle: SourceBundle,
        (source, limit): (&Source, TimeSpan),
        (solution, expected): (&Solution, &[SubmissionExpectation]),
        step: &Step,
    ) -> Result<JudgedSubmission, Failure> {
        let Verifier { prepared, options, .. } = *self.verifier;
        let slow = may_be_too_slow(expected);
        let time = slow.then(|| limit_that_stops_at(least_too_slow(self.limits.cpu)));
        let fail_fast = slow || options.fail_fast && !must_be_accepted(expected);
        // If a solution that must be accepted exceeds a limit, it has failed, so further cases are skipped: each may
        // take as long.
        let skip_certain = must_be_accepted(expected);
        let order = JudgeOptions { largest_first: slow, alone: slow, ..JudgeOptions::default() };
        let options = JudgeOptions { fail_fast, skip_certain, time, ..order };
        let program = Some(solution.name.clone());
        let request = JudgeRequest { program, options, ..JudgeRequest::new(prepared, bundle) };
        let complete = |judged: &mut JudgedSubmission| {
            for result in judged.results.cases.iter_mut().filter(|result| slow && result.usage.cpu > limit) {
                if matches!(result.verdict, Verdict::Accepted | Verdict::WrongAnswer | Verdict::PresentationError) {
                    result.verdict = Verdict::TimeLimit;
                }
            }
            // A time near the limit may be due to a disturbed run, so the result is not reused and the time is measured
            // again.
            let near = must_be_accepted(expected) && slowest(&judged.results.cases).times(ACCEPTED_TO_LIMIT) > limit;
            !near && violations(expected, ProblemType::default(), &judged.results).is_empty()
        };
        let judged = self.verifier.judge(request, source, self.limits, step, complete)?;
        judged.fault.clone().map_or(Ok(judged), |fault| Err(fault.context(&solution.name).into()))
    }

    /// Returns the CPU time limit for this program, which depends on its language.
    fn limit(&self, source: &Source) -> Result<TimeSpan, Failure> {
        Ok(match self.verifier.service.host().languages().build(source, 0)? {
            BuildOutcome::Ready(built) => built.program.limits(&self.limits).cpu,
            BuildOutcome::Rejected { .. } => self.limits.cpu,
        })
    }
}
