//! All checks of one problem, in order. What a check needs comes from the ones before it.

use std::path::Path;

use crate::data::Lock;
use crate::model::{EventKind, Failure, Fault, FaultKind, Outcome, Span, Verdict};
use crate::problem::{Problem, load};
use crate::run::{Arena, Options, Prepared, Solution, solutions};

use super::check_result::{Check, Status};
use super::expectation::{EXPECTATIONS, Expectation};
use super::strength::{self, Strength};
use super::{oracle, statement};

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
    /// Its verdict in each group: the first that is not accepted, or accepted; none where it was not judged.
    pub verdicts: Vec<Option<Verdict>>,
    /// The CPU time of its slowest case.
    pub slowest: Span,
    /// What it got is not what its folder promises.
    pub unexpected: bool,
}

/// Checks the problem in this folder and tells each check as it is done; the strength of its tests only if asked.
/// True if none failed.
///
/// # Errors
/// Our own failure, which ends the checking.
pub fn verify(
    arena: &Arena,
    dir: &Path,
    strict: bool,
    strength: Option<Strength>,
    tell: &mut dyn FnMut(&Check) -> std::io::Result<()>,
) -> Result<(bool, Matrix), Failure> {
    let mut good = true;
    let mut matrix = Matrix::default();
    let mut say = |check: Check| -> Result<(), Failure> {
        good &= check.status != Status::Fail && !(strict && check.status == Status::Skip);
        tell(&check).map_err(|error| Failure::fault(FaultKind::Worker, error.to_string()))
    };
    let problem = match load(dir) {
        Ok(problem) => problem,
        Err(complaint) => {
            say(Check::new("spec", Status::Fail, described(&complaint)))?;
            return Ok((good, matrix));
        }
    };
    say(spec(&problem))?;
    statement::checks(&problem).into_iter().try_for_each(&mut say)?;
    match arena.prepare(&problem, &|_, _| {}) {
        Ok(prepared) => {
            say(data(&prepared))?;
            say(lock(&prepared))?;
            match oracle::check(arena, &problem) {
                Ok(check) => check.map_or(Ok(()), &mut say)?,
                Err(Failure::Complaint(complaint)) => say(Check::new("oracle", Status::Fail, described(&complaint)))?,
                Err(fault) => return Err(fault),
            }
            matrix = judge_all(arena, &problem, &prepared, &mut say)?;
            strength.map(|how| say(strength::check(arena, &problem, &prepared, how)?)).transpose()?;
        }
        Err(Failure::Complaint(complaint)) => say(Check::new("data", Status::Fail, described(&complaint)))?,
        Err(fault) => return Err(fault),
    }
    Ok((good, matrix))
}

/// A complaint in one line.
fn described(complaint: &crate::model::Diagnostic) -> String {
    let place = complaint.line_and_column().map(|(line, column)| format!(" (line {line}, column {column})"));
    let help = complaint.help.as_ref().map(|help| format!("; {help}"));
    format!("{}{}{}", complaint.message, place.unwrap_or_default(), help.unwrap_or_default())
}

fn spec(problem: &Problem) -> Check {
    let cases: usize = problem.groups.iter().map(crate::problem::Group::count).sum();
    let detail = format!("{cases} cases in {} groups", problem.groups.len());
    Check::new("spec", Status::Pass, detail).with("cases", cases).with("groups", problem.groups.len())
}

fn data(prepared: &Prepared) -> Check {
    let cases = &prepared.made.cases;
    let bytes: u64 = cases.iter().map(|case| case.input.size).sum();
    let detail = format!(
        "{} inputs valid and answered, {} in all, {} made now",
        cases.len(),
        crate::model::Bytes::new(bytes).human(),
        prepared.made.fresh
    );
    Check::new("data", Status::Pass, detail).with("cases", cases.len()).with("bytes", bytes)
}

fn lock(prepared: &Prepared) -> Check {
    match &prepared.lock {
        Lock::Holds => Check::new("lock", Status::Pass, "tests.lock holds"),
        Lock::Absent => Check::new(
            "lock",
            Status::Skip,
            "there is no tests.lock yet: `nimatron generate PROBLEM --update-lock` writes it",
        ),
        Lock::Broken(lines) => {
            let more = lines.len().saturating_sub(3);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let detail =
                format!("the data is not what tests.lock says: {}{more}", lines[..lines.len().min(3)].join(", "));
            Check::new("lock", Status::Fail, detail).with("differences", lines.len())
        }
    }
}

fn judge_all(
    arena: &Arena,
    problem: &Problem,
    prepared: &Prepared,
    say: &mut dyn FnMut(Check) -> Result<(), Failure>,
) -> Result<Matrix, Failure> {
    let groups = problem.groups.iter().map(|group| group.name.clone()).collect();
    let mut matrix = Matrix { groups, rows: Vec::new() };
    let list = solutions(problem)?;
    if list.iter().all(|solution| solution.folder != "wrong_answer") {
        say(Check::new("solutions", Status::Skip, "there is no wrong solution to show that the tests find it"))?;
    }
    for solution in list {
        let Some(expectation) = Expectation::of_folder(&solution.folder) else {
            let near = crate::yaml::nearest(&solution.folder, EXPECTATIONS.iter().map(|known| known.folder));
            let near = near.map(|name| format!("; did you mean `{name}`?")).unwrap_or_default();
            let detail = format!("the folder `{}` promises nothing that is known{near}", solution.folder);
            say(Check::new(solution.name, Status::Fail, detail))?;
            continue;
        };
        let (check, row) = judge_one(arena, problem, prepared, &solution, expectation)?;
        matrix.rows.extend(row);
        say(check)?;
    }
    Ok(matrix)
}

/// Judges one solution and holds it to its promise.
fn judge_one(
    arena: &Arena,
    problem: &Problem,
    prepared: &Prepared,
    solution: &Solution,
    expectation: Expectation,
) -> Result<(Check, Option<Row>), Failure> {
    let skip = |why: String| Ok((Check::new(&solution.name, Status::Skip, why), None));
    let source = match arena.source(&solution.path, None) {
        Ok(source) => source,
        Err(Failure::Complaint(complaint)) => {
            return Ok((Check::new(&solution.name, Status::Fail, described(&complaint)), None));
        }
        Err(fault) => return Err(fault),
    };
    if let Some(missing) = arena.missing(&source) {
        return skip(missing);
    }
    let mut verdicts: Vec<(String, Verdict)> = Vec::new();
    // One failure says enough of a program that runs into the time limit, and each costs that long.
    let options = Options { fail_fast: expectation.slow(), ..Options::default() };
    let judged = arena.judge(problem, &prepared.made.cases, &source, &solution.name, &options, &mut |event| {
        if let EventKind::CaseFinished(result) = &event.kind {
            verdicts.push((result.group.clone(), result.verdict));
        }
        Ok(())
    })?;
    let summary = judged.summary;
    let verdict = match &summary.outcome {
        Outcome::Final { verdict, .. } => *verdict,
        Outcome::Inconclusive { faults } => return Err(Fault::first_of(faults).into()),
    };
    let all: Vec<Verdict> = if verdicts.is_empty() { vec![verdict] } else { verdicts.iter().map(|v| v.1).collect() };
    let kept = expectation.check(&all);
    let slowest = summary.slowest.map_or(Span::ZERO, |(_, time)| time);
    let row = Row {
        name: solution.name.clone(),
        verdicts: problem.groups.iter().map(|group| in_group(&verdicts, &group.name)).collect(),
        slowest,
        unexpected: kept.is_err(),
    };
    let failed = all.iter().filter(|verdict| !verdict.accepted()).count();
    let (status, detail) = match kept {
        Ok(()) if expectation.accepted() => (Status::Pass, format!("AC, slowest {:.0} ms", slowest.as_millis_f64())),
        Ok(()) => (Status::Pass, format!("{verdict}, by {failed} of {} cases", all.len())),
        Err(otherwise) => (Status::Fail, otherwise),
    };
    let check = Check::new(&solution.name, status, detail)
        .with("verdict", verdict.short())
        .with("failed_cases", failed)
        .with("slowest_ms", slowest.as_micros() / 1_000);
    Ok((check, Some(row)))
}

/// The verdict in a group: the first that is not accepted, or accepted.
fn in_group(verdicts: &[(String, Verdict)], group: &str) -> Option<Verdict> {
    let mut some = None;
    for (_, verdict) in verdicts.iter().filter(|(name, _)| name == group) {
        some = Some(Verdict::Accepted);
        if !verdict.accepted() {
            return Some(*verdict);
        }
    }
    some
}
