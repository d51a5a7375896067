//! A resolved problem, which is complete and consistent. Keys that are optional in the file always have values in these
//! types.

use std::path::{Path, PathBuf};

use crate::input::Description;
use crate::model::{CaseId, Limits, ProblemId, Score};

use super::judging::{AuxProgram, Judging};
use super::rules::GameRules;

/// A resolved problem.
#[derive(Debug, Clone)]
pub struct Problem {
    /// The problem's id, which is the name of its folder.
    pub id: ProblemId,
    /// The problem's folder.
    pub dir: PathBuf,
    /// The text of `problem.yaml`.
    pub text: String,
    /// The displayed name.
    pub name: String,
    /// The origin of the problem, such as a contest.
    pub source: Option<String>,
    /// Keywords for searching.
    pub keywords: Vec<String>,
    /// The licence of the statement and the data.
    pub license: Option<String>,
    /// Limits of submissions. If [`Problem::time`] is automatic, the time in these limits is the maximum that is tried.
    pub limits: Limits,
    /// How the time limit is determined.
    pub time: TimeLimitSource,
    /// The description of the input.
    pub input: Description,
    /// The description of the answer, if the problem has one.
    pub answer: Option<Description>,
    /// How runs of submissions are judged.
    pub judging: Judging,
    /// Programs that validate every input. All must accept it.
    pub validators: Vec<AuxProgram>,
    /// The rules of the game, and the questions that the answer replies to.
    pub game: Option<GameRules>,
    /// The test groups in the order of judging. No group is empty.
    pub groups: Vec<Group>,
}

/// The ways in which a time limit is determined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeLimitSource {
    /// The limit is given in the file.
    Fixed,
    /// The limit is derived from the solutions.
    Auto,
}

/// A test group, whose cases have one recipe and are scored together.
#[derive(Debug, Clone)]
pub struct Group {
    /// The group's name.
    pub name: String,
    /// The group's points, if it is a subtask.
    pub points: Option<Score>,
    /// Indices of the earlier groups that must be accepted first.
    pub after: Vec<usize>,
    /// The method of judging runs in this group; `None` if it is that of the problem.
    pub judging: Option<Judging>,
    /// How the cases are created.
    pub recipe: Recipe,
}

/// How the cases of a group are created.
#[derive(Debug, Clone, PartialEq)]
pub enum Recipe {
    /// The cases are given.
    Given(Vec<Given>),
    /// All inputs that match a description, in order.
    Every {
        /// The description with narrowed ranges.
        description: Description,
        /// The number of inputs.
        count: usize,
    },
    /// Random inputs that match a description.
    Random {
        /// The description with narrowed ranges.
        description: Description,
        /// The number of cases.
        count: usize,
        /// A word of the answer whose values must be equally frequent.
        balance: Option<Balance>,
    },
    /// Inputs printed by a generator.
    Program {
        /// The generator's source file.
        file: PathBuf,
        /// The generator's arguments. The alternatives of each are assigned to the cases in turn.
        args: Vec<Vec<String>>,
        /// The number of cases.
        count: usize,
        /// A word of the answer whose values must be equally frequent.
        balance: Option<Balance>,
    },
}

/// A case whose input is given in `problem.yaml`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given {
    /// The text of the input.
    pub input: String,
    /// The text of the answer, if it is given.
    pub answer: Option<String>,
    /// An explanation for the statement.
    pub note: Option<String>,
}

/// A word of the answer whose values must be equally frequent in a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Balance {
    /// The word's name in the description of the answer.
    pub name: String,
    /// The values of the word.
    pub words: Vec<String>,
}

impl Group {
    /// The number of cases in the group.
    pub fn count(&self) -> usize {
        match &self.recipe {
            Recipe::Given(cases) => cases.len(),
            Recipe::Every { count, .. } | Recipe::Random { count, .. } | Recipe::Program { count, .. } => *count,
        }
    }

    /// The id of the case with this index, counted from 0.
    pub fn case(&self, index: usize) -> CaseId {
        CaseId::new(&self.name, index + 1)
    }
}

impl Problem {
    /// The given cases that the statement shows as samples: those of the group `sample`.
    pub fn samples(&self) -> &[Given] {
        let sample = self.groups.iter().find(|group| group.name == "sample");
        match sample.map(|group| &group.recipe) {
            Some(Recipe::Given(cases)) => cases,
            _ => &[],
        }
    }

    /// The folder of solutions: in the problem's folder, or next to the folder of problems.
    pub fn solutions(&self) -> PathBuf {
        let own = self.dir.join("solutions");
        let beside = self.dir.parent().and_then(Path::parent).map(|root| root.join("solutions").join(self.id.as_str()));
        match beside {
            Some(beside) if !own.is_dir() => beside,
            _ => own,
        }
    }

    /// The file of the statement in this language. English statements have no language code in the name.
    pub fn statement(&self, language: Option<&str>) -> PathBuf {
        match language {
            None | Some("en") => self.dir.join("statement.md"),
            Some(language) => self.dir.join(format!("statement.{language}.md")),
        }
    }

    /// The codes of the languages other than English in which there is a statement, sorted.
    ///
    /// # Errors
    /// Fails if the folder can't be read.
    pub fn translations(&self) -> std::io::Result<Vec<String>> {
        let names = fs_err::read_dir(&self.dir)?.flatten();
        let names = names.map(|entry| entry.file_name().to_string_lossy().into_owned());
        let language = |name: String| Some(name.strip_prefix("statement.")?.strip_suffix(".md")?.to_owned());
        let mut found: Vec<String> = names.filter_map(language).filter(|language| !language.is_empty()).collect();
        found.sort_unstable();
        Ok(found)
    }
}
