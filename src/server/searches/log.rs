//! Log of the events of a search.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Number of shrinking steps that are always logged. Later steps are logged at most once per [`STEP_INTERVAL`].
const ALL_STEPS: u64 = 100;
/// Minimum time between two logged steps, after the first [`ALL_STEPS`].
const STEP_INTERVAL: Duration = Duration::from_millis(250);
/// Minimum time between two updates of the progress.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(50);

/// A part of the log of a search: the events after an event number, and the latest progress.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SearchPage {
    /// The numbered events.
    pub events: Vec<(u64, Arc<str>)>,
    /// The latest progress and its version; `None` if the reader has seen it or there is none.
    pub progress: Option<(u64, Arc<str>)>,
    /// Whether the search has ended, so that no events follow.
    pub ended: bool,
}

/// The numbered events of a search, and its latest progress.
#[derive(Debug)]
pub(super) struct SearchLog {
    id: String,
    start: Instant,
    state: Mutex<LogState>,
}

#[derive(Debug, Default)]
struct LogState {
    events: Vec<Arc<str>>,
    progress: Option<Arc<str>>,
    /// Number of times that the progress was replaced.
    version: u64,
    last_progress: Option<Instant>,
    steps: u64,
    last_step: Option<Instant>,
    /// The last event, if the search has ended.
    finished: Option<Value>,
}

impl SearchLog {
    /// Creates the log of the search with this id.
    pub(super) fn new(id: &str) -> SearchLog {
        SearchLog { id: id.to_owned(), start: Instant::now(), state: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, LogState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a numbered event, unless the search has ended.
    pub(super) fn add(&self, event: Value) {
        let mut state = self.lock();
        if state.finished.is_none() {
            self.push(&mut state, event);
        }
    }

    /// Adds a shrinking step, unless the search has ended. After [`ALL_STEPS`] steps, a step is dropped if another step
    /// was added less than [`STEP_INTERVAL`] ago. Returns whether the step was added.
    pub(super) fn add_step(&self, event: impl FnOnce() -> Value) -> bool {
        let mut state = self.lock();
        let due = state.last_step.is_none_or(|last| last.elapsed() >= STEP_INTERVAL);
        if state.finished.is_some() || (state.steps >= ALL_STEPS && !due) {
            return false;
        }
        state.steps += 1;
        state.last_step = Some(Instant::now());
        self.push(&mut state, event());
        true
    }

    /// Replaces the progress, unless it was replaced less than [`PROGRESS_INTERVAL`] ago or the search has ended.
    /// Returns whether the progress was replaced.
    pub(super) fn progress(&self, event: impl FnOnce() -> Value) -> bool {
        let mut state = self.lock();
        let due = state.last_progress.is_none_or(|last| last.elapsed() >= PROGRESS_INTERVAL);
        if state.finished.is_some() || !due {
            return false;
        }
        state.last_progress = Some(Instant::now());
        state.version += 1;
        state.progress = Some(self.text(event(), None));
        true
    }

    /// Adds the last event, unless the search has ended.
    pub(super) fn finish(&self, event: Value) {
        let mut state = self.lock();
        if state.finished.is_none() {
            state.finished = Some(event.clone());
            state.progress = None;
            self.push(&mut state, event);
        }
    }

    /// Returns the last event; `None` if the search has not ended.
    pub(super) fn finished(&self) -> Option<Value> {
        self.lock().finished.clone()
    }

    /// Returns the events after the event with the number `after`, or all events if `after` is `None`, and the progress
    /// if its version is greater than `version`.
    pub(super) fn page(&self, after: Option<u64>, version: u64) -> SearchPage {
        let state = self.lock();
        let next = after.map_or(0, |after| after.saturating_add(1));
        let first = usize::try_from(next).unwrap_or(usize::MAX);
        let events = state.events.get(first..).unwrap_or_default();
        SearchPage {
            events: (next..).zip(events.iter().cloned()).collect(),
            progress: state.progress.clone().filter(|_| state.version > version).map(|text| (state.version, text)),
            ended: state.finished.is_some(),
        }
    }

    fn push(&self, state: &mut LogState, event: Value) {
        let number = state.events.len();
        let text = self.text(event, Some(number));
        state.events.push(text);
    }

    fn text(&self, mut event: Value, number: Option<usize>) -> Arc<str> {
        if let Some(number) = number {
            event["number"] = json!(number);
        }
        event["run"] = json!(self.id);
        event["at_ms"] = json!(self.start.elapsed().as_micros() as f64 / 1_000.0);
        event.to_string().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(page: &SearchPage) -> Vec<u64> {
        page.events.iter().map(|(number, _)| *number).collect()
    }

    #[test]
    fn a_reader_resumes_after_any_number() {
        let log = SearchLog::new("x");
        log.add(json!({ "event": "stress_started" }));
        log.add(json!({ "event": "stress_found" }));
        assert_eq!(numbers(&log.page(None, 0)), [0, 1]);
        assert_eq!(numbers(&log.page(Some(0), 0)), [1]);
        assert_eq!(log.page(Some(1), 0), SearchPage::default());
        assert!(numbers(&log.page(Some(u64::MAX), 0)).is_empty());
        log.finish(json!({ "event": "stress_finished" }));
        log.finish(json!({ "event": "stress_finished" }));
        log.add(json!({ "event": "stress_found" }));
        let page = log.page(Some(1), 0);
        assert_eq!((numbers(&page), page.ended), (vec![2], true));
        assert!(page.events[0].1.contains("\"number\":2") && page.events[0].1.contains("\"run\":\"x\""));
        assert_eq!(log.finished().unwrap()["event"], "stress_finished");
    }

    #[test]
    fn only_the_latest_progress_is_kept_and_many_steps_are_thinned() {
        let log = SearchLog::new("x");
        assert!(log.progress(|| json!({ "tests": 1 })));
        assert!(!log.progress(|| json!({ "tests": 2 })));
        let (version, text) = log.page(None, 0).progress.unwrap();
        assert!(text.contains("\"tests\":1"), "{text}");
        assert_eq!(log.page(None, version).progress, None);
        let added = (0..1_000).filter(|step| log.add_step(|| json!({ "size": step }))).count();
        assert!((100..110).contains(&added), "{added}");
        log.finish(json!({}));
        assert_eq!(log.page(None, 0).progress, None);
    }
}
