//! Samples without a description: folders of tests, files of the extensions cph and Competitive Companion, and text
//! files with several samples. Inputs and answers are paired by their names, and the description of the guess lists the
//! name patterns of the paired files.

mod find;
mod names;
mod places;
mod read;
mod sample_query;
mod text;

pub(super) use find::{find, is_described, is_sample_file};
pub(super) use read::{read, read_file};
pub use sample_query::SampleQuery;

/// A sample in a text file.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Sample {
    input: String,
    /// The answer; `None` if only the input is known.
    answer: Option<String>,
}
