//! The plan of a run: the cases that are judged, their order, and the rules by which cases are skipped.

use std::path::PathBuf;
use std::sync::Arc;

use crate::model::{CaseId, CaseLimits, Grading, Score};
use crate::problem::{AuxProgram, Judging, SAMPLE_GROUP};

use super::scoring::max_points;

/// The test groups of a run with their cases in judging order, and the rules by which cases are skipped and scored.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The groups in judging order, each with at least one case.
    pub groups: Vec<PlanGroup>,
    /// The rule by which cases are skipped after a failure.
    pub stop: Stop,
    /// Whether cases are skipped after a time, idle, memory or output limit was exceeded, if they can no longer change
    /// the verdict or the points. The skipped cases would probably take long too.
    pub skip_certain: bool,
    /// Whether no run of the program is concurrent with runs of other programs. If false, only repeated runs are not,
    /// such as a run that is repeated because its time was close to the limit.
    pub alone: bool,
    /// Whether the plan has only some of the problem's cases. Such a plan has no points.
    pub part: bool,
    /// The rules of a package whose groups form a tree. They refer to cases by their index among the cases of all
    /// groups. `None` if the groups are only subtasks.
    pub rules: Option<GroupRules>,
    /// The use of the program's outputs.
    pub outputs: OutputUse,
}

/// The use of the program's outputs in a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum OutputUse {
    /// All outputs are checked.
    #[default]
    Checked,
    /// All outputs are checked, and the output of the case that was judged last is returned with the results.
    CheckedAndKept,
    /// The output of the case that was judged last is returned with the results. No output is checked: a case is
    /// accepted if the program exits with code 0 within its limits.
    Kept,
}

/// A package's tree of test groups, with the rules by which the groups are scored.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupRules {
    /// The tree of groups, each with its rule.
    pub tree: Grading,
    /// Whether the rules define points. Otherwise, the rules determine only whether a program is accepted.
    pub scored: bool,
    /// The package's custom grader, if it has one.
    pub grader: Option<AuxProgram>,
}

/// A test group of a plan.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanGroup {
    /// The name in events and messages.
    pub name: String,
    /// The maximum points of a subtask; `None` if the group is not a subtask with points.
    pub points: Option<Score>,
    /// The indices of the earlier groups that must be accepted for this group to be run.
    pub after: Vec<usize>,
    /// The cases of the group, in judging order.
    pub cases: Vec<PlanCase>,
}

/// A test case of a plan.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanCase {
    /// The name in events and messages.
    pub id: CaseId,
    /// The input and answer files.
    pub files: CaseFiles,
    /// The method by which the output is judged.
    pub judging: Arc<Judging>,
    /// The command-line arguments of the program.
    pub args: Vec<String>,
    /// Files for the program's working directory, as pairs of the name in that directory and the path of the original
    /// file.
    pub beside: Vec<(String, PathBuf)>,
    /// The file in the working directory whose content is the output; `None` if standard output is the output.
    pub output_file: Option<String>,
    /// The static validator that judges the program's source without running the program; `None` if the program is run.
    pub text: Option<Arc<AuxProgram>>,
    /// The differences between the limits of the case and those of the problem; `None` if there are none.
    pub limits: Option<Arc<CaseLimits>>,
}

/// The paths of the input and the answer of a case.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CaseFiles {
    /// The path of the input file.
    pub input: PathBuf,
    /// The path of the answer file.
    pub answer: PathBuf,
}

/// The rule by which cases are skipped after a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// No case is skipped.
    Never,
    /// After the first failure in a group, the remaining cases of the group are skipped.
    InGroup,
    /// After the first failure in the run, all remaining cases are skipped.
    InRun,
}

impl Plan {
    /// Returns the number of cases in all groups.
    pub fn cases(&self) -> usize {
        self.groups.iter().map(|group| group.cases.len()).sum()
    }

    /// Returns true if the plan has points: a group is a subtask, or the rules define points.
    pub fn scored(&self) -> bool {
        self.rules.as_ref().is_some_and(|rules| rules.scored) || self.groups.iter().any(|group| group.points.is_some())
    }

    /// Returns the maximum points: those of the rules, otherwise the sum over the subtasks, otherwise 100. A plan with
    /// only some of the cases has no points.
    pub fn max_score(&self) -> Score {
        if self.part {
            return Score::ZERO;
        }
        if !self.scored() {
            return Score::points(100);
        }
        if let Some(rules) = &self.rules {
            return max_points(&rules.tree).score();
        }
        self.groups.iter().filter_map(|group| group.points).fold(Score::ZERO, Score::plus)
    }

    /// Returns true if the first case is a sample on which the program is run.
    pub fn starts_with_sample(&self) -> bool {
        self.case(0).is_some_and(|(group, case)| group.name == SAMPLE_GROUP && case.text.is_none())
    }

    /// Returns the group and the case for an index among the cases of all groups; `None` if the index is too large.
    pub fn case(&self, index: usize) -> Option<(&PlanGroup, &PlanCase)> {
        let mut left = index;
        for group in &self.groups {
            if let Some(case) = group.cases.get(left) {
                return Some((group, case));
            }
            left -= group.cases.len();
        }
        None
    }
}
