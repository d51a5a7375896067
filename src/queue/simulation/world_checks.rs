//! The checks at the end of a simulation.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::super::{DispatchPolicy, JobRow, JobStage, Moment, QueueStore as _};
use super::world::{PROBE_MS, World};

/// The longest time, in milliseconds, that a person's program may wait for a worker while a large batch of programs is
/// judged.
const LONGEST_WAIT_MS: u64 = 60_000;

impl World {
    pub(super) fn check(&self) {
        let rows = self.store.changed_since(Moment(0)).unwrap();
        let attempts = DispatchPolicy::default().attempts;
        for (submission, job) in &self.acknowledged {
            let row = self.store.job(*job).unwrap();
            assert!(row.is_some(), "the acknowledged submission {submission} is lost");
        }
        for row in &rows {
            match row.stage {
                JobStage::Queued | JobStage::Running => {
                    assert!(!self.is_possible(row), "{} is stuck: {row:#?}", row.number);
                }
                JobStage::Parked => assert_eq!(row.attempts, attempts, "{row:#?}"),
                JobStage::Finished => self.check_finished(row),
                JobStage::Cancelled => {}
            }
        }
        self.check_keys(&rows);
        for (job, granted) in &self.probes {
            let possible = self.is_possible(&self.store.job(*job).unwrap().unwrap());
            let waited = granted.map(|granted| granted - PROBE_MS);
            let in_time = waited.is_some_and(|waited| waited <= LONGEST_WAIT_MS);
            assert!(!possible || in_time, "{job} with priority `Person` waited too long for a worker: {waited:?} ms");
        }
        assert_eq!(self.probes.len(), 2);
    }

    /// Returns whether a worker that is not set aside can judge the job, possibly after a restart.
    pub(super) fn is_possible(&self, row: &JobRow) -> bool {
        let aside = self.store.set_aside().unwrap();
        self.workers.iter().any(|worker| {
            !aside.contains_key(&worker.id)
                && worker.pool == row.spec.pool
                && row.spec.needs.is_subset(&worker.languages)
        })
    }

    fn check_finished(&self, row: &JobRow) {
        let answer = row.answer.as_ref().unwrap();
        let own = format!("{}, {}", row.spec.key, answer.conditions);
        assert!(answer.outcome.starts_with(&own), "a job has the result of another program or version: {row:#?}");
        assert!(!row.spec.key.starts_with("poison"), "a job whose program ends the worker has a result: {row:#?}");
        if row.epoch == 0 {
            // The job reused the result of an earlier job with the same key.
            return;
        }
        let holder = &self.grants[&(row.number, row.epoch)];
        assert_eq!(row.holder.as_ref(), Some(holder));
        let own = format!("{} {} {} {}", holder.worker, holder.instance, row.number, row.epoch);
        let first = self.store.result(&row.spec.key, &answer.conditions).unwrap().unwrap();
        let is_first = first.job == row.number;
        assert!(
            *answer.report == *own || (!is_first && *answer == first.answer),
            "a job has the result of a stale epoch: {row:#?}"
        );
    }

    /// Asserts that all jobs with equal keys and conditions have the same outcome, and that the outcome in each
    /// recorded difference differs from the stored outcome.
    fn check_keys(&self, rows: &[JobRow]) {
        let mut outcomes = BTreeMap::<(&str, &str), &Arc<str>>::new();
        for row in rows {
            let Some(answer) = &row.answer else { continue };
            let first = outcomes.entry((&row.spec.key, &answer.conditions)).or_insert(&answer.outcome);
            assert_eq!(*first, &answer.outcome, "two different outcomes for the key `{}`", row.spec.key);
        }
        let differences = self.store.differences().unwrap();
        assert!(self.swarm.flaky_results || differences.is_empty(), "{differences:?}");
        for difference in differences {
            let has_other = outcomes.iter().any(|((key, conditions), outcome)| {
                *key == difference.key
                    && difference.outcome.starts_with(&format!("{key}, {conditions}"))
                    && ***outcome != *difference.outcome
            });
            assert!(has_other, "{difference:?}");
        }
    }
}
