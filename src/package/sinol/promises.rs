//! Reads `sinol_expected_scores`: the points and the status that each solution is expected to receive in each group.

use std::collections::BTreeMap;

use crate::model::{Diagnostic, Score, Verdict};

use super::super::package_model::{ExpectedOutcome, SubmissionExpectation};
use super::super::yaml_map::{YamlMap, scalar};
use super::config::{ContestType, group, points};

use Verdict::{
    Accepted, CompileError, Forbidden, IdleLimit, MemoryLimit, OutputLimit, Partial, PresentationError, RuntimeError,
    TimeLimit, WrongAnswer,
};

/// The statuses of sinol-make with their verdicts, from worst to best. A group has the status of its worst test.
const STATUSES: [(&str, &[Verdict]); 6] = [
    ("CE", &[CompileError]),
    ("TL", &[TimeLimit, IdleLimit]),
    ("ML", &[MemoryLimit]),
    ("RE", &[RuntimeError, Forbidden, OutputLimit]),
    ("WA", &[WrongAnswer, PresentationError]),
    ("OK", &[Accepted, Partial]),
];

/// The expected results of the solutions of a package.
#[derive(Debug, Default)]
pub(super) struct Promises {
    /// The expected results by the file name of the solution.
    pub(super) files: BTreeMap<String, FilePromise>,
    /// Whether a program only passes or fails, so that its points are 0 or 1.
    pass_fail: bool,
}

/// The expected result of one solution.
#[derive(Debug, Default)]
pub(super) struct FilePromise {
    /// The total points; `None` if they are not specified.
    total: Option<Score>,
    groups: BTreeMap<u32, GroupPromise>,
}

#[derive(Debug)]
struct GroupPromise {
    points: Option<Score>,
    /// The index in [`STATUSES`]; `None` if no status is specified.
    status: Option<usize>,
}

impl Promises {
    pub(super) fn take(
        keys: &mut YamlMap<'_>,
        contest: ContestType,
        notes: &mut Vec<String>,
    ) -> Result<Promises, Diagnostic> {
        let mut promises = Promises { files: BTreeMap::new(), pass_fail: contest == ContestType::Icpc };
        let Some(mut map) = keys.map("sinol_expected_scores")? else { return Ok(promises) };
        for file in map.names() {
            let Some(mut own) = map.map(&file)? else { continue };
            let mut promise = FilePromise { total: points(&mut own, "points")?, groups: BTreeMap::new() };
            if let Some(mut expected) = own.map("expected")? {
                for key in expected.names() {
                    promise.groups.insert(group(&expected, &key)?, group_promise(&mut expected, &key)?);
                }
            }
            own.finish(notes);
            promises.files.insert(file, promise);
        }
        Ok(promises)
    }
}

/// Takes the value of `key`, which is a map with points and a status, or only the status, and returns the expected
/// result in a group.
fn group_promise(map: &mut YamlMap<'_>, key: &str) -> Result<GroupPromise, Diagnostic> {
    if !map.is_map(key) {
        let text = map.take(key).as_ref().and_then(scalar);
        let status = text.as_deref().and_then(status);
        return match status {
            Some(_) => Ok(GroupPromise { points: None, status }),
            None => Err(map.error(key, expected_status())),
        };
    }
    let Some(mut own) = map.map(key)? else { return Ok(GroupPromise { points: None, status: None }) };
    let points = points(&mut own, "points")?;
    let status = match own.string("status")? {
        None => None,
        Some(text) => Some(status(&text).ok_or_else(|| own.error("status", expected_status()))?),
    };
    Ok(GroupPromise { points, status })
}

fn expected_status() -> String {
    let names: Vec<&str> = STATUSES.iter().rev().map(|(name, _)| *name).collect();
    format!("expected one of: `{}`", names.join("`, `"))
}

fn status(text: &str) -> Option<usize> {
    let text = match text.trim() {
        "TLE" => "TL",
        "MLE" => "ML",
        other => other,
    };
    STATUSES.iter().position(|(name, _)| *name == text)
}

/// Returns the glob of the cases of a group. The cases of group 0 are the samples and the test runs.
fn glob(group: u32) -> String {
    if group == 0 { "{sample,ocen}".to_owned() } else { format!("group{group}") }
}

/// Returns the expected results of a solution. A model solution without specified results is expected to be accepted.
pub(super) fn expectations(
    file: &str,
    promises: &Promises,
    dependencies: &BTreeMap<u32, Vec<u32>>,
    is_model: bool,
) -> Vec<SubmissionExpectation> {
    let want = |source: &str, cases, outcome| SubmissionExpectation { source: source.to_owned(), cases, outcome };
    let Some(promise) = promises.files.get(file) else {
        let accepted = || want("model solution", None, ExpectedOutcome::Final(vec![Accepted]));
        return is_model.then(accepted).into_iter().collect();
    };
    let mut found = Vec::new();
    for (group, promised) in &promise.groups {
        let source = format!("sinol_expected_scores, group {group}");
        match promised.status {
            Some(0) => found.push(want(&source, None, ExpectedOutcome::Final(vec![CompileError]))),
            Some(status) => {
                let permitted = STATUSES[status..].iter().flat_map(|(_, verdicts)| *verdicts).copied().collect();
                found.push(want(&source, Some(glob(*group)), ExpectedOutcome::Permitted(permitted)));
                // The status may be caused by a test of another group on which this group depends.
                let with_others = [*group].into_iter().chain(dependencies.get(group).into_iter().flatten().copied());
                let with_others: Vec<String> = with_others.map(glob).collect();
                let glob = format!("{{{}}}", with_others.join(","));
                found.push(want(&source, Some(glob), ExpectedOutcome::Required(STATUSES[status].1.to_vec())));
            }
            None => {}
        }
        if let Some(points) = promised.points.filter(|_| !promises.pass_fail && *group > 0) {
            let points = points.as_points();
            found.push(want(&source, Some(glob(*group)), ExpectedOutcome::Score(points, points)));
        }
    }
    let failures = || STATUSES.iter().flat_map(|(_, verdicts)| *verdicts).copied().filter(|one| !one.accepted());
    let total = promise.total.map(|total| match (promises.pass_fail, total == Score::ZERO) {
        (true, true) => ExpectedOutcome::Final(failures().collect()),
        (true, false) => ExpectedOutcome::Final(vec![Accepted]),
        (false, _) => ExpectedOutcome::Score(total.as_points(), total.as_points()),
    });
    found.extend(total.map(|outcome| want("sinol_expected_scores", None, outcome)));
    found
}
