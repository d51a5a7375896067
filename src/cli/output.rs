//! Shows the progress of the steps before a run on standard error: generating test data and measuring time limits.

use std::sync::{Mutex, PoisonError};

use indicatif::{ProgressBar, ProgressStyle};

use crate::model::{Activity, ProblemId};
use crate::service::PreparedProblem;

use super::bar_terminal::bar_target;
use super::context::Context;

/// A display of the preparation of problems: a progress bar while test data is generated, and a line for each program
/// that is run to measure a time limit. It shows nothing if progress is disabled.
pub(crate) struct PreparationScreen {
    shown: bool,
    /// The bar for the generation of test data, while it is shown.
    bar: Mutex<Option<ProgressBar>>,
}

impl PreparationScreen {
    /// Creates the display. The bar is removed when all tests are generated or when the display is dropped.
    pub(crate) fn new(context: &Context) -> PreparationScreen {
        PreparationScreen { shown: context.progress(), bar: Mutex::new(None) }
    }

    /// Shows `activity`, the current step of the preparation of the problem `problem`.
    pub(crate) fn show(&self, problem: &ProblemId, activity: Activity) {
        if !self.shown {
            return;
        }
        match activity {
            Activity::MakingTestData { done, total } => self.show_bar(problem, done, total),
            Activity::MeasuringTimeLimit { program } => {
                anstream::eprintln!("measuring the time limit of {problem}: running {program} …");
            }
            _ => {}
        }
    }

    fn show_bar(&self, problem: &ProblemId, done: usize, total: usize) {
        let mut bar = self.bar.lock().unwrap_or_else(PoisonError::into_inner);
        if done == total {
            clear(bar.take());
        } else {
            bar.get_or_insert_with(|| new_bar(&format!("generating tests for {problem}"), total))
                .set_position(done as u64);
        }
    }
}

impl Drop for PreparationScreen {
    fn drop(&mut self) {
        clear(self.bar.get_mut().unwrap_or_else(PoisonError::into_inner).take());
    }
}

/// Returns a function that shows the current step of the preparation of one problem; see [`PreparationScreen`].
pub(crate) fn show_preparation<'a>(
    context: &Context,
    problem: &'a PreparedProblem,
) -> impl Fn(Activity) + Sync + use<'a> {
    let screen = PreparationScreen::new(context);
    move |activity| screen.show(problem.id(), activity)
}

fn clear(bar: Option<ProgressBar>) {
    bar.iter().for_each(ProgressBar::finish_and_clear);
}

/// Creates a progress bar on standard error with `all` steps.
fn new_bar(message: &str, all: usize) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(all as u64), bar_target(true)).with_message(message.to_owned());
    let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len}");
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
