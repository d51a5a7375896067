//! Runs that have not been recorded in the history yet. Recording may fail, for instance while the disk is full.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::history::{HistoryStore, NewRun};
use crate::model::Fault;

use super::queue::LocalHistory;

/// Minimum time between a failed attempt to record runs and the next attempt.
const RETRY: Duration = Duration::from_secs(2);
/// Maximum number of unrecorded runs. If there are more, the oldest run is dropped.
const MOST: usize = 1_000;

/// A queue of ended runs, which are recorded in the history in the order in which they ended.
#[derive(Debug)]
pub(super) struct HistoryBacklog {
    history: Option<LocalHistory>,
    state: Mutex<BacklogState>,
}

#[derive(Debug, Default)]
struct BacklogState {
    runs: VecDeque<NewRun>,
    /// The error of the last attempt to record runs; `None` if the attempt succeeded or no attempt has been made.
    fault: Option<Fault>,
    /// The earliest time of the next attempt; `None` unless the last attempt failed.
    due: Option<Instant>,
}

impl HistoryBacklog {
    pub(super) fn new(history: Option<LocalHistory>) -> HistoryBacklog {
        HistoryBacklog { history, state: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, BacklogState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether runs of `person` are recorded in the history.
    pub(super) fn records(&self, person: &str) -> bool {
        self.history.as_ref().is_some_and(|local| local.person == person)
    }

    /// Adds a run to the queue, and calls [`HistoryBacklog::flush`]. A run that can't be recorded remains in the queue.
    pub(super) fn record(&self, run: NewRun) {
        let mut state = self.lock();
        if state.runs.len() == MOST {
            state.runs.pop_front();
        }
        state.runs.push_back(run);
        drop(state);
        self.flush();
    }

    /// Returns whether all runs have been recorded.
    pub(super) fn is_empty(&self) -> bool {
        self.lock().runs.is_empty()
    }

    /// Records the queued runs, unless the last attempt failed less than [`RETRY`] ago.
    pub(super) fn flush(&self) {
        let mut state = self.lock();
        if state.due.is_none_or(|due| due <= Instant::now()) {
            self.record_all(&mut state);
        }
    }

    /// Attempts to record the remaining runs, even if the last attempt failed less than [`RETRY`] ago. Called when the
    /// judging queue is shut down.
    pub(super) fn finish(&self) {
        self.record_all(&mut self.lock());
    }

    fn record_all(&self, state: &mut BacklogState) {
        let Some(local) = self.history.as_ref().filter(|_| !state.runs.is_empty()) else { return };
        let recorded = HistoryStore::open(&local.state).and_then(|mut history| {
            while let Some(run) = state.runs.front() {
                history.record(run)?;
                state.runs.pop_front();
            }
            Ok(())
        });
        state.due = recorded.is_err().then(|| Instant::now() + RETRY);
        state.fault = recorded.err().map(|failure| failure.to_fault());
    }

    /// Returns the error that prevented the last attempt from recording runs; `None` if the attempt succeeded or no
    /// attempt has been made.
    pub(super) fn fault(&self) -> Option<Fault> {
        self.lock().fault.clone()
    }
}
