//! What is to be judged, in which order, and when to stop.

use std::path::PathBuf;
use std::sync::Arc;

use crate::model::{CaseId, Grading, Score};
use crate::problem::{AuxProgram, Judging};

use super::scoring::max_points;

/// The cases of a run in their order, group by group.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The groups. None is empty.
    pub groups: Vec<PlanGroup>,
    /// When cases are left out after a failure.
    pub stop: Stop,
    /// Whether cases are skipped that can cost much time and can no longer change the verdict or the points: those after a
    /// time, idle or memory limit was exceeded.
    pub skip_certain: bool,
    /// Whether it is only a part of the problem's cases, which earns no points.
    pub part: bool,
    /// The rules of a tree of groups, where these are more than subtasks. Cases are counted through all groups.
    pub rules: Option<Rules>,
}

/// The rules of a tree of groups.
#[derive(Debug, Clone, PartialEq)]
pub struct Rules {
    /// The tree, with the rule of each group.
    pub tree: Grading,
    /// Whether there are points; else a program is accepted or not.
    pub scored: bool,
    /// The package's own grader, if groups are graded by one.
    pub grader: Option<AuxProgram>,
}

/// A test group.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanGroup {
    /// Its name.
    pub name: String,
    /// What it is worth, if it is a subtask.
    pub points: Option<Score>,
    /// The earlier groups, by index, that must be accepted before it is run.
    pub after: Vec<usize>,
    /// Its cases.
    pub cases: Vec<PlanCase>,
}

/// A test case.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanCase {
    /// Its name.
    pub id: CaseId,
    /// Where its data is.
    pub files: CaseFiles,
    /// How a run on it is judged.
    pub judging: Arc<Judging>,
    /// The program's arguments.
    pub args: Vec<String>,
    /// Files in the program's working directory: their names there, and where they are.
    pub beside: Vec<(String, PathBuf)>,
    /// The file there whose content is the output, if the program writes it; else what it prints is.
    pub output_file: Option<String>,
    /// What judges the program's text, in a case in which it is not run.
    pub text: Option<Arc<AuxProgram>>,
}

/// Where a case's data is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CaseFiles {
    /// The input file.
    pub input: PathBuf,
    /// The answer file.
    pub answer: PathBuf,
}

/// When cases are left out after a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// Every case is run.
    Never,
    /// A group ends at its first failure.
    InGroup,
    /// The run ends at its first failure.
    InRun,
}

impl Plan {
    /// How many cases there are.
    pub fn cases(&self) -> usize {
        self.groups.iter().map(|group| group.cases.len()).sum()
    }

    /// Whether there are points: a group is a subtask, or the rules give them.
    pub fn scored(&self) -> bool {
        self.rules.as_ref().is_some_and(|rules| rules.scored) || self.groups.iter().any(|group| group.points.is_some())
    }

    /// The most points there are: the sum over the subtasks, or 100 where there are none.
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
