//! Exports a problem as a package for another judge. All data is first collected in a format-independent description.
//! Each format then renders the description to paths and contents, without running programs or writing files.

mod case_names;
mod checker;
mod cms;
mod dmoj;
mod escape;
mod format;
mod fps;
mod html;
mod hydro;
mod icpc;
mod input;
mod latex;
mod legacy;
mod polygon;
mod program_files;
mod render;
mod statement;

#[cfg(test)]
#[path = "../input/sample/notation.rs"]
mod input_notation;
#[cfg(test)]
mod validator_tests;

pub use format::{ExportFormat, RenderedPackage};
pub use input::{ExportGroup, ExportInput, ExportSolution};
pub use program_files::ProgramFiles;
pub use render::render;
pub use statement::{ParsedStatement, StatementSection};
