//! The store of the simulation, which injects errors and checks each change to a job.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::sync::Arc;

use super::super::{
    Applied, JobChange, JobNumber, JobRow, JobStage, KeyDifference, KeyResult, Moment, NewProgram, QueueStore,
    QueueStoreError, Rejudging, StoreChange, WorkerId,
};
use super::random::Seeded;

/// A store that returns simulated errors, before or after it applies the changes of a call.
pub(super) struct AuditedStore {
    inner: Box<dyn QueueStore>,
    random: RefCell<Seeded>,
    /// The expected number of errors in a thousand calls.
    pub errors: Cell<u64>,
    pub most_attempts: u32,
}

impl AuditedStore {
    pub(super) fn new(inner: Box<dyn QueueStore>, seed: u64, errors: u64, most_attempts: u32) -> AuditedStore {
        AuditedStore { inner, random: RefCell::new(Seeded::new(!seed)), errors: Cell::new(errors), most_attempts }
    }

    fn failing<T>(&self, work: impl FnOnce() -> Result<T, QueueStoreError>) -> Result<T, QueueStoreError> {
        let mut random = self.random.borrow_mut();
        if !random.chance(self.errors.get()) {
            return work();
        }
        // In half of the errors, the call takes effect and only its result is lost.
        if random.chance(500) {
            work()?;
        }
        Err(QueueStoreError("simulated".to_owned()))
    }

    fn row(&self, number: JobNumber) -> Option<JobRow> {
        self.inner.job(number).unwrap()
    }

    fn check(&self, before: &JobRow, after: &JobRow) {
        if before == after {
            return;
        }
        let what = format!("{before:?}\nbecame\n{after:?}");
        assert!(before.stage.is_open(), "a job that has ended changed: {what}");
        assert_eq!((before.number, &before.spec, before.created), (after.number, &after.spec, after.created), "{what}");
        let claimed = before.stage == JobStage::Queued && after.stage == JobStage::Running;
        assert_eq!(after.epoch, before.epoch + u64::from(claimed), "only a claim changes the epoch: {what}");
        assert!(after.attempts <= self.most_attempts, "the job has too many attempts: {what}");
        assert!(after.avoid.is_superset(&before.avoid), "{what}");
        match after.stage {
            JobStage::Queued => assert!(before.stage == JobStage::Running && after.holder.is_none(), "{what}"),
            JobStage::Running => assert!(claimed || before.holder == after.holder, "the worker changed: {what}"),
            JobStage::Finished => {
                assert!(before.stage == JobStage::Running && before.holder == after.holder, "{what}");
                assert!(after.answer.is_some(), "{what}");
            }
            JobStage::Parked => {
                assert_eq!(after.attempts, self.most_attempts, "the job was parked too early: {what}");
                assert!(after.reason.is_some() && after.answer.is_none(), "{what}");
            }
            JobStage::Cancelled => assert!(after.answer.is_none(), "{what}"),
        }
    }
}

/// Asserts that only the worker that has the job, with the current epoch, sets the result of the job.
fn check_result(change: &StoreChange, before: &JobRow, after: &JobRow) {
    let StoreChange::Job(_, JobChange::Finish { epoch, worker, .. }) = change else { return };
    if before != after {
        assert!(
            before.is_held(worker, *epoch),
            "worker {worker} finished a job with the stale epoch {epoch}: {before:?}"
        );
    }
}

impl QueueStore for AuditedStore {
    fn submit(&self, programs: &[NewProgram], now: Moment) -> Result<Vec<JobRow>, QueueStoreError> {
        self.failing(|| self.inner.submit(programs, now))
    }

    fn apply(&self, changes: &[StoreChange], now: Moment) -> Result<Vec<Applied>, QueueStoreError> {
        self.failing(|| {
            let of_job = |change: &StoreChange| match change {
                StoreChange::Job(number, _) => self.row(*number),
                StoreChange::Worker(..) => None,
            };
            // Changes are applied one by one, so that each can be checked.
            let mut applied = Vec::new();
            for change in changes {
                let before = of_job(change);
                let effect = self.inner.apply(std::slice::from_ref(change), now)?;
                let after = of_job(change);
                if let (Some(before), Some(after)) = (&before, &after) {
                    self.check(before, after);
                    check_result(change, before, after);
                }
                let (Applied::Stored(row) | Applied::Refused(row)) = &effect[0];
                assert_eq!(row.as_deref(), after.as_ref(), "the returned job differs from the stored job");
                applied.extend(effect);
            }
            Ok(applied)
        })
    }

    fn rejudge(
        &self,
        submissions: &[String],
        rejudging: Rejudging,
        now: Moment,
    ) -> Result<Vec<JobRow>, QueueStoreError> {
        self.failing(|| self.inner.rejudge(submissions, rejudging, now))
    }

    fn open_jobs(&self) -> Result<Vec<JobRow>, QueueStoreError> {
        self.failing(|| self.inner.open_jobs())
    }

    fn changed_since(&self, since: Moment) -> Result<Vec<JobRow>, QueueStoreError> {
        self.failing(|| self.inner.changed_since(since))
    }

    fn job(&self, number: JobNumber) -> Result<Option<JobRow>, QueueStoreError> {
        self.inner.job(number)
    }

    fn job_of(&self, submission: &str) -> Result<Option<JobRow>, QueueStoreError> {
        self.inner.job_of(submission)
    }

    fn program(&self, submission: &str) -> Result<Option<NewProgram>, QueueStoreError> {
        self.inner.program(submission)
    }

    fn remove_ended(&self, before: Moment, most: u32) -> Result<u64, QueueStoreError> {
        self.inner.remove_ended(before, most)
    }

    fn set_aside(&self) -> Result<BTreeMap<WorkerId, Arc<str>>, QueueStoreError> {
        self.inner.set_aside()
    }

    fn append_events(&self, job: JobNumber, epoch: u64, events: &[(u64, String)]) -> Result<bool, QueueStoreError> {
        self.inner.append_events(job, epoch, events)
    }

    fn events_since(
        &self,
        submission: &str,
        after: Option<u64>,
        limit: u32,
    ) -> Result<Vec<(u64, String)>, QueueStoreError> {
        self.inner.events_since(submission, after, limit)
    }

    fn result(&self, key: &str, conditions: &str) -> Result<Option<KeyResult>, QueueStoreError> {
        self.inner.result(key, conditions)
    }

    fn differences(&self) -> Result<Vec<KeyDifference>, QueueStoreError> {
        self.inner.differences()
    }
}
