//! The state of the dispatch: the queued and running jobs, and the workers.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::change::{JobChange, StoreChange, Transition};
use super::dispatch_view::AttemptCounts;
use super::job::{JobNumber, JobRow, JobStage, WorkerId};
use super::messages::{DispatchInput, DispatchOutput, DispatchStep, WorkerHello};
use super::moment::Moment;
use super::policy::DispatchPolicy;
use super::pool_line::{LinePlace, PoolLine};
use super::pool_standard::PoolStandard;

/// The state machine that decides which worker receives which job.
///
/// The dispatch has no clock, does no I/O and uses no random numbers. It holds the open jobs of the store and the
/// reports of the workers. Each decision is a [`DispatchStep`]: a change to the store, and the effects that follow once
/// the change is stored. The dispatch assumes that the store accepts its changes. If the store refuses one, because
/// another coordinator has changed the job, [`Dispatch::replace`] corrects the dispatch.
///
/// A worker has a job for as long as its heartbeats renew the lease of the job. Each time a job is granted to a worker,
/// the job receives a new epoch, and the store accepts only results with the current epoch. Messages may therefore be
/// lost, repeated or late.
#[derive(Debug)]
pub struct Dispatch {
    pub(super) policy: DispatchPolicy,
    pub(super) now: Moment,
    pub(super) jobs: BTreeMap<JobNumber, OpenJob>,
    pub(super) pools: BTreeMap<String, PoolLine>,
    /// The standards with which the workers must agree, by pool.
    pub(super) standards: BTreeMap<String, PoolStandard>,
    /// The instances and names of the workers from which the standards were derived, in the order in which the workers
    /// were considered; `None` if the standards must be derived again.
    pub(super) standard_order: Option<Vec<(u64, WorkerId)>>,
    pub(super) workers: BTreeMap<WorkerId, KnownWorker>,
    /// The running jobs of each worker, including workers that have not registered.
    pub(super) held: BTreeMap<WorkerId, BTreeSet<JobNumber>>,
    /// The queued jobs whose next attempt is delayed, each with the earliest time of the attempt.
    pub(super) delayed: BTreeSet<(Moment, JobNumber)>,
    pub(super) running: BTreeSet<JobNumber>,
    /// The workers that were set aside, with the reasons, including workers that have not registered.
    pub(super) aside: BTreeMap<WorkerId, Arc<str>>,
    pub(super) rings: u64,
    /// The numbers of attempts that have ended.
    pub(super) attempts: AttemptCounts,
}

/// A queued or running job.
#[derive(Debug)]
pub(super) struct OpenJob {
    pub row: JobRow,
    /// The position of the job in the order of its pool.
    pub place: LinePlace,
    /// The time at which the lease ends, as extended by heartbeats.
    pub alive: Moment,
    /// The workers that reported a fault of the judge on this job.
    pub blamed: BTreeSet<WorkerId>,
}

/// A worker that has registered.
#[derive(Debug)]
pub(super) struct KnownWorker {
    pub hello: WorkerHello,
    /// The time of the worker's last registration, request or heartbeat.
    pub seen: Moment,
    /// The highest number of a request to which a job was granted; 0 if there is none.
    pub handled: u64,
    /// The jobs that another worker finished after this worker had reported a fault on them.
    pub strikes: BTreeSet<JobNumber>,
    /// The reason why the worker is not admitted to its pool; `None` if the worker is admitted.
    pub refused: Option<Arc<str>>,
    /// The reason for exclusion in the last admission message to the worker; `None` if the message permitted jobs.
    pub told: Option<Arc<str>>,
    /// The numbers of slots and of free slots of this worker that are included in the counts of its pool.
    pub counted: (usize, usize),
}

/// The numbers of jobs and slots of a pool, for a view of the queue.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PoolCounts {
    /// The number of queued jobs, including those whose next attempt is delayed.
    pub queued: usize,
    /// The number of running jobs.
    pub running: usize,
    /// The number of slots of the workers that take jobs.
    pub slots: usize,
    /// The number of free slots of the workers that take jobs.
    pub free: usize,
    /// The number of notifications ([`DispatchOutput::Ring`]) that await an answer from a worker.
    pub rung: usize,
}

impl Dispatch {
    /// Creates a dispatch without jobs and workers.
    pub fn new(policy: DispatchPolicy) -> Dispatch {
        Dispatch {
            policy,
            now: Moment::default(),
            jobs: BTreeMap::new(),
            pools: BTreeMap::new(),
            standards: BTreeMap::new(),
            standard_order: None,
            workers: BTreeMap::new(),
            held: BTreeMap::new(),
            delayed: BTreeSet::new(),
            running: BTreeSet::new(),
            aside: BTreeMap::new(),
            rings: 0,
            attempts: AttemptCounts::default(),
        }
    }

    /// Replaces the jobs with `open`, the open jobs of the store, and the excluded workers with `aside`, the workers
    /// that are set aside in the store. Other data about workers is kept. If the dispatch is `new`, each running job
    /// receives a full lease, because its worker could not renew the lease while there was no coordinator.
    pub fn load(&mut self, open: Vec<JobRow>, aside: BTreeMap<WorkerId, Arc<str>>, now: Moment, new: bool) {
        self.now = self.now.max(now);
        self.aside = aside;
        let known: BTreeSet<JobNumber> = open.iter().map(|row| row.number).collect();
        let closed: Vec<JobNumber> = self.jobs.keys().filter(|number| !known.contains(number)).copied().collect();
        closed.into_iter().for_each(|number| drop(self.take(number)));
        for row in open {
            let number = row.number;
            self.replace(row);
            if new && let Some(job) = self.jobs.get_mut(&number) {
                job.alive = self.now.after(self.policy.lease_ms);
            }
        }
        self.recount_all();
    }

    /// Replaces the excluded workers with `aside`, the workers that are set aside in the store.
    pub fn set_aside(&mut self, aside: BTreeMap<WorkerId, Arc<str>>) {
        if self.aside != aside {
            self.aside = aside;
            self.recount_all();
        }
    }

    /// Replaces the dispatch's copy of a job with a row of the store.
    pub fn replace(&mut self, row: JobRow) {
        if self.jobs.get(&row.number).is_none_or(|known| known.row != row) {
            self.put(row);
        }
    }

    /// Removes from the dispatch a job that is not in the store.
    pub fn remove(&mut self, number: JobNumber) {
        self.take(number);
    }

    /// Handles an event, and returns the decisions. If the clock was set back, `now` may be earlier than in the
    /// previous call; the dispatch then continues with the previous time.
    pub fn handle(&mut self, now: Moment, input: DispatchInput) -> Vec<DispatchStep> {
        self.now = self.now.max(now);
        let mut steps = match input {
            DispatchInput::Submitted(row) => {
                // A known job is not replaced, because it may have changed after `row` was read.
                if !self.jobs.contains_key(&row.number) {
                    self.put(row);
                }
                Vec::new()
            }
            DispatchInput::Hello(hello) => self.hello(hello),
            DispatchInput::Start { worker, instance, request, rung } => {
                vec![self.start(&worker, instance, request, rung)]
            }
            DispatchInput::Beat { worker, instance, draining, running } => {
                self.beat(&worker, instance, draining, running)
            }
            DispatchInput::Done { worker, job, epoch, answer } => vec![self.done(worker, job, epoch, answer)],
            DispatchInput::Faulted { worker, job, epoch, reason } => self.faulted(worker, job, epoch, reason),
            DispatchInput::Released { worker, job, epoch } => vec![self.released(worker, job, epoch)],
            DispatchInput::Cancel(job) => vec![self.cancel(job)],
            DispatchInput::Readmit(worker) => vec![self.readmit(&worker)],
            DispatchInput::Tick => self.tick(),
        };
        let rings = self.ring_pools();
        if !rings.is_empty() {
            steps.push(DispatchStep { change: None, then: rings, otherwise: Vec::new() });
        }
        steps
    }

    /// Returns whether the pool has a worker that takes jobs and supports all languages in `needs`, even if none of the
    /// worker's slots is free.
    pub fn can_run(&self, pool: &str, needs: &BTreeSet<String>) -> bool {
        let mut workers = self.workers.values();
        workers.any(|worker| {
            worker.hello.pool == pool && needs.is_subset(&worker.hello.languages) && self.takes_jobs(worker)
        })
    }

    /// Returns the numbers of jobs and slots of a pool.
    pub fn counts(&self, pool: &str) -> PoolCounts {
        let of_pool = |number: &JobNumber| self.jobs.get(number).is_some_and(|job| job.row.spec.pool == pool);
        let line = self.pools.get(pool);
        let delayed = self.delayed.iter().filter(|(_, number)| of_pool(number)).count();
        PoolCounts {
            queued: delayed + line.map_or(0, PoolLine::waiting),
            running: self.running.iter().filter(|number| of_pool(number)).count(),
            slots: line.map_or(0, |line| line.slots),
            free: line.map_or(0, |line| line.free),
            rung: line.map_or(0, |line| line.rung.len()),
        }
    }

    /// Returns the number of open jobs.
    pub fn open_jobs(&self) -> usize {
        self.jobs.len()
    }

    pub(super) fn line(&mut self, pool: &str) -> &mut PoolLine {
        self.pools.entry(pool.to_owned()).or_insert_with(|| PoolLine::new(&self.policy))
    }

    /// Applies a change to the dispatch's own copy of a job, and returns the corresponding change to the store.
    pub(super) fn change(&mut self, number: JobNumber, change: JobChange) -> StoreChange {
        if let Some(job) = self.jobs.get(&number)
            && let Transition::To(row) = job.row.change(&change, self.now)
        {
            match &change {
                JobChange::Finish { .. } => self.attempts.finished += 1,
                JobChange::Requeue { reason: Some(_), .. } => self.attempts.failed += 1,
                JobChange::Park { .. } => self.attempts.parked += 1,
                _ => {}
            }
            self.put(*row);
        }
        StoreChange::Job(number, change)
    }

    /// Adds or replaces a job, and updates all indexes. A job that is not open is removed.
    fn put(&mut self, row: JobRow) {
        let old = self.take(row.number);
        if !row.stage.is_open() {
            return;
        }
        let number = row.number;
        let spec = row.spec.clone();
        // A job that has failed at least twice is placed behind the waiting jobs, so that its further attempts do not
        // delay them.
        let is_again = row.stage == JobStage::Queued && row.attempts >= 2;
        let place = match &old {
            Some(old) if !is_again || old.row.stage == JobStage::Queued => old.place,
            _ => (spec.priority, self.line(&spec.pool).turn(spec.priority, &spec.owner), number),
        };
        // The time to which heartbeats extended the lease is retained until the epoch or the state of the job changes.
        let alive = match &old {
            Some(old) if old.row.epoch == row.epoch && old.row.stage == row.stage => old.alive.max(row.lease),
            _ => row.lease,
        };
        let blamed = old.map(|old| old.blamed).unwrap_or_default();
        match &row.holder {
            Some(holder) if row.stage == JobStage::Running => {
                self.running.insert(number);
                self.held.entry(holder.worker.clone()).or_default().insert(number);
                let worker = holder.worker.clone();
                self.line(&spec.pool).count_running(&row);
                self.jobs.insert(number, OpenJob { row, place, alive, blamed });
                self.recount(&worker);
                return;
            }
            _ if row.due > self.now => {
                self.delayed.insert((row.due, number));
            }
            _ => self.line(&spec.pool).push(&row, place),
        }
        self.jobs.insert(number, OpenJob { row, place, alive, blamed });
    }

    /// Removes a job from all indexes, and returns it, or `None` if there is no such job.
    fn take(&mut self, number: JobNumber) -> Option<OpenJob> {
        let job = self.jobs.remove(&number)?;
        let spec = job.row.spec.clone();
        if self.running.remove(&number) {
            self.line(&spec.pool).uncount_running(&job.row);
            if let Some(holder) = &job.row.holder {
                if let Some(held) = self.held.get_mut(&holder.worker) {
                    held.remove(&number);
                    if held.is_empty() {
                        self.held.remove(&holder.worker);
                    }
                }
                let worker = holder.worker.clone();
                self.recount(&worker);
            }
        } else if !self.delayed.remove(&(job.row.due, number)) {
            self.line(&spec.pool).remove(&job.row, job.place);
        }
        Some(job)
    }

    /// Adds the delayed jobs whose next attempt may now start to the queues of their pools.
    pub(super) fn queue_due(&mut self) {
        while let Some(&(due, number)) = self.delayed.first()
            && due <= self.now
        {
            self.delayed.pop_first();
            if let Some(job) = self.jobs.get(&number) {
                let (row, place) = (job.row.clone(), job.place);
                self.line(&row.spec.pool).push(&row, place);
            }
        }
    }

    /// Returns whether jobs may be granted to a worker: the worker is not draining, has sent a message within the
    /// length of a lease, and is not [excluded](Dispatch::excluded).
    pub(super) fn takes_jobs(&self, worker: &KnownWorker) -> bool {
        self.is_present(worker) && self.excluded(worker).is_none()
    }

    /// Returns whether a worker is not draining and has sent a message within the length of a lease.
    pub(super) fn is_present(&self, worker: &KnownWorker) -> bool {
        !worker.hello.draining && self.now.since(worker.seen) < self.policy.lease_ms
    }

    /// Updates the counts of a worker's slots in its pool.
    pub(super) fn recount(&mut self, id: &WorkerId) {
        let Some(worker) = self.workers.get(id) else { return };
        let slots = if self.takes_jobs(worker) { worker.hello.slots } else { 0 };
        let held = self.held.get(id).map_or(0, BTreeSet::len);
        let counted = (slots, slots.saturating_sub(held));
        let (before, pool) = (worker.counted, worker.hello.pool.clone());
        if let Some(worker) = self.workers.get_mut(id) {
            worker.counted = counted;
        }
        let line = self.line(&pool);
        line.slots = line.slots - before.0 + counted.0;
        line.free = line.free - before.1 + counted.1;
        if counted.1 > 0 {
            line.ready.insert(id.clone());
        } else {
            line.ready.remove(id);
        }
    }

    pub(super) fn recount_all(&mut self) {
        let ids: Vec<WorkerId> = self.workers.keys().cloned().collect();
        ids.iter().for_each(|id| self.recount(id));
    }

    /// Returns and records notifications of the first waiting jobs of each pool, until `rings_per_slot` notifications
    /// for each free slot await an answer.
    fn ring_pools(&mut self) -> Vec<DispatchOutput> {
        let mut outputs = Vec::new();
        let until = self.now.after(self.policy.ring_ms);
        for (name, line) in &mut self.pools {
            while line.rung.len() < self.policy.rings_per_slot * line.free {
                let has_ready = |needs: &BTreeSet<String>| {
                    let mut ready = line.ready.iter().filter_map(|id| self.workers.get(id));
                    ready.any(|worker| needs.is_subset(&worker.hello.languages))
                };
                let place = line.first_not_rung(&self.policy, has_ready);
                let Some(job) = place.and_then(|place| self.jobs.get(&place.2)) else { break };
                line.ring(job.place, &job.row, until);
                self.rings += 1;
                outputs.push(DispatchOutput::Ring { pool: name.clone(), job: job.row.number, ring: self.rings });
            }
        }
        outputs
    }
}

#[cfg(test)]
#[path = "dispatch_tests.rs"]
mod tests;
