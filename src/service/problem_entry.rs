//! The entry of a problem in a list.

use crate::model::{ByteSize, ProblemId, TimeSpan};
use crate::package::Package;
use crate::problem::{Problem, TimeLimitSource};

/// A problem in a list, native or a package.
#[derive(Debug, Clone)]
pub struct ProblemEntry {
    /// The problem's id.
    pub id: ProblemId,
    /// The title.
    pub name: String,
    /// The source of the problem, such as the name of a contest, if known.
    pub source: Option<String>,
    /// The keywords.
    pub keywords: Vec<String>,
    /// The time limit; `None` if it is derived from the solutions.
    pub time: Option<TimeSpan>,
    /// The time limit, or the upper bound of a derived one; 0 for a package whose time limit is derived.
    pub most: TimeSpan,
    /// The memory limit.
    pub memory: ByteSize,
    /// Whether the problem has a game that can be played.
    pub playable: bool,
    /// Whether outputs are submitted instead of a program.
    pub takes_outputs: bool,
}

impl ProblemEntry {
    /// Creates the entry of a native problem.
    pub fn of_problem(problem: &Problem) -> ProblemEntry {
        ProblemEntry {
            time: (problem.time != TimeLimitSource::Auto).then_some(problem.limits.cpu),
            most: problem.limits.cpu,
            memory: problem.limits.memory,
            id: problem.id.clone(),
            name: problem.name.clone(),
            source: problem.source.clone(),
            keywords: problem.keywords.clone(),
            playable: problem.game.is_some(),
            takes_outputs: false,
        }
    }

    /// Creates the entry of a package with this id.
    pub fn of_package(id: ProblemId, package: &Package) -> ProblemEntry {
        let limits = package.limits;
        ProblemEntry {
            id,
            name: package.title().to_owned(),
            source: package.source.clone(),
            keywords: package.keywords.clone(),
            time: limits.time,
            most: limits.time.unwrap_or_default(),
            memory: limits.memory,
            playable: false,
            takes_outputs: package.kind.submit_answer,
        }
    }
}
