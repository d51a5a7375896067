//! Samples without a description: folders of tests, files of the extensions cph and Competitive Companion, and text
//! files with several samples. Inputs and answers are paired by their names, and the user is told which files were
//! paired.

mod find;
mod names;
mod places;
mod read;
mod text;

use std::path::PathBuf;

pub(super) use find::{find, is_described, is_sample_file};
pub(super) use read::{read, read_file};

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

/// A sample in a text file.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Sample {
    input: String,
    /// The answer; `None` if only the input is known.
    answer: Option<String>,
}
