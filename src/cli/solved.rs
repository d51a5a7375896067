//! Which problems you have solved: one file a problem, so that two runs at once lose nothing.

use std::path::{Path, PathBuf};

use nimatron::data::write_whole;
use nimatron::model::ProblemId;

/// The folder of solved problems.
pub struct Solved(PathBuf);

impl Solved {
    /// The memory under this folder.
    pub fn read(state: &Path) -> Solved {
        Solved(state.join("solved"))
    }

    /// Whether the problem is solved.
    pub fn contains(&self, problem: &ProblemId) -> bool {
        self.0.join(problem.as_str()).is_file()
    }

    /// Remembers that the problem is solved by this program. It is a convenience: a failure to write is no failure.
    pub fn add(&self, problem: &ProblemId, program: &str) {
        let _ = write_whole(&self.0.join(problem.as_str()), format!("{program}\n").as_bytes());
    }
}
