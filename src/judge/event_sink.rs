//! The receiver of a session's events, and how a session hands them over.

use crate::model::{EventKind, RunSummary};

use super::session::Session;

/// Receives the events of a run as they happen.
pub trait EventSink {
    /// Receives an event, with its index in the log, or `None` for progress.
    fn emit(&mut self, number: Option<u64>, kind: EventKind);

    /// Is called when no event follows for now. A sink may collect events until then.
    fn flush(&mut self) {}
}

/// Hands the events that a session has logged since the last call to the sink, and flushes it.
pub fn emit_log(session: &mut Session, sink: &mut dyn EventSink) {
    session.take_events().into_iter().for_each(|entry| sink.emit(Some(entry.number), entry.kind));
    sink.flush();
}

/// Ends a session: the rest of its log, then its summary.
pub fn finish(session: Session, sink: &mut dyn EventSink) -> RunSummary {
    let (summary, rest) = session.into_summary();
    rest.into_iter().for_each(|entry| sink.emit(Some(entry.number), entry.kind));
    sink.flush();
    summary
}
