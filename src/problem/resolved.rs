//! A problem as meant: complete and consistent. What is optional in the file has a value here.

use std::path::{Path, PathBuf};

use crate::input::Description;
use crate::model::{CaseId, Limits, ProblemId, Score};

use super::judging::{AuxProgram, Judging};
use super::rules::GameRules;

/// A problem.
#[derive(Debug, Clone)]
pub struct Problem {
    /// Its id: the name of its folder.
    pub id: ProblemId,
    /// Its folder.
    pub dir: PathBuf,
    /// The text of its `problem.yaml`.
    pub text: String,
    /// Its name, for people.
    pub name: String,
    /// Where it comes from.
    pub source: Option<String>,
    /// Words to find it by.
    pub keywords: Vec<String>,
    /// The licence of statement and data.
    pub license: Option<String>,
    /// What a program may use in each case. Where [`Problem::time`] is automatic, the time is the most that is tried.
    pub limits: Limits,
    /// Where the time limit comes from.
    pub time: Time,
    /// The input.
    pub input: Description,
    /// The answer, if it is described.
    pub answer: Option<Description>,
    /// How a program's runs are judged.
    pub judging: Judging,
    /// The programs that look at every input; all must accept it.
    pub validators: Vec<AuxProgram>,
    /// The rules of the game, and what the answer asks of it.
    pub game: Option<GameRules>,
    /// The test groups, in the order in which they are judged. None is empty.
    pub groups: Vec<Group>,
}

/// Where a time limit comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Time {
    /// From the file.
    Fixed,
    /// From the solutions.
    Auto,
}

/// A test group.
#[derive(Debug, Clone)]
pub struct Group {
    /// Its name.
    pub name: String,
    /// What it is worth, if it is a subtask.
    pub points: Option<Score>,
    /// The earlier groups, by index, that must be accepted first.
    pub after: Vec<usize>,
    /// How runs are judged in its cases, if otherwise than in the others.
    pub judging: Option<Judging>,
    /// How its cases are made.
    pub recipe: Recipe,
}

/// How cases are made.
#[derive(Debug, Clone, PartialEq)]
pub enum Recipe {
    /// They are given.
    Given(Vec<Given>),
    /// All inputs of this description, in order.
    Every {
        /// The narrowed description.
        description: Description,
        /// How many inputs there are.
        count: usize,
    },
    /// Random inputs of this description.
    Random {
        /// The narrowed description.
        description: Description,
        /// How many.
        count: usize,
        /// The answer that takes its values equally often.
        balance: Option<Balance>,
    },
    /// Made by a generator.
    Program {
        /// The generator's source.
        file: PathBuf,
        /// The arguments: each has its alternatives, dealt to the cases in turn.
        args: Vec<Vec<String>>,
        /// How many.
        count: usize,
        /// The answer that takes its values equally often.
        balance: Option<Balance>,
    },
}

/// A given case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given {
    /// The input.
    pub input: String,
    /// The answer, if it is given too.
    pub answer: Option<String>,
    /// What it shows.
    pub note: Option<String>,
}

/// A word of the answer that takes all its values equally often in a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Balance {
    /// The word's name in the description of the answer.
    pub name: String,
    /// Its values.
    pub words: Vec<String>,
}

impl Group {
    /// How many cases it has.
    pub fn count(&self) -> usize {
        match &self.recipe {
            Recipe::Given(cases) => cases.len(),
            Recipe::Every { count, .. } | Recipe::Random { count, .. } | Recipe::Program { count, .. } => *count,
        }
    }

    /// The name of case `index`, from 0.
    pub fn case(&self, index: usize) -> CaseId {
        CaseId::new(&self.name, index + 1)
    }
}

impl Problem {
    /// The given cases with a statement's samples in them: those of the group `sample`.
    pub fn samples(&self) -> &[Given] {
        let sample = self.groups.iter().find(|group| group.name == "sample");
        match sample.map(|group| &group.recipe) {
            Some(Recipe::Given(cases)) => cases,
            _ => &[],
        }
    }

    /// Where its solutions are: beside the folder of problems, or in the problem's own folder.
    pub fn solutions(&self) -> PathBuf {
        let own = self.dir.join("solutions");
        let beside = self.dir.parent().and_then(Path::parent).map(|root| root.join("solutions").join(self.id.as_str()));
        match beside {
            Some(beside) if !own.is_dir() => beside,
            _ => own,
        }
    }

    /// The file of the statement in this language, `en` being the one without a mark.
    pub fn statement(&self, language: Option<&str>) -> PathBuf {
        match language {
            None | Some("en") => self.dir.join("statement.md"),
            Some(language) => self.dir.join(format!("statement.{language}.md")),
        }
    }

    /// The other languages that there is a statement in, sorted.
    ///
    /// # Errors
    /// The folder can't be read.
    pub fn translations(&self) -> std::io::Result<Vec<String>> {
        let names = fs_err::read_dir(&self.dir)?.flatten();
        let names = names.map(|entry| entry.file_name().to_string_lossy().into_owned());
        let language = |name: String| Some(name.strip_prefix("statement.")?.strip_suffix(".md")?.to_owned());
        let mut found: Vec<String> = names.filter_map(language).filter(|language| !language.is_empty()).collect();
        found.sort_unstable();
        Ok(found)
    }
}
