//! The events and the progress of a running submission, in memory.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::model::Event;

/// An event of a running submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiveEvent {
    /// The number of the event in the log; `None` for a progress event, which is not part of the log.
    pub number: Option<u64>,
    /// The [`Event`] as JSON, with the id of the submission as its run.
    pub json: Arc<str>,
}

/// A part of the event list of a running submission, starting at the requested position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LivePage {
    /// The events, in the order of the list.
    pub events: Vec<LiveEvent>,
    /// The position after these events.
    pub next: usize,
    /// Whether the list is complete, so that no events will follow.
    pub ended: bool,
}

/// A list of events that grows while a submission runs.
#[derive(Debug, Default)]
pub(super) struct LiveLog(Mutex<LiveState>);

#[derive(Debug, Default)]
struct LiveState {
    events: Vec<LiveEvent>,
    ended: bool,
}

impl LiveLog {
    fn lock(&self) -> MutexGuard<'_, LiveState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds events. Numbered events must already be in the store.
    pub(super) fn extend(&self, events: impl IntoIterator<Item = LiveEvent>) {
        self.lock().events.extend(events);
    }

    /// Marks the list as complete.
    pub(super) fn end(&self) {
        self.lock().ended = true;
    }

    /// Returns the events from the index `position` to the current end of the list.
    pub(super) fn page(&self, position: usize) -> LivePage {
        let state = self.lock();
        let events = state.events.get(position..).unwrap_or_default().to_vec();
        LivePage { events, next: state.events.len(), ended: state.ended }
    }
}

/// Formats an event as JSON. Returns an empty object if serialization fails, which does not happen for any event.
pub(super) fn event_json(event: &Event) -> String {
    serde_json::to_string(event).unwrap_or_else(|_| "{}".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_what_was_added_since_the_last() {
        let log = LiveLog::default();
        let event = |number| LiveEvent { number, json: "{}".into() };
        assert_eq!(log.page(0), LivePage { events: vec![], next: 0, ended: false });
        log.extend([event(None), event(Some(0))]);
        let page = log.page(0);
        assert_eq!((page.events.len(), page.next), (2, 2));
        log.extend([event(Some(1))]);
        log.end();
        assert_eq!(log.page(2), LivePage { events: vec![event(Some(1))], next: 3, ended: true });
        assert_eq!(log.page(9), LivePage { events: vec![], next: 3, ended: true });
    }
}
