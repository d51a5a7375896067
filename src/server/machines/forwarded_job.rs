//! A job whose events the coordinator receives, and the check that decides whether the events are
//! accepted.

use nimatron_cluster::JobEvents;

use crate::queue::{JobHolder, JobRow, JobStage, WorkerId};
use crate::submissions::SubmissionId;

/// Maximum size of the events of an attempt, in bytes, because they are kept in memory while the program runs. Further
/// events are only received as part of the report.
const LARGEST_LOG: usize = 32 << 20;

/// A job of a submission that has not ended.
pub(super) struct ForwardedJob {
    pub id: SubmissionId,
    /// The current attempt; `None` if no worker is known to have the job.
    pub attempt: Option<ForwardedAttempt>,
}

/// An attempt of a worker to judge the program of a job.
pub(super) struct ForwardedAttempt {
    worker: WorkerId,
    epoch: u64,
    /// The total size of the events that were received so far, in bytes.
    received: usize,
}

impl ForwardedJob {
    /// Updates the current attempt from the row of the job.
    pub(super) fn is_now(&mut self, row: &JobRow) {
        let holder = row.holder.as_ref().filter(|_| row.stage == JobStage::Running);
        let known =
            self.attempt.take().filter(|known| holder.is_some_and(|holder| known.is(&holder.worker, row.epoch)));
        let new =
            |holder: &JobHolder| ForwardedAttempt { worker: holder.worker.clone(), epoch: row.epoch, received: 0 };
        self.attempt = known.or_else(|| holder.map(new));
    }
}

impl ForwardedAttempt {
    fn is(&self, worker: &WorkerId, epoch: u64) -> bool {
        self.worker == *worker && self.epoch == epoch
    }

    /// Returns whether events are accepted: `worker` must be the worker that holds the job, the epoch must be that of
    /// the attempt, and the total size of the attempt's events must not exceed [`LARGEST_LOG`]. The first two
    /// conditions prevent a worker from writing into the log of a program that it does not judge.
    pub(super) fn takes(&mut self, worker: &WorkerId, events: &JobEvents) -> bool {
        if !self.is(worker, events.epoch) {
            return false;
        }
        self.received += events.events.iter().map(String::len).sum::<usize>();
        self.received <= LARGEST_LOG
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::queue::{JobNumber, JobSpec, Moment, Priority};

    fn row(stage: JobStage, worker: &str, epoch: u64) -> JobRow {
        let spec = JobSpec {
            submission: "s".to_owned(),
            pool: "main".to_owned(),
            priority: Priority::Person,
            owner: "a".to_owned(),
            needs: BTreeSet::new(),
            key: "k".to_owned(),
        };
        let holder = Some(JobHolder { worker: WorkerId::new(worker), instance: 1, request: 1 });
        JobRow { stage, epoch, holder, ..JobRow::queued(JobNumber(5), spec, Moment(1)) }
    }

    #[test]
    fn events_count_only_with_the_current_attempt_and_its_worker() {
        let mut job = ForwardedJob { id: "0".repeat(32).parse().unwrap(), attempt: None };
        let takes = |job: &mut ForwardedJob, worker: &str, epoch, bytes| {
            let events = JobEvents { job: 5, epoch, events: vec!["x".repeat(bytes)] };
            job.attempt.as_mut().is_some_and(|attempt| attempt.takes(&WorkerId::new(worker), &events))
        };
        assert!(!takes(&mut job, "w1", 0, 1));
        job.is_now(&row(JobStage::Running, "w1", 1));
        for (worker, epoch, expected) in [("w1", 1, true), ("w2", 1, false), ("w1", 2, false), ("w1", 0, false)] {
            assert_eq!(takes(&mut job, worker, epoch, 1), expected, "{worker} {epoch}");
        }
        job.is_now(&row(JobStage::Running, "w2", 2));
        assert!(!takes(&mut job, "w1", 1, 1) && takes(&mut job, "w2", 2, LARGEST_LOG - 1));
        job.is_now(&row(JobStage::Running, "w2", 2));
        assert!(takes(&mut job, "w2", 2, 1) && !takes(&mut job, "w2", 2, 1), "the limit is that of the attempt");
        job.is_now(&row(JobStage::Finished, "w2", 2));
        assert!(!takes(&mut job, "w2", 2, 1));
    }
}
