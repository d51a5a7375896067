//! The submissions that the queue of the cluster does not have yet.

use std::collections::{HashMap, HashSet, VecDeque};
use std::time::{Duration, Instant};

use crate::submissions::SubmissionId;

/// Maximum number of attempts to read the problem of a submission.
const ATTEMPTS: u32 = 5;
/// The pause before the second attempt. The pause doubles before each further attempt.
const PAUSE: Duration = Duration::from_secs(1);

/// The submissions that the queue of the cluster does not have yet, in the order in which they are added to it. Only
/// their ids are kept in memory.
#[derive(Debug, Default)]
pub(super) struct ForwarderBacklog {
    line: VecDeque<SubmissionId>,
    /// The submissions with a failed attempt, with the times of their next attempts.
    later: Vec<(Instant, SubmissionId)>,
    /// The number of failed attempts of each submission.
    failures: HashMap<SubmissionId, u32>,
}

impl ForwarderBacklog {
    /// Appends a submission to the backlog.
    pub(super) fn push(&mut self, id: SubmissionId) {
        self.line.push_back(id);
    }

    /// Removes and returns the next submission; `None` if the backlog contains only submissions whose next attempt is
    /// later than `now`, or is empty.
    pub(super) fn next(&mut self, now: Instant) -> Option<SubmissionId> {
        match self.later.iter().position(|(due, _)| *due <= now) {
            Some(place) => Some(self.later.swap_remove(place).1),
            None => self.line.pop_front(),
        }
    }

    /// Puts submissions back at the front of the backlog, in the order of `ids`.
    pub(super) fn put_back(&mut self, ids: Vec<SubmissionId>) {
        ids.into_iter().rev().for_each(|id| self.line.push_front(id));
    }

    /// Adds a submission whose next attempt follows after a pause that depends on its number of failed attempts.
    pub(super) fn postpone(&mut self, id: SubmissionId, now: Instant) {
        let failures = self.failures.get(&id).copied().unwrap_or(0);
        self.later.push((now + PAUSE * 2_u32.pow(failures.saturating_sub(1)), id));
    }

    /// Records a failed attempt. If attempts remain, postpones the submission and returns true. Otherwise, discards the
    /// number of failed attempts and returns false.
    pub(super) fn failed(&mut self, id: &SubmissionId, now: Instant) -> bool {
        let failures = self.failures.entry(id.clone()).or_default();
        *failures += 1;
        if *failures < ATTEMPTS {
            self.postpone(id.clone(), now);
            return true;
        }
        self.failures.remove(id);
        false
    }

    /// Resets the number of failed attempts of a submission.
    pub(super) fn forget(&mut self, id: &SubmissionId) {
        self.failures.remove(id);
    }

    /// Removes submissions, and their numbers of failed attempts.
    pub(super) fn remove(&mut self, ids: &HashSet<SubmissionId>) {
        self.line.retain(|id| !ids.contains(id));
        self.later.retain(|(_, id)| !ids.contains(id));
        self.failures.retain(|id, _| !ids.contains(id));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn submissions_keep_their_order_and_are_given_up_after_the_last_attempt() {
        let ids: Vec<SubmissionId> = (0..3).map(|_| SubmissionId::random().unwrap()).collect();
        let mut backlog = ForwarderBacklog::default();
        ids.iter().for_each(|id| backlog.push(id.clone()));
        let mut now = Instant::now();
        let first = backlog.next(now).unwrap();
        assert_eq!(first, ids[0]);
        for attempt in 1..ATTEMPTS {
            assert!(backlog.failed(&first, now), "{attempt}");
            assert_ne!(backlog.next(now).as_ref(), Some(&first), "the next attempt is not due");
            backlog.put_back(vec![ids[1].clone()]);
            now += PAUSE * 2_u32.pow(attempt - 1);
            assert_eq!(backlog.next(now).as_ref(), Some(&first));
        }
        assert!(!backlog.failed(&first, now));
        backlog.remove(&HashSet::from([ids[1].clone()]));
        assert_eq!(backlog.next(now + PAUSE * 100), Some(ids[2].clone()));
        assert_eq!(backlog.next(now + PAUSE * 100), None);
    }
}
