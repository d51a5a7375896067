//! The types of a resolved problem, which is complete and consistent: keys that have a default in the file have a value
//! here.

use std::path::{Path, PathBuf};

use crate::input::Description;
use crate::model::{CaseId, Limits, ProblemId, Score};

use super::judging::{AuxProgram, Judging};
use super::rules::GameRules;

/// Name of the test group that contains the samples.
pub const SAMPLE_GROUP: &str = "sample";

/// A problem whose spec was checked and converted.
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
    /// The origin of the problem, such as a contest, if it is known.
    pub source: Option<String>,
    /// Keywords for searching.
    pub keywords: Vec<String>,
    /// The license of the statement and the data, if it is specified.
    pub license: Option<String>,
    /// The limits of submissions. If [`Problem::time`] is [`TimeLimitSource::Auto`], the CPU time limit
    /// is an upper bound for the limit that is derived from the solutions.
    pub limits: Limits,
    /// The method by which the time limit is determined.
    pub time: TimeLimitSource,
    /// The description of the input.
    pub input: Description,
    /// The description of the answer, if the problem has one.
    pub answer: Option<Description>,
    /// The method by which runs of submissions are judged.
    pub judging: Judging,
    /// Programs that validate inputs. All of them must accept every input.
    pub validators: Vec<AuxProgram>,
    /// The rules of the game and the question for each value of the answer, if the problem has a game.
    pub game: Option<GameRules>,
    /// The test groups in the order of judging. No group is empty.
    pub groups: Vec<Group>,
}

/// The method by which the time limit of a problem is determined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeLimitSource {
    /// The limit is specified in the file.
    Fixed,
    /// The limit is derived from the solutions.
    Auto,
}

/// A test group, whose cases have the same recipe and are scored together.
#[derive(Debug, Clone)]
pub struct Group {
    /// The group's name.
    pub name: String,
    /// The group's points, if it is a subtask.
    pub points: Option<Score>,
    /// The indices of the earlier groups that must be accepted for this group to be judged.
    pub after: Vec<usize>,
    /// The method by which runs in this group are judged; `None` for the method of the problem.
    pub judging: Option<Judging>,
    /// The method by which the cases are created.
    pub recipe: Recipe,
}

/// The method by which the cases of a group are created.
#[derive(Debug, Clone, PartialEq)]
pub enum Recipe {
    /// Cases whose inputs are written in `problem.yaml`.
    Given(Vec<Given>),
    /// All inputs that match a description, in the order of their values.
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
        /// The name in the answer whose words must be equally frequent among the cases, if any.
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
        /// The name in the answer whose words must be equally frequent among the cases, if any.
        balance: Option<Balance>,
    },
}

/// A case whose input is written in `problem.yaml`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given {
    /// The text of the input.
    pub input: String,
    /// The text of the answer; `None` if `problem.yaml` does not contain it.
    pub answer: Option<String>,
    /// An explanation of the case that the statement shows, if there is one.
    pub note: Option<String>,
}

/// A name in the answer whose words must be equally frequent among the cases of a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Balance {
    /// The name, which the description of the answer declares as a choice of words.
    pub name: String,
    /// The words of the choice. The cases of the group require these words in turn.
    pub words: Vec<String>,
}

impl Group {
    /// Returns the number of cases in the group.
    pub fn count(&self) -> usize {
        match &self.recipe {
            Recipe::Given(cases) => cases.len(),
            Recipe::Every { count, .. } | Recipe::Random { count, .. } | Recipe::Program { count, .. } => *count,
        }
    }

    /// Returns the id of the case with the given index in the group, from 0.
    pub fn case(&self, index: usize) -> CaseId {
        CaseId::new(&self.name, index + 1)
    }
}

impl Problem {
    /// Returns the samples that the statement shows: the given cases of the group [`SAMPLE_GROUP`].
    pub fn samples(&self) -> &[Given] {
        let sample = self.groups.iter().find(|group| group.name == SAMPLE_GROUP);
        match sample.map(|group| &group.recipe) {
            Some(Recipe::Given(cases)) => cases,
            _ => &[],
        }
    }

    /// Returns the folder of the problem's solutions: `solutions` in the problem's folder if it exists, otherwise a
    /// folder named by the problem's id in `solutions` next to the folder of problems.
    pub fn solutions(&self) -> PathBuf {
        let own = self.dir.join("solutions");
        let beside = self.dir.parent().and_then(Path::parent).map(|root| root.join("solutions").join(self.id.as_str()));
        match beside {
            Some(beside) if !own.is_dir() => beside,
            _ => own,
        }
    }

    /// Returns the path of the statement in a language, given by its code. The file name of the English statement
    /// contains no code.
    pub fn statement(&self, language: Option<&str>) -> PathBuf {
        match language {
            None | Some("en") => self.dir.join("statement.md"),
            Some(language) => self.dir.join(format!("statement.{language}.md")),
        }
    }

    /// Returns the codes of the languages for which the folder has a file `statement.CODE.md`, sorted.
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
