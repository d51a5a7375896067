//! A progress bar at the bottom of the terminal.

use std::io;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::reporter::Reporter;
use crate::model::{Activity, Event, EventKind};

/// Draws a progress bar, and forwards events to another reporter, whose lines appear above the bar.
pub struct ProgressReporter<R> {
    inner: R,
    bar: ProgressBar,
    failed: usize,
}

impl<R: Reporter> ProgressReporter<R> {
    /// Draws to `target`, which is standard error if it is a terminal, otherwise hidden.
    pub fn new(inner: R, target: ProgressDrawTarget) -> ProgressReporter<R> {
        let bar = ProgressBar::with_draw_target(Some(0), target);
        if let Ok(style) = ProgressStyle::with_template("{bar:24} {pos}/{len} {wide_msg}") {
            bar.set_style(style.progress_chars("━╸─"));
        }
        ProgressReporter { inner, bar, failed: 0 }
    }

    fn update(&mut self, event: &Event) {
        match &event.kind {
            EventKind::RunStarted { cases, .. } => self.bar.set_length(*cases as u64),
            EventKind::BuildStarted { language } => self.bar.set_message(format!("compiling {language}")),
            EventKind::Progress(activity) => self.show(activity),
            EventKind::CaseFinished(result) => {
                self.failed += usize::from(!result.verdict.accepted());
                self.bar.inc(1);
                self.bar.set_message(self.message(result.case.as_str()));
            }
            EventKind::CaseSkipped { .. } | EventKind::CaseFaulted { .. } => self.bar.inc(1),
            EventKind::RunFinished(_) => self.bar.finish_and_clear(),
            EventKind::CaseStarted { .. } | EventKind::BuildFinished { .. } | EventKind::GroupFinished(_) => {}
        }
    }

    fn show(&self, activity: &Activity) {
        self.bar.set_message(match activity {
            Activity::WaitingForSlot => "waiting for another run to end".to_owned(),
            Activity::MeasuringTimeLimit { program } => format!("measuring the time limit with {program}"),
            Activity::RunningCase { case } | Activity::JudgedCase { case, .. } => self.message(case.as_str()),
            Activity::WaitingToRunAlone { case } => format!("{case} was slow: waiting to run it again alone"),
            Activity::RunningAlone { case } => format!("{case} was slow: running it again alone"),
        });
    }

    fn message(&self, case: &str) -> String {
        if self.failed == 0 { case.to_owned() } else { format!("{} failed · {case}", self.failed) }
    }
}

impl<R: Reporter> Reporter for ProgressReporter<R> {
    fn emit(&mut self, event: &Event) -> io::Result<()> {
        let told = self.bar.suspend(|| self.inner.emit(event));
        self.update(event);
        told
    }

    fn finish(&mut self) -> io::Result<()> {
        self.bar.finish_and_clear();
        self.inner.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Fanout, samples};

    #[test]
    fn bar_counts_cases_and_failures() {
        let mut progress = ProgressReporter::new(Fanout::new(), ProgressDrawTarget::hidden());
        let events = samples::failing();
        for event in &events[..events.len() - 1] {
            progress.emit(event).unwrap();
        }
        assert_eq!((progress.bar.position(), progress.bar.length()), (6, Some(6)));
        assert_eq!(progress.bar.message(), "4 failed · large/001");
        progress.emit(&events[events.len() - 1]).unwrap();
        assert!(progress.bar.is_finished());
        progress.finish().unwrap();
    }
}
