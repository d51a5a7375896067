//! Options for judging, such as the cases to judge and when to stop.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::data::{Case, Store};
use crate::judge::{CaseFiles, OutputUse, Plan, PlanCase, PlanGroup, Stop};
use crate::lang::SourceBundle;
use crate::model::{ByteSize, Diagnostic, Failure, Limits, ProblemId, RawBytes, TimeSpan};
use crate::problem::{Judging, Problem, Protocol};

use super::cache::Cache;
use super::case_names::is_selected;
use super::checker_option::{CheckerOption, OwnAuxProgram};

/// Options for judging. By default all cases are judged.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct JudgeOptions {
    /// The names of the cases and groups to judge. If the list is empty, all cases are judged.
    #[serde(default)]
    pub only: Vec<String>,
    /// Whether to stop at the first failure. If the plan of a native problem has points, only the remaining cases of
    /// the group are skipped; otherwise, all remaining cases are skipped.
    #[serde(default)]
    pub fail_fast: bool,
    /// Whether to skip the cases after a case that exceeded the time, idle, memory or output limit, if they can no
    /// longer change the verdict or the points. The skipped cases would probably take long too.
    #[serde(default)]
    pub skip_certain: bool,
    /// Whether to stop each group of a native problem at its first failure.
    #[serde(default)]
    pub stop_groups: bool,
    /// A CPU time limit that overrides the problem's, if any.
    #[serde(default)]
    pub time: Option<TimeSpan>,
    /// A memory limit that overrides the problem's, if any.
    #[serde(default)]
    pub memory: Option<ByteSize>,
    /// A checker that replaces the problem's checker, if any.
    #[serde(default)]
    pub checker: Option<CheckerOption>,
    /// An interactor that replaces the problem's interactor, if any.
    #[serde(default)]
    pub interactor: Option<OwnAuxProgram>,
    /// Whether to judge the groups of a native problem, and the cases in each group, with the largest inputs first.
    /// Groups then neither require other groups nor earn points.
    #[serde(default)]
    pub largest_first: bool,
    /// Whether no other program may run concurrently with the program on any case, even in its first run. A program
    /// that exceeds the time limit is then stopped at 1.25 times the limit. In a run concurrent with other programs, it
    /// is stopped only at twice the limit.
    #[serde(default)]
    pub alone: bool,
    /// The inputs to judge instead of the cases. If the list is empty, the cases are judged.
    #[serde(default)]
    pub inputs: Vec<CustomInput>,
}

/// An input that is not a case of the problem.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CustomInput {
    /// The name of the input in messages.
    pub name: String,
    /// The content of the input.
    pub content: RawBytes,
    /// The program that computes the answer. If it is `None`, the reference solution of a native problem computes the
    /// answer, if there is one.
    #[serde(default)]
    pub answered_by: Option<SourceBundle>,
    /// The answer to the input, for a package; it is used if `answered_by` is `None`. If both are `None`, no output is
    /// checked. For a native problem, this field is ignored.
    #[serde(default)]
    pub answer: Option<RawBytes>,
}

impl JudgeOptions {
    /// Creates the plan for a native problem with the cases `cases`.
    ///
    /// # Errors
    /// Fails if [`JudgeOptions::only`] names a case or group that the problem does not have.
    pub(super) fn plan(&self, problem: &Problem, cases: &[Case], store: &Store) -> Result<Plan, Diagnostic> {
        self.check_names(problem, cases)?;
        let mut groups: Vec<PlanGroup> = Vec::new();
        let mut kept: Vec<Option<usize>> = Vec::new();
        let common = Arc::new(problem.judging.clone());
        for (index, group) in problem.groups.iter().enumerate() {
            let judging = group.judging.as_ref().map_or_else(|| common.clone(), |own| Arc::new(own.clone()));
            let files = |case: &Case| CaseFiles {
                input: store.path(&case.input.digest),
                answer: store.path(&case.answer.digest),
            };
            let chosen: Vec<PlanCase> = cases
                .iter()
                .filter(|case| case.group == index && is_selected(&self.only, &group.name, case.id.as_str()))
                .map(|case| PlanCase {
                    id: case.id.clone(),
                    files: files(case),
                    judging: judging.clone(),
                    args: Vec::new(),
                    beside: Vec::new(),
                    output_file: None,
                    text: None,
                    limits: None,
                })
                .collect();
            kept.push((!chosen.is_empty()).then_some(groups.len()));
            if !chosen.is_empty() {
                let after = group.after.iter().filter_map(|&before| kept[before]).collect();
                groups.push(PlanGroup {
                    name: group.name.clone(),
                    points: group.points.filter(|_| self.only.is_empty()),
                    after,
                    cases: chosen,
                });
            }
        }
        let groups = if self.largest_first { by_size(groups, cases) } else { groups };
        let mut plan = Plan {
            groups,
            stop: Stop::Never,
            skip_certain: self.skip_certain,
            alone: self.alone,
            part: !self.only.is_empty() || self.largest_first,
            rules: None,
            outputs: OutputUse::Checked,
        };
        if self.fail_fast {
            plan.stop = if plan.scored() { Stop::InGroup } else { Stop::InRun };
        } else if self.stop_groups {
            plan.stop = Stop::InGroup;
        }
        Ok(plan)
    }

    /// Replaces the checker and the interactor of all cases of a plan for `problem` with those that the options specify, if any.
    ///
    /// # Errors
    /// Fails if a checker is specified for cases with an interactor, unless both use the protocol `testlib`, or if the
    /// cache can't be written.
    pub(super) fn replace_judging(&self, problem: &ProblemId, plan: &mut Plan, cache: &Cache) -> Result<(), Failure> {
        if self.checker.is_none() && self.interactor.is_none() {
            return Ok(());
        }
        let mut replaced: Vec<(Arc<Judging>, Arc<Judging>)> = Vec::new();
        for case in plan.groups.iter_mut().flat_map(|group| &mut group.cases) {
            let known = replaced.iter().find(|(old, _)| Arc::ptr_eq(old, &case.judging));
            let judging = match known {
                Some((_, new)) => new.clone(),
                None => {
                    let new = Arc::new(self.replaced(problem, &case.judging, cache)?);
                    replaced.push((case.judging.clone(), new.clone()));
                    new
                }
            };
            case.judging = judging;
        }
        Ok(())
    }

    fn replaced(&self, problem: &ProblemId, old: &Judging, cache: &Cache) -> Result<Judging, Failure> {
        let interactor = match (&self.interactor, old) {
            (Some(own), _) => Some(own.aux_program(cache)?),
            (None, Judging::Interactor { interactor, .. }) => Some(interactor.clone()),
            (None, _) => None,
        };
        let checker = self.checker.as_ref().map(|checker| checker.judging(cache)).transpose()?;
        match (interactor, checker) {
            (None, None) => Ok(old.clone()),
            (None, Some(checker)) => Ok(checker),
            (Some(interactor), None) => Ok(Judging::Interactor { interactor, checker: None, passes: 1 }),
            (Some(interactor), Some(Judging::Checker { checker, .. }))
                if (interactor.protocol, checker.protocol) == (Protocol::Testlib, Protocol::Testlib) =>
            {
                Ok(Judging::Interactor { interactor, checker: Some(Box::new(checker)), passes: 1 })
            }
            (Some(_), Some(_)) => {
                let message = format!("{problem}: the interactor determines the verdict, so `--checker` has no effect");
                Err(Diagnostic::new(message)
                    .help("remove `--checker`, or use a testlib interactor with a testlib checker")
                    .into())
            }
        }
    }

    /// Returns `limits` with the memory limit that the options specify, if any.
    pub(super) fn with_memory(&self, limits: Limits) -> Limits {
        Limits { memory: self.memory.unwrap_or(limits.memory), ..limits }
    }

    /// Checks that the problem has all cases and groups that [`JudgeOptions::only`] names.
    ///
    /// # Errors
    /// Fails for an unknown name; the message suggests the closest name or lists the groups.
    pub(super) fn check_names(&self, problem: &Problem, cases: &[Case]) -> Result<(), Diagnostic> {
        for name in &self.only {
            let group = problem.groups.iter().any(|group| group.name == *name);
            if !group && !cases.iter().any(|case| case.id.as_str() == name) {
                let groups: Vec<&str> = problem.groups.iter().map(|group| group.name.as_str()).collect();
                let ids = cases.iter().map(|case| case.id.as_str());
                let diagnostic = Diagnostic::new(format!("{} has no case or group `{name}`", problem.id));
                return Err(match crate::yaml::nearest(name, groups.iter().copied().chain(ids)) {
                    Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
                    None => diagnostic.help(format!("groups: {}", groups.join(", "))),
                });
            }
        }
        Ok(())
    }
}

/// Sorts the groups by the sizes of their largest inputs, and the cases of each group by the sizes of their inputs, the
/// largest first. Removes the points and the requirements of the groups.
fn by_size(mut groups: Vec<PlanGroup>, cases: &[Case]) -> Vec<PlanGroup> {
    let size = |case: &PlanCase| cases.iter().find(|known| known.id == case.id).map_or(0, |known| known.input.size);
    for group in &mut groups {
        group.cases.sort_by_cached_key(|case| std::cmp::Reverse(size(case)));
        group.points = None;
        group.after.clear();
    }
    groups.sort_by_cached_key(|group| std::cmp::Reverse(group.cases.first().map_or(0, size)));
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{Comparer, ComparisonRule};
    use crate::data::Blob;
    use crate::model::{CaseId, Digest};
    use crate::problem::Judging;

    #[test]
    fn the_largest_inputs_come_first() {
        let blob = |size: u64| Blob { digest: Digest::of(&size.to_le_bytes()), size };
        let case = |group: &str, number: usize, size: u64| Case {
            id: CaseId::new(group, number),
            group: 0,
            input: blob(size),
            answer: blob(1),
        };
        let cases = [case("tiny", 1, 2), case("tiny", 2, 9), case("large", 1, 50), case("large", 2, 70)];
        let plan = |name: &str| PlanGroup {
            name: name.to_owned(),
            points: None,
            after: vec![0],
            cases: cases
                .iter()
                .filter(|case| case.id.as_str().starts_with(name))
                .map(|case| PlanCase {
                    id: case.id.clone(),
                    files: CaseFiles::default(),
                    judging: Arc::new(Judging::Compare(Comparer::new(ComparisonRule::Tokens))),
                    args: Vec::new(),
                    beside: Vec::new(),
                    output_file: None,
                    text: None,
                    limits: None,
                })
                .collect(),
        };
        let order: Vec<String> = by_size(vec![plan("tiny"), plan("large")], &cases)
            .iter()
            .flat_map(|group| group.cases.iter().map(|case| case.id.as_str().to_owned()))
            .collect();
        assert_eq!(order, ["large/002", "large/001", "tiny/002", "tiny/001"]);
    }
}
