//! Continues the stored log of a submission with the events of a new run. This module does no I/O.

use crate::model::{Event, EventKind, RunId};

/// The continuation of a stored log. It numbers the events of a new run.
///
/// Events that repeat the stored log are not appended. If the whole log is repeated, the following events continue it.
/// At the first event that differs, the whole run is appended from its start, since a stored event may have been read
/// and must not change.
#[derive(Debug)]
pub(super) struct Continuation {
    run: RunId,
    /// The contents of the stored events; `None` for an event that can't be read.
    stored: Vec<Option<EventKind>>,
    /// The events of the run so far, if all of them repeat stored events.
    repeated: Vec<Event>,
    /// The number of the next event to append.
    next: u64,
}

impl Continuation {
    /// Creates a continuation of the log that contains the events `stored`. The run id of every appended event is
    /// replaced with `run`.
    pub(super) fn of(run: RunId, stored: Vec<Option<EventKind>>) -> Continuation {
        let next = stored.len() as u64;
        Continuation { run, stored, repeated: Vec::new(), next }
    }

    /// Processes the next numbered event of the run, and returns the events to append to the log.
    pub(super) fn take(&mut self, event: Event) -> Vec<Event> {
        if let Some(stored) = self.stored.get(self.repeated.len()) {
            let repeats = stored.as_ref().is_some_and(|stored| same(stored, &event.kind));
            self.repeated.push(event);
            if repeats {
                return Vec::new();
            }
            self.stored.clear();
            let whole = std::mem::take(&mut self.repeated);
            return whole.into_iter().map(|event| self.appended(event)).collect();
        }
        self.stored.clear();
        self.repeated.clear();
        vec![self.appended(event)]
    }

    fn appended(&mut self, event: Event) -> Event {
        let number = Some(self.next);
        self.next += 1;
        Event { number, run: self.run.clone(), ..event }
    }
}

/// Returns whether two events are equal, apart from values that may differ between two runs of the same program, such
/// as times, memory, error output, the isolation level, and whether the build was cached.
fn same(one: &EventKind, other: &EventKind) -> bool {
    use EventKind::{BuildFinished, CaseFaulted, CaseFinished, RunStarted};
    match (one, other) {
        (
            RunStarted { problem, program, language, cases, .. },
            RunStarted { problem: problem2, program: program2, language: language2, cases: cases2, .. },
        ) => (problem, program, language, cases) == (problem2, program2, language2, cases2),
        (BuildFinished { error, .. }, BuildFinished { error: error2, .. }) => error.is_some() == error2.is_some(),
        (CaseFinished(one), CaseFinished(other)) => {
            (&one.case, one.verdict, one.credit, &one.points)
                == (&other.case, other.verdict, other.credit, &other.points)
        }
        (CaseFaulted { case, .. }, CaseFaulted { case: case2, .. }) => case == case2,
        _ => one == other,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::model::{CaseId, TimeSpan};

    fn started(case: u8) -> EventKind {
        EventKind::CaseStarted { case: CaseId::new("all", case.into()), group: "all".to_owned() }
    }

    fn built(cached: bool, wall: u64) -> EventKind {
        EventKind::BuildFinished { cached, wall: TimeSpan::millis(wall), error: None }
    }

    /// Returns the log that results if a run with the events `run` continues the log `stored`.
    fn continued(stored: &[EventKind], run: &[EventKind]) -> Vec<EventKind> {
        let id = RunId::new("new");
        let mut continuation = Continuation::of(id.clone(), stored.iter().cloned().map(Some).collect());
        let mut log = stored.to_vec();
        for (number, kind) in (0..).zip(run) {
            let event = Event { run: RunId::new("old"), number: Some(number), at: TimeSpan::ZERO, kind: kind.clone() };
            for event in continuation.take(event) {
                assert_eq!((event.number, &event.run), (Some(log.len() as u64), &id));
                log.push(event.kind);
            }
        }
        assert_eq!(continuation.next, log.len() as u64);
        log
    }

    #[test]
    fn a_run_that_repeats_the_log_continues_it() {
        let (first, second) = ([built(false, 900), started(1)], [built(true, 0), started(1), started(2)]);
        assert_eq!(continued(&first, &second), [built(false, 900), started(1), started(2)]);
        assert_eq!(continued(&[], &second), second);
    }

    #[test]
    fn a_run_that_differs_is_appended_whole() {
        let (first, second) = ([started(1), started(2)], [started(1), started(3)]);
        assert_eq!(continued(&first, &second), [started(1), started(2), started(1), started(3)]);
    }

    proptest! {
        #[test]
        fn the_last_run_is_the_end_of_the_log(
            stored in prop::collection::vec(0..3_u8, 0..6),
            run in prop::collection::vec(0..3_u8, 0..6),
        ) {
            let [stored, run] = [stored, run].map(|cases| cases.into_iter().map(started).collect::<Vec<_>>());
            let log = continued(&stored, &run);
            prop_assert!(log.starts_with(&stored));
            prop_assert!(log.ends_with(&run) || stored.starts_with(&run), "{:?} {:?} {:?}", stored, run, log);
        }
    }
}
