//! Shows a progress bar at the bottom of the terminal.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use super::reporter::Reporter;
use crate::model::{Activity, Event, EventKind};

/// Interval at which the bar is redrawn while no event arrives.
const REDRAW: Duration = Duration::from_millis(200);
/// Time after which the bar also shows for how long the current message has been displayed.
const LONG: Duration = Duration::from_secs(1);

/// A reporter that draws a progress bar and forwards events to another reporter, whose lines appear above the bar.
pub struct ProgressReporter<R> {
    inner: R,
    bar: ProgressBar,
    /// The time at which the current message was set.
    since: Arc<Mutex<Instant>>,
    failed: usize,
}

impl<R: Reporter> ProgressReporter<R> {
    /// Creates a reporter that forwards events to `inner` and draws the bar to `target`, which may be hidden.
    pub fn new(inner: R, target: ProgressDrawTarget) -> ProgressReporter<R> {
        let bar = ProgressBar::with_draw_target(Some(0), target);
        let since = Arc::new(Mutex::new(Instant::now()));
        if let Ok(style) = ProgressStyle::with_template("{bar:24} {pos}/{len} {since}{wide_msg}") {
            let shared = since.clone();
            let write_since = move |_: &ProgressState, out: &mut dyn std::fmt::Write| {
                let start = *shared.lock().unwrap_or_else(PoisonError::into_inner);
                // If writing fails, the time is omitted.
                _ = out.write_str(&duration_text(start.elapsed()));
            };
            bar.set_style(style.progress_chars("━╸─").with_key("since", write_since));
        }
        redraw_regularly(&bar, REDRAW);
        ProgressReporter { inner, bar, since, failed: 0 }
    }

    fn set_message(&self, message: String) {
        *self.since.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        self.bar.set_message(message);
    }

    fn update(&mut self, event: &Event) {
        match &event.kind {
            EventKind::RunStarted { cases, .. } => self.bar.set_length(*cases as u64),
            EventKind::BuildStarted { language } => self.set_message(format!("compiling {language}")),
            EventKind::Progress(activity) => self.show(activity),
            EventKind::CaseFinished(result) => {
                self.failed += usize::from(!result.verdict.accepted());
                self.bar.inc(1);
                self.set_message(self.message(result.case.as_str()));
            }
            EventKind::CaseSkipped { .. } | EventKind::CaseFaulted { .. } => self.bar.inc(1),
            EventKind::RunFinished(_) => self.bar.finish_and_clear(),
            EventKind::CaseStarted { .. } | EventKind::BuildFinished { .. } | EventKind::GroupFinished(_) => {}
        }
    }

    fn show(&self, activity: &Activity) {
        self.set_message(match activity {
            Activity::WaitingForSlot => "waiting for another run to finish".to_owned(),
            Activity::MakingTestData { done, total } => format!("generating test data: {done} of {total} cases"),
            Activity::MeasuringTimeLimit { program } => format!("measuring the time limit with {program}"),
            Activity::RunningCase { case } | Activity::JudgedCase { case, .. } => self.message(case.as_str()),
            Activity::WaitingToRunAlone { case } => format!("{case} was slow; waiting to run it again alone"),
            Activity::RunningAlone { case } => format!("{case} was slow; running it again alone"),
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

/// Redraws the bar, unless it is hidden, at this interval on another thread, until it is finished or dropped. If no
/// thread can be started, the bar is only redrawn when its contents change; `ProgressBar::enable_steady_tick` would panic.
pub fn redraw_regularly(bar: &ProgressBar, interval: Duration) {
    if bar.is_hidden() {
        return;
    }
    let weak = bar.downgrade();
    _ = std::thread::Builder::new().name("redraw".to_owned()).spawn(move || {
        while let Some(bar) = weak.upgrade().filter(|bar| !bar.is_finished()) {
            bar.tick();
            drop(bar);
            std::thread::sleep(interval);
        }
    });
}

/// Formats the time since the current message was set, in whole seconds; empty if the time is shorter than [`LONG`].
fn duration_text(elapsed: Duration) -> String {
    if elapsed < LONG { String::new() } else { format!("{} s · ", elapsed.as_secs()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Fanout, samples};

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

    #[test]
    fn long_activities_are_shown_with_their_time() {
        assert_eq!(duration_text(Duration::from_millis(999)), "");
        assert_eq!(duration_text(Duration::from_millis(4_900)), "4 s · ");
    }
}
