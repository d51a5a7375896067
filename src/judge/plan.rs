//! The plan of a run: which cases are judged, in which order, and which are skipped.

use std::path::PathBuf;
use std::sync::Arc;

use crate::model::{CaseId, Grading, Score};
use crate::problem::{AuxProgram, Judging};

use super::scoring::max_points;

/// The cases of a run in their order, group by group.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The groups in order, each with at least one case.
    pub groups: Vec<PlanGroup>,
    /// Which cases are skipped after a failure.
    pub stop: Stop,
    /// Whether cases are skipped that can cost much time and can no longer change the verdict or the points: those after a
    /// time, idle, memory or output limit was exceeded.
    pub skip_certain: bool,
    /// Whether every case is run alone from the start.
    pub alone: bool,
    /// Whether the plan has only a part of the problem's cases. It then earns no points.
    pub part: bool,
    /// The rules of a tree of groups, for packages whose groups are more than subtasks. They number the cases of all groups.
    pub rules: Option<GroupRules>,
    /// What is done with the outputs of the program.
    pub outputs: OutputUse,
}

/// What is done with the outputs of the program in a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum OutputUse {
    /// They are checked.
    #[default]
    Checked,
    /// They are checked, and the output of the last case is part of the evidence.
    CheckedAndKept,
    /// The output of the last case is part of the evidence. No output is checked: a case in which the program ends
    /// within its limits is accepted.
    Kept,
}

/// The rules of a tree of groups.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupRules {
    /// The tree of groups, each with its rule.
    pub tree: Grading,
    /// Whether there are points; otherwise a program is accepted or not.
    pub scored: bool,
    /// The package's custom grader, if it has one.
    pub grader: Option<AuxProgram>,
}

/// A test group of a plan.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanGroup {
    /// The name in events and messages.
    pub name: String,
    /// The points of a subtask; `None` if the group earns no points.
    pub points: Option<Score>,
    /// The earlier groups, by index, that must be accepted before it is run.
    pub after: Vec<usize>,
    /// The cases of the group, in order.
    pub cases: Vec<PlanCase>,
}

/// A test case of a plan.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanCase {
    /// The name in events and messages.
    pub id: CaseId,
    /// The input and answer files.
    pub files: CaseFiles,
    /// The checker of the output.
    pub judging: Arc<Judging>,
    /// The program's arguments.
    pub args: Vec<String>,
    /// Files for the program's working directory, as (name there, path).
    pub beside: Vec<(String, PathBuf)>,
    /// The file in the working directory whose content is the output, if the program writes it; otherwise standard output is.
    pub output_file: Option<String>,
    /// The static validator that judges the program's source, in a case in which the program is not run.
    pub text: Option<Arc<AuxProgram>>,
}

/// The files of a case.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CaseFiles {
    /// Blob or path of the input.
    pub input: PathBuf,
    /// The answer file.
    pub answer: PathBuf,
}

/// Which cases are skipped after a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// No case is skipped.
    Never,
    /// A group ends at its first failure.
    InGroup,
    /// The run ends at its first failure.
    InRun,
}

impl Plan {
    /// The number of cases in all groups.
    pub fn cases(&self) -> usize {
        self.groups.iter().map(|group| group.cases.len()).sum()
    }

    /// Whether there are points: a group is a subtask, or the rules give them.
    pub fn scored(&self) -> bool {
        self.rules.as_ref().is_some_and(|rules| rules.scored) || self.groups.iter().any(|group| group.points.is_some())
    }

    /// The maximum points: the sum over the subtasks, or 100 without subtasks.
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

    /// The group and the case at this place in the order.
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
