//! Progress bars for the steps before a run: generating test data and measuring time limits.

use std::sync::{Mutex, PoisonError};

use indicatif::{ProgressBar, ProgressStyle};

use nimatron::data::Case;
use nimatron::model::{Activity, Failure};
use nimatron::service::{Prepared, PreparedProblem};

use super::context::Context;

/// Generates the test data of a native problem with a progress bar, and compares it with the lock. Returns `None` for a
/// package.
pub fn make_data<'p>(context: &Context, problem: &'p PreparedProblem) -> Result<Option<&'p Prepared>, Failure> {
    with_bar(context, problem, |progress| problem.data(context.service()?.host(), progress))
}

/// Like [`make_data`], but fails if the data differs from tests.lock, and returns the cases. Returns no cases for a
/// package.
pub fn make_cases<'p>(context: &Context, problem: &'p PreparedProblem) -> Result<&'p [Case], Failure> {
    with_bar(context, problem, |progress| context.service()?.cases(problem, progress))
}

fn with_bar<T>(
    context: &Context,
    problem: &PreparedProblem,
    make: impl FnOnce(&(dyn Fn(usize, usize) + Sync)) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let show = context.progress();
    let bar: Mutex<Option<ProgressBar>> = Mutex::new(None);
    let result = make(&|done, all| {
        if !show {
            return;
        }
        let mut bar = bar.lock().unwrap_or_else(PoisonError::into_inner);
        bar.get_or_insert_with(|| new_bar(&format!("generating tests for {}", problem.id()), all))
            .set_position(done as u64);
    });
    if let Some(bar) = bar.into_inner().unwrap_or_else(PoisonError::into_inner) {
        bar.finish_and_clear();
    }
    result
}

/// Returns a function that prints a line for each program that is run to measure time limits, if progress is shown.
pub fn show_measuring<'a>(context: &'a Context, problem: &'a PreparedProblem) -> impl FnMut(Activity) + 'a {
    let show = context.progress();
    move |activity| {
        if let (true, Activity::MeasuringTimeLimit { program }) = (show, activity) {
            anstream::eprintln!("measuring the time limit of {}: running {program} …", problem.id());
        }
    }
}

/// Creates a progress bar on standard error with `all` steps.
pub fn new_bar(message: &str, all: usize) -> ProgressBar {
    let bar = ProgressBar::new(all as u64).with_message(message.to_owned());
    let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len}");
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
