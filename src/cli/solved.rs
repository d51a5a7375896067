//! The record of solved problems, with one file per problem, so that concurrent runs don't overwrite each other's
//! entries.

use std::path::{Path, PathBuf};

use nimatron::data::write_whole;
use nimatron::model::ProblemId;

/// The directory of the record.
pub struct Solved(PathBuf);

impl Solved {
    /// Opens the record in the state directory.
    pub fn read(state: &Path) -> Solved {
        Solved(state.join("solved"))
    }

    /// Whether the problem is recorded as solved.
    pub fn contains(&self, problem: &ProblemId) -> bool {
        self.0.join(problem.as_str()).is_file()
    }

    /// Records that this program solved the problem. Write errors are ignored, since the record is only a convenience.
    pub fn add(&self, problem: &ProblemId, program: &str) {
        let _ = write_whole(&self.0.join(problem.as_str()), format!("{program}\n").as_bytes());
    }
}
