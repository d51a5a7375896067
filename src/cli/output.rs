//! Progress while test data is made, and the reporters of a run.

use std::sync::Mutex;

use indicatif::{ProgressBar, ProgressStyle};

use nimatron::model::Failure;
use nimatron::problem::Problem;
use nimatron::runner::Prepared;

use super::context::Context;

/// Makes a problem's data, with a progress bar for a person at a terminal.
pub fn making(context: &Context, problem: &Problem) -> Result<Prepared, Failure> {
    let arena = context.arena()?;
    let show = context.progress();
    let bar: Mutex<Option<ProgressBar>> = Mutex::new(None);
    let result = arena.prepare(problem, &|done, all| {
        if !show {
            return;
        }
        let mut bar = bar.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        bar.get_or_insert_with(|| new_bar(&format!("making tests of {}", problem.id), all)).set_position(done as u64);
    });
    if let Some(bar) = bar.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
        bar.finish_and_clear();
    }
    result
}

/// A bar on standard error.
pub fn new_bar(what: &str, all: usize) -> ProgressBar {
    let bar = ProgressBar::new(all as u64).with_message(what.to_owned());
    let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len}");
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
