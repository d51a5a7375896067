//! An in-memory implementation of [`QueueStore`] for tests. It is the simplest implementation, with which the others
//! are compared.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::change::{StoreChange, Transition, WorkerChange};
use super::job::{JobNumber, JobRow, JobStage, WorkerId};
use super::moment::Moment;
use super::program::NewProgram;
use super::store::{Applied, KeyDifference, KeyResult, QueueStore, QueueStoreError, Rejudging, again, settle};

/// An in-memory [`QueueStore`], whose contents are lost when the store is dropped.
#[derive(Debug, Default)]
pub(crate) struct MemoryStore(RefCell<MemoryTables>);

#[derive(Debug, Default)]
struct MemoryTables {
    jobs: BTreeMap<JobNumber, (JobRow, Moment)>,
    programs: BTreeMap<String, (NewProgram, JobNumber)>,
    events: BTreeMap<String, Vec<String>>,
    aside: BTreeMap<WorkerId, Arc<str>>,
    /// The first results by key and conditions.
    results: BTreeMap<(String, String), KeyResult>,
    differences: Vec<KeyDifference>,
}

impl MemoryTables {
    fn change(&mut self, change: &StoreChange, now: Moment) -> Applied {
        let (number, change) = match change {
            StoreChange::Job(number, change) => (number, change),
            StoreChange::Worker(worker, WorkerChange::SetAside(reason)) => {
                self.aside.insert(worker.clone(), reason.clone());
                return Applied::Stored(None);
            }
            StoreChange::Worker(worker, WorkerChange::Readmit) => {
                self.aside.remove(worker);
                return Applied::Stored(None);
            }
        };
        let Some((row, _)) = self.jobs.get(number) else { return Applied::Refused(None) };
        match row.change(change, now) {
            Transition::Conflict => Applied::Refused(Some(Box::new(row.clone()))),
            Transition::Already => Applied::Stored(Some(Box::new(row.clone()))),
            Transition::To(mut row) => {
                if let (JobStage::Finished, Some(answer)) = (row.stage, row.answer.clone()) {
                    let key = (row.spec.key.clone(), answer.conditions.as_ref().to_owned());
                    let first = self.results.get(&key);
                    let difference = settle(&mut row, first);
                    self.differences.extend(difference);
                    if first.is_none() {
                        self.results.insert(key, KeyResult { job: row.number, answer });
                    }
                }
                self.jobs.insert(*number, ((*row).clone(), now));
                Applied::Stored(Some(row))
            }
        }
    }

    fn add(&mut self, spec: &super::JobSpec, now: Moment) -> JobRow {
        let number = JobNumber(self.jobs.last_key_value().map_or(1, |(number, _)| number.0 + 1));
        let row = JobRow::queued(number, spec.clone(), now);
        self.jobs.insert(number, (row.clone(), now));
        row
    }
}

impl QueueStore for MemoryStore {
    fn submit(&self, programs: &[NewProgram], now: Moment) -> Result<Vec<JobRow>, QueueStoreError> {
        let mut tables = self.0.borrow_mut();
        let mut rows = Vec::new();
        for program in programs {
            let known = tables.programs.get(&program.spec.submission).and_then(|(_, job)| tables.jobs.get(job));
            if let Some((row, _)) = known {
                rows.push(row.clone());
                continue;
            }
            let mut row = tables.add(&program.spec, now);
            if let Some(conditions) = &program.reuse
                && let Some(result) = tables.results.get(&(program.spec.key.clone(), conditions.clone()))
            {
                row = row.reusing(result, now);
                tables.jobs.insert(row.number, (row.clone(), now));
            }
            tables.programs.insert(program.spec.submission.clone(), (program.clone(), row.number));
            rows.push(row);
        }
        Ok(rows)
    }

    fn apply(&self, changes: &[StoreChange], now: Moment) -> Result<Vec<Applied>, QueueStoreError> {
        let mut tables = self.0.borrow_mut();
        Ok(changes.iter().map(|change| tables.change(change, now)).collect())
    }

    fn rejudge(
        &self,
        submissions: &[String],
        rejudging: Rejudging,
        now: Moment,
    ) -> Result<Vec<JobRow>, QueueStoreError> {
        let mut tables = self.0.borrow_mut();
        let mut rows = Vec::new();
        for submission in submissions {
            let Some((program, last)) = tables.programs.get(submission) else { continue };
            if tables.jobs.get(last).is_some_and(|(row, _)| row.stage.is_open()) {
                continue;
            }
            let spec = again(&program.spec);
            if rejudging == Rejudging::Replace {
                tables.results.retain(|(key, _), _| *key != spec.key);
                tables.events.remove(submission);
            }
            let row = tables.add(&spec, now);
            if let Some((_, last)) = tables.programs.get_mut(submission) {
                *last = row.number;
            }
            rows.push(row);
        }
        Ok(rows)
    }

    fn open_jobs(&self) -> Result<Vec<JobRow>, QueueStoreError> {
        let tables = self.0.borrow();
        Ok(tables.jobs.values().map(|(row, _)| row).filter(|row| row.stage.is_open()).cloned().collect())
    }

    fn changed_since(&self, since: Moment) -> Result<Vec<JobRow>, QueueStoreError> {
        let tables = self.0.borrow();
        Ok(tables.jobs.values().filter(|(_, changed)| *changed >= since).map(|(row, _)| row.clone()).collect())
    }

    fn job(&self, number: JobNumber) -> Result<Option<JobRow>, QueueStoreError> {
        Ok(self.0.borrow().jobs.get(&number).map(|(row, _)| row.clone()))
    }

    fn job_of(&self, submission: &str) -> Result<Option<JobRow>, QueueStoreError> {
        let tables = self.0.borrow();
        let last = tables.programs.get(submission).and_then(|(_, job)| tables.jobs.get(job));
        Ok(last.map(|(row, _)| row.clone()))
    }

    fn program(&self, submission: &str) -> Result<Option<NewProgram>, QueueStoreError> {
        Ok(self.0.borrow().programs.get(submission).map(|(program, _)| program.clone()))
    }

    fn set_aside(&self) -> Result<BTreeMap<WorkerId, Arc<str>>, QueueStoreError> {
        Ok(self.0.borrow().aside.clone())
    }

    fn append_events(&self, job: JobNumber, epoch: u64, events: &[(u64, String)]) -> Result<bool, QueueStoreError> {
        let mut tables = self.0.borrow_mut();
        let Some((row, _)) = tables.jobs.get(&job) else { return Ok(false) };
        if row.stage != JobStage::Running || row.epoch != epoch {
            return Ok(false);
        }
        let submission = row.spec.submission.clone();
        let log = tables.events.entry(submission).or_default();
        for (number, json) in events {
            if *number == log.len() as u64 {
                log.push(json.clone());
            }
        }
        Ok(true)
    }

    fn events_since(
        &self,
        submission: &str,
        after: Option<u64>,
        limit: u32,
    ) -> Result<Vec<(u64, String)>, QueueStoreError> {
        let tables = self.0.borrow();
        let log = tables.events.get(submission).cloned().unwrap_or_default();
        let numbered = (0..).zip(log).filter(|(number, _)| after.is_none_or(|after| *number > after));
        Ok(numbered.take(limit as usize).collect())
    }

    fn result(&self, key: &str, conditions: &str) -> Result<Option<KeyResult>, QueueStoreError> {
        Ok(self.0.borrow().results.get(&(key.to_owned(), conditions.to_owned())).cloned())
    }

    fn remove_ended(&self, before: Moment, most: u32) -> Result<u64, QueueStoreError> {
        let mut tables = self.0.borrow_mut();
        let last = tables.jobs.last_key_value().map(|(number, _)| *number);
        let is_old = |row: &JobRow| {
            !row.stage.is_open() && row.ended.is_some_and(|ended| ended < before) && Some(row.number) != last
        };
        let old = tables.jobs.values().map(|(row, _)| row).filter(|row| is_old(row)).take(most as usize);
        let old: Vec<(JobNumber, String)> = old.map(|row| (row.number, row.spec.submission.clone())).collect();
        for (number, submission) in &old {
            tables.jobs.remove(number);
            tables.results.retain(|_, result| result.job != *number);
            tables.differences.retain(|difference| difference.job != *number);
            if !tables.jobs.values().any(|(row, _)| row.spec.submission == *submission) {
                tables.programs.remove(submission);
                tables.events.remove(submission);
            }
        }
        Ok(old.len() as u64)
    }

    fn differences(&self) -> Result<Vec<KeyDifference>, QueueStoreError> {
        Ok(self.0.borrow().differences.clone())
    }
}
