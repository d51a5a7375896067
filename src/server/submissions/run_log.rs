//! The log of a run, which renumbers the run's events as events of the submission's log, stores them, and publishes
//! them.

use std::time::Instant;

use crate::model::{Activity, Event, EventKind, Failure, FaultKind, RunId, TimeSpan};
use crate::service::JudgeService;

use super::continuation::Continuation;
use super::id::SubmissionId;
use super::live::{LiveEvent, event_json};
use super::queue_state::RunningSubmission;
use super::record::{NewSubmission, StoredEvent};
use super::store::SubmissionStore;

/// The log of a run, which continues the stored log of its submission.
#[derive(Debug)]
pub(super) struct RunLog {
    id: SubmissionId,
    run: RunId,
    start: Instant,
    continuation: Continuation,
    /// Whether the run has emitted a numbered event.
    started: bool,
    /// The last events, which are stored with the end of the submission. In a cancelled run, the first of these events
    /// is that of the interrupted case, since it must not be stored if the submission is judged again.
    last: Vec<Event>,
}

impl RunLog {
    /// Opens the log of a run, which continues the stored log of its submission.
    pub(super) fn open(store: &SubmissionStore, id: &SubmissionId) -> Result<RunLog, Failure> {
        let run = RunId::new(id.as_str());
        let continuation = Continuation::of(run.clone(), store.log(id)?);
        Ok(RunLog { id: id.clone(), run, start: Instant::now(), continuation, started: false, last: Vec::new() })
    }

    /// Publishes a progress event for an activity before the run starts, such as the generation of test data.
    pub(super) fn progress(&self, running: &RunningSubmission, activity: Activity) {
        let kind = EventKind::Progress(activity);
        let event = Event { kind, number: None, run: self.run.clone(), at: TimeSpan::ZERO };
        running.live.extend([LiveEvent { number: None, json: event_json(&event).into() }]);
    }

    /// Stores events of the run, then publishes them. The last events of the run are retained for
    /// [`RunLog::last_events`].
    pub(super) fn take(
        &mut self,
        store: &SubmissionStore,
        running: &RunningSubmission,
        batch: Vec<Event>,
    ) -> Result<(), Failure> {
        let mut live = Vec::new();
        let mut stored = Vec::new();
        for event in batch {
            if event.number.is_none() {
                let event = Event { run: self.run.clone(), ..event };
                live.push(LiveEvent { number: None, json: event_json(&event).into() });
                continue;
            }
            self.started = true;
            if !self.last.is_empty() || is_last(&event.kind) {
                self.last.push(event);
                continue;
            }
            for event in self.continuation.take(event).iter().filter_map(stored_event) {
                live.push(live_event(&event));
                stored.push(event);
            }
        }
        store.append(&self.id, &stored)?;
        running.live.extend(live);
        Ok(())
    }

    /// Adds the events that are missing from the end of the log if a run failed without a report.
    pub(super) fn close(&mut self, service: &JudgeService, new: &NewSubmission, failure: &Failure) {
        if self.last.iter().any(|event| matches!(event.kind, EventKind::RunFinished(_))) {
            return;
        }
        let events = service.failed_run(&new.problem, &new.name, &failure.to_fault());
        let missing = |event: &Event| !self.started || matches!(event.kind, EventKind::RunFinished(_));
        let at = TimeSpan::from(self.start.elapsed());
        self.last.extend(events.into_iter().filter(missing).map(|event| Event { at, ..event }));
    }

    /// Removes and returns the events to store with the end of the submission, numbered as events of the submission's
    /// log.
    pub(super) fn last_events(&mut self) -> Vec<StoredEvent> {
        let last = std::mem::take(&mut self.last);
        let events = last.into_iter().flat_map(|event| self.continuation.take(event));
        events.collect::<Vec<_>>().iter().filter_map(stored_event).collect()
    }
}

/// Returns whether an event of this kind is the first of the last events of a run.
fn is_last(kind: &EventKind) -> bool {
    match kind {
        EventKind::RunFinished(_) => true,
        EventKind::CaseFaulted { fault, .. } => fault.kind == FaultKind::Cancelled,
        _ => false,
    }
}

fn stored_event(event: &Event) -> Option<StoredEvent> {
    Some(StoredEvent { number: event.number?, json: event_json(event) })
}

pub(super) fn live_event(event: &StoredEvent) -> LiveEvent {
    LiveEvent { number: Some(event.number), json: event.json.as_str().into() }
}
