//! `nimatron schema`, `completions` and `man`: print descriptions of the command line and of problem.yaml for other
//! programs.

use std::io::Write;

use clap::CommandFactory;

use crate::model::{Fault, FaultKind};
use crate::problem::schema as problem_schema;

use super::args::Cli;
use super::context::say;
use super::exit::{Ending, Result};

/// Prints the JSON Schema of `problem.yaml`.
pub(crate) fn schema() -> Result {
    let text =
        serde_json::to_string_pretty(&problem_schema()).map_err(|error| Fault::io(FaultKind::Output, &error.into()))?;
    say(&text)?;
    Ok(Ending::Good)
}

/// Prints completions for a shell.
pub(crate) fn completions(shell: clap_complete::Shell) -> Result {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "nimatron", &mut text);
    std::io::stdout().write_all(&text)?;
    Ok(Ending::Good)
}

/// Prints the man page.
pub(crate) fn man() -> Result {
    let mut text = Vec::new();
    clap_mangen::Man::new(Cli::command()).render(&mut text)?;
    std::io::stdout().write_all(&text)?;
    Ok(Ending::Good)
}
