//! The checks at the end of a simulation.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::super::{DispatchPolicy, JobRow, JobStage, Moment, QueueStore as _};
use super::world::{PROBE_MS, World};

/// The longest time that a person's program waits for a worker while others judge many programs of a class.
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
            assert!(!possible || in_time, "a person's job started after {waited:?} ms: {job}");
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
        assert!(answer.outcome.starts_with(&own), "the result of another program or version: {row:#?}");
        assert!(!row.spec.key.starts_with("poison"), "a job that ends its worker has a result: {row:#?}");
        if row.epoch == 0 {
            // The job took the result of an earlier job with this key.
            return;
        }
        let holder = &self.grants[&(row.number, row.epoch)];
        assert_eq!(row.holder.as_ref(), Some(holder));
        let own = format!("{} {} {} {}", holder.worker, holder.instance, row.number, row.epoch);
        let first = self.store.result(&row.spec.key, &answer.conditions).unwrap().unwrap();
        let is_first = first.job == row.number;
        assert!(
            *answer.report == *own || (!is_first && *answer == first.answer),
            "the result of a stale epoch: {row:#?}"
        );
    }

    /// Asserts that all jobs of a key and conditions have the same outcome, and that recorded differences have another
    /// one.
    fn check_keys(&self, rows: &[JobRow]) {
        let mut outcomes = BTreeMap::<(&str, &str), &Arc<str>>::new();
        for row in rows {
            let Some(answer) = &row.answer else { continue };
            let first = outcomes.entry((&row.spec.key, &answer.conditions)).or_insert(&answer.outcome);
            assert_eq!(*first, &answer.outcome, "two results for `{}`", row.spec.key);
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
