//! Runs all checks of a native problem. Most run one after another, since checks use the results of earlier checks.

use crate::data::Lock;
use crate::model::{Failure, counted};
use crate::problem::Problem;
use crate::runner::{Prepared, broken_lock};
use crate::service::JudgeService;
use crate::workers::at_the_same_time;

use super::check_result::{Check, Status};
use super::judged_program::Verifier;
use super::matrix::{CheckSink, Matrix};
use super::result_cache::ResultCache;
use super::solutions::{build_all, judge_all};
use super::step::Step;
use super::strength::{self, Strength};
use super::{determinism, format, margins, oracle, statement};

/// Options of verification.
#[derive(Clone, Copy)]
pub struct VerifyOptions<'a> {
    /// Whether skipped checks are failures.
    pub strict: bool,
    /// Whether a solution that is expected to fail is stopped at its first failing case.
    pub fail_fast: bool,
    /// Settings for measuring the strength of the tests; `None` to skip the measurement.
    pub strength: Option<Strength<'a>>,
    /// Whether all programs are judged, even programs that met their expectations earlier and have not changed since.
    pub again: bool,
    /// Minimum number of positions on which the reference is compared with the rules of its game. If a problem has fewer
    /// positions, all of them are compared.
    pub positions: usize,
    /// A function that receives each step of the verification.
    pub progress: &'a (dyn Fn(&Step) + Sync),
}

/// Verifies a native problem, and passes each check to `say` when it is done. `matrix` receives the verdicts.
///
/// # Errors
/// Fails if a check can't be performed, or if `say` fails. Both end the verification.
pub(super) fn verify_native(
    service: &JudgeService,
    problem: Problem,
    options: VerifyOptions<'_>,
    matrix: &mut Matrix,
    say: &mut CheckSink<'_>,
) -> Result<(), Failure> {
    say(spec(&problem))?;
    statement::checks(&problem).into_iter().try_for_each(&mut *say)?;
    let host = service.host();
    build_all(host, &problem, options.progress)?;
    let prepared = service.prepare_problem(problem)?;
    let generating = |done, all| (options.progress)(&Step::generating(done, all));
    let data = match prepared.data(host, &generating) {
        Ok(data) => data,
        Err(Failure::Complaint(complaint)) => {
            say(Check::new("inputs", Status::Fail, described(&complaint)))?;
            return Ok(());
        }
        Err(fault) => return Err(fault),
    };
    let (Some(problem), Some(data)) = (prepared.problem(), data) else { return Ok(()) };
    format::checks(problem, data, host.store())?.into_iter().try_for_each(&mut *say)?;
    say(lock(problem, data))?;
    let cache = ResultCache::open(host, &problem.dir, options.again)?;
    let again = "generating the test data again";
    (options.progress)(&Step::new(match problem.game {
        Some(_) => format!("{again}, and comparing the reference with the rules of the game"),
        None => again.to_owned(),
    }));
    // Both mostly use one processor each. No times are measured here.
    let compare = || oracle::check(host, &prepared, &cache, options.positions);
    let (compared, generated) = at_the_same_time(compare, || determinism::check(host, problem, data));
    say(generated?)?;
    match compared? {
        Ok(check) => check.map_or(Ok(()), &mut *say)?,
        Err(Failure::Complaint(complaint)) => say(Check::new("oracle", Status::Fail, described(&complaint)))?,
        Err(fault) => return Err(fault),
    }
    *matrix = judge_all(&Verifier { service, prepared: &prepared, cache: &cache, options }, say)?;
    margins::check(matrix).map_or(Ok(()), &mut *say)?;
    if let Some(strength) = options.strength {
        (options.progress)(&Step::new("running mutants of the reference on the tests"));
        say(strength::check(host, &prepared, strength)?)?;
    }
    cache.remove_unused();
    Ok(())
}

/// Formats the message, the position and the help of a diagnostic, without an excerpt of the source.
pub(super) fn described(complaint: &crate::model::Diagnostic) -> String {
    let place = complaint.line_and_column().map(|(line, column)| format!(" (line {line}, column {column})"));
    let help = complaint.help.as_ref().map(|help| format!("; {help}"));
    format!("{}{}{}", complaint.message, place.unwrap_or_default(), help.unwrap_or_default())
}

fn spec(problem: &Problem) -> Check {
    let cases: usize = problem.groups.iter().map(crate::problem::Group::count).sum();
    let groups = counted(problem.groups.len(), "group", "groups");
    let detail = format!("{} in {groups}", counted(cases, "case", "cases"));
    Check::new("spec", Status::Pass, detail).with("cases", cases).with("groups", problem.groups.len())
}

fn lock(problem: &Problem, prepared: &Prepared) -> Check {
    if let Some(complaint) = broken_lock(problem, &prepared.lock) {
        let check = Check::new("lock", Status::Fail, described(&complaint));
        return match &prepared.lock {
            Lock::Broken(lines) => check.with("differences", lines.len()),
            _ => check,
        };
    }
    match prepared.lock {
        Lock::Absent => {
            let dir = problem.dir.display();
            let detail = format!("there is no `tests.lock`; create it with `nimatron generate {dir} --update-lock`");
            Check::new("lock", Status::Skip, detail)
        }
        _ => Check::new("lock", Status::Pass, "the data matches `tests.lock`"),
    }
}
