//! The query for the samples of a problem.

use std::path::{Path, PathBuf};

/// A query for the samples of one problem: the program for which samples are selected, and whether answers or all
/// samples may be missing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SampleQuery {
    /// The program to judge; `None` if there is none. If several problems have samples, the name and the folder of the
    /// program select the problem.
    pub program: Option<PathBuf>,
    /// Whether inputs without answers are treated as cases, because an interactor determines the verdict.
    pub inputs_only: bool,
    /// Whether a result without samples is allowed, because the program runs on another input.
    pub may_be_empty: bool,
}

impl SampleQuery {
    /// Returns the query for a run of this program. Answers are not required with an interactor, and samples are not
    /// required if the user specifies an input.
    pub fn for_run(program: &Path, has_interactor: bool, has_own_input: bool) -> SampleQuery {
        SampleQuery { program: Some(program.to_owned()), inputs_only: has_interactor, may_be_empty: has_own_input }
    }

    /// Returns the query for a search for inputs on which this program fails. Samples are not required, because all
    /// inputs may be generated.
    pub fn for_stress(program: &Path) -> SampleQuery {
        SampleQuery { program: Some(program.to_owned()), inputs_only: false, may_be_empty: true }
    }
}
