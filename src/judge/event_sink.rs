//! The receiver of a session's events, and functions that pass a session's log to it.

use crate::model::{EventKind, RunSummary};

use super::session::Session;

/// A receiver of the events of a run, to which the events are passed as they occur.
pub trait EventSink {
    /// Receives an event. `number` is the index of the event in the log; `None` for a progress event.
    fn emit(&mut self, number: Option<u64>, kind: EventKind);

    /// Writes the events that the sink has buffered. This method is called when no further event follows immediately.
    fn flush(&mut self) {}
}

/// Passes to the sink the events that a session has logged since the last call, and flushes the sink.
pub fn emit_log(session: &mut Session, sink: &mut dyn EventSink) {
    session.take_events().into_iter().for_each(|entry| sink.emit(Some(entry.number), entry.kind));
    sink.flush();
}

/// Ends a session, which must be finished: passes the rest of its log to the sink and returns its summary.
pub fn finish(session: Session, sink: &mut dyn EventSink) -> RunSummary {
    let (summary, rest) = session.into_summary();
    rest.into_iter().for_each(|entry| sink.emit(Some(entry.number), entry.kind));
    sink.flush();
    summary
}
