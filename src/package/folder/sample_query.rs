//! The query with which the samples of a problem are found.

use std::path::{Path, PathBuf};

/// A query for the samples of one problem: the program for which they are selected, and which parts they may lack.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SampleQuery {
    /// The program to judge; `None` if there is none. If several problems have samples, the name and the folder of the
    /// program select the problem.
    pub program: Option<PathBuf>,
    /// Whether inputs without answers are cases, because an interactor determines the verdict.
    pub inputs_only: bool,
    /// Whether there may be no samples, because the program runs on another input.
    pub may_be_empty: bool,
}

impl SampleQuery {
    /// Returns the query for a run of this program. With an interactor, no answers are needed, and with an input of the
    /// user, no samples.
    pub fn for_run(program: &Path, has_interactor: bool, has_own_input: bool) -> SampleQuery {
        SampleQuery { program: Some(program.to_owned()), inputs_only: has_interactor, may_be_empty: has_own_input }
    }

    /// Returns the query for a search of an input that this program fails. The inputs may all be generated.
    pub fn for_stress(program: &Path) -> SampleQuery {
        SampleQuery { program: Some(program.to_owned()), inputs_only: false, may_be_empty: true }
    }
}
