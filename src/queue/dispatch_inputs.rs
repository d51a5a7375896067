//! Handlers for the inputs of the dispatch: messages of workers, cancellations and ticks of the clock.

use std::collections::BTreeSet;
use std::sync::Arc;

use nimatron_model::counted;

use super::change::{JobChange, StoreChange, WorkerChange};
use super::dispatch::{Dispatch, KnownWorker};
use super::job::{JobAnswer, JobHolder, JobNumber, JobRow, JobStage, WorkerId};
use super::messages::{Denial, DispatchOutput, DispatchStep, WorkerHello};

/// The delay before a job that a worker released is granted again, in milliseconds.
const RELEASE_DELAY_MS: u64 = 1_000;

/// Whether a worker has a job with a certain epoch, according to the state of the dispatch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum HolderStanding {
    /// The worker has the job.
    Current,
    /// The worker does not have the job with this epoch, and the epoch is not later than the job's epoch in the
    /// dispatch.
    Stale,
    /// The dispatch cannot determine whether the worker has the job, because the dispatch does not have the job or has
    /// it with an earlier epoch: the job has ended, or another coordinator has granted it to the worker.
    Unclear,
}

impl Dispatch {
    pub(super) fn hello(&mut self, hello: WorkerHello) -> Vec<DispatchStep> {
        let id = hello.worker.clone();
        let instance = hello.instance;
        let is_changed = self.workers.get(&id).is_some_and(|known| known.hello.traits != hello.traits);
        match self.workers.get(&id) {
            Some(known) if self.is_in_use_elsewhere(known, hello.machine) => {
                return vec![output(self.name_in_use(&hello))];
            }
            Some(known) if known.hello.instance > instance => {
                return vec![output(refusal(&id, instance, None, Denial::Superseded))];
            }
            Some(known) => {
                let strikes = known.strikes.clone();
                // A restarted process numbers its requests from the beginning.
                let handled = if known.hello.instance == instance { known.handled } else { 0 };
                self.forget(&id);
                self.register(hello, handled, strikes);
            }
            None => self.register(hello, 0, BTreeSet::new()),
        }
        if is_changed {
            // The standard of the pool may have been derived from the old properties of this worker.
            self.standard_order = None;
            self.admit_all();
        }
        self.recount(&id);
        let admission = self.admission(&id);
        // The earlier process has ended, so its jobs are lost.
        let held = self.held.get(&id).cloned().unwrap_or_default();
        let is_lost = |number: &JobNumber| {
            let holder = self.jobs.get(number).and_then(|job| job.row.holder.as_ref());
            holder.is_some_and(|holder| holder.instance < instance)
        };
        let lost: Vec<JobNumber> = held.into_iter().filter(is_lost).collect();
        let reason: Arc<str> = format!("worker `{id}` ended while it was judging the program").into();
        let failed = lost.into_iter().filter_map(|number| self.fail(number, &reason, Vec::new()));
        let steps: Vec<DispatchStep> = failed.collect();
        admission.map(output).into_iter().chain(steps).collect()
    }

    fn register(&mut self, hello: WorkerHello, handled: u64, strikes: BTreeSet<JobNumber>) {
        let refused = self.refusal_of(&hello);
        let (id, seen) = (hello.worker.clone(), self.now);
        let worker = KnownWorker { hello, seen, handled, strikes, refused, told: None, counted: (0, 0) };
        self.workers.insert(id, worker);
    }

    /// Returns whether the name of a known worker is in use on a machine other than `machine`: the worker has not
    /// drained, and has sent a message within the length of a lease. Without this check, two machines with workers of
    /// the same name would repeatedly end each other's processes and lose their jobs.
    fn is_in_use_elsewhere(&self, known: &KnownWorker, machine: u64) -> bool {
        let is_elsewhere = ![0, machine].contains(&known.hello.machine) && machine != 0;
        let has_drained = known.hello.draining && !self.held.contains_key(&known.hello.worker);
        is_elsewhere && !has_drained && self.now.since(known.seen) < self.policy.lease_ms
    }

    fn name_in_use(&self, hello: &WorkerHello) -> DispatchOutput {
        let (id, seconds) = (&hello.worker, self.policy.lease_ms / 1_000);
        let reason = format!(
            "another machine has a worker with the name `{id}`; choose another name with `--name`, or, if that machine \
             has just failed, restart this worker after {seconds} s"
        );
        DispatchOutput::Reject { worker: id.clone(), instance: hello.instance, reason: reason.into() }
    }

    /// Removes a worker, and subtracts the worker's slots from the counts of its pool.
    fn forget(&mut self, id: &WorkerId) {
        if let Some(worker) = self.workers.remove(id) {
            let line = self.line(&worker.hello.pool);
            line.slots -= worker.counted.0;
            line.free -= worker.counted.1;
            line.ready.remove(id);
        }
    }

    pub(super) fn start(
        &mut self,
        id: &WorkerId,
        instance: u64,
        request: u64,
        rung: Option<JobNumber>,
    ) -> DispatchStep {
        if let Some(job) = rung.and_then(|number| self.jobs.get(&number)) {
            let row = job.row.clone();
            self.line(&row.spec.pool).end_ring(&row);
        }
        let refuse = |reason| output(refusal(id, instance, Some(request), reason));
        let Some(worker) = self.workers.get_mut(id) else { return refuse(Denial::Unknown) };
        if worker.hello.instance != instance {
            let later = worker.hello.instance > instance;
            return refuse(if later { Denial::Superseded } else { Denial::Unknown });
        }
        worker.seen = self.now;
        let handled = worker.handled;
        self.recount(id);
        if let Some(row) = self.granted(id, instance, request) {
            // The claim is sent to the store again, because the store may not have accepted the first one yet if both
            // requests are handled together.
            let holder = JobHolder { worker: id.clone(), instance, request };
            let claim = JobChange::Claim { epoch: row.epoch, holder, lease: row.lease };
            let change = Some(StoreChange::Job(row.number, claim));
            let otherwise = vec![refusal(id, instance, Some(request), Denial::Again)];
            return DispatchStep { change, then: vec![DispatchOutput::Grant(Box::new(row))], otherwise };
        }
        let Some(worker) = self.workers.get(id) else { return refuse(Denial::Unknown) };
        if request <= handled {
            return refuse(Denial::Repeated);
        }
        if !self.takes_jobs(worker) {
            let mut step = refuse(Denial::Excluded);
            step.then.extend(self.admission(id));
            return step;
        }
        if worker.counted.1 == 0 {
            return refuse(Denial::Full);
        }
        let Some(number) = self.choose(worker) else { return refuse(Denial::Nothing) };
        self.grant(number, JobHolder { worker: id.clone(), instance, request })
    }

    /// Returns the job that was already granted to this request and that the worker still has, if any.
    fn granted(&self, id: &WorkerId, instance: u64, request: u64) -> Option<JobRow> {
        let held = self.held.get(id)?;
        let mut rows = held.iter().filter_map(|number| self.jobs.get(number)).map(|job| &job.row);
        let is_answer = |row: &&JobRow| {
            row.holder.as_ref().is_some_and(|holder| holder.instance == instance && holder.request == request)
        };
        rows.find(is_answer).cloned()
    }

    /// Returns the first job that this worker may start, if any.
    fn choose(&self, worker: &KnownWorker) -> Option<JobNumber> {
        let line = self.pools.get(&worker.hello.pool)?;
        let is_allowed = |number| self.jobs.get(&number).is_some_and(|job| !self.is_avoided(&job.row, worker));
        line.first(&self.policy, &worker.hello.languages, is_allowed).map(|place| place.2)
    }

    /// Returns whether the job is reserved for other workers that can run it, because the job failed or was lost on
    /// this worker.
    fn is_avoided(&self, row: &JobRow, worker: &KnownWorker) -> bool {
        row.avoid.contains(&worker.hello.worker)
            && self.workers.values().any(|other| {
                !row.avoid.contains(&other.hello.worker)
                    && other.hello.pool == worker.hello.pool
                    && row.spec.needs.is_subset(&other.hello.languages)
                    && self.takes_jobs(other)
            })
    }

    fn grant(&mut self, number: JobNumber, holder: JobHolder) -> DispatchStep {
        let lease = self.now.after(self.policy.lease_ms);
        let JobHolder { worker, instance, request } = holder.clone();
        if let Some(worker) = self.workers.get_mut(&worker) {
            worker.handled = request;
        }
        let Some(job) = self.jobs.get(&number) else { return DispatchStep::default() };
        let (epoch, place, pool) = (job.row.epoch + 1, job.place, job.row.spec.pool.clone());
        self.line(&pool).serve(place);
        let change = self.change(number, JobChange::Claim { epoch, holder, lease });
        let granted = self.jobs.get(&number).map(|job| Box::new(job.row.clone()));
        let then = granted.map(DispatchOutput::Grant).into_iter().chain([DispatchOutput::Changed(number)]).collect();
        let otherwise = vec![refusal(&worker, instance, Some(request), Denial::Again)];
        DispatchStep { change: Some(change), then, otherwise }
    }

    pub(super) fn beat(
        &mut self,
        id: &WorkerId,
        instance: u64,
        draining: bool,
        running: Vec<(JobNumber, u64)>,
    ) -> Vec<DispatchStep> {
        let refuse = |reason| vec![output(refusal(id, instance, None, reason))];
        let Some(worker) = self.workers.get_mut(id) else { return refuse(Denial::Unknown) };
        if worker.hello.instance != instance {
            let later = worker.hello.instance > instance;
            return refuse(if later { Denial::Superseded } else { Denial::Unknown });
        }
        worker.seen = self.now;
        worker.hello.draining = draining;
        self.recount(id);
        let lease = self.now.after(self.policy.lease_ms);
        let mut steps = Vec::new();
        for (number, epoch) in running {
            let cancel = DispatchOutput::Cancel { worker: id.clone(), job: number, epoch };
            match self.standing(id, number, epoch) {
                HolderStanding::Current => {
                    if let Some(job) = self.jobs.get_mut(&number) {
                        job.alive = job.alive.max(lease);
                    }
                }
                HolderStanding::Stale => steps.push(output(cancel)),
                HolderStanding::Unclear => {
                    let change = JobChange::Renew { epoch, worker: id.clone(), lease };
                    let change = Some(StoreChange::Job(number, change));
                    steps.push(DispatchStep { change, then: Vec::new(), otherwise: vec![cancel] });
                }
            }
        }
        steps
    }

    fn standing(&self, worker: &WorkerId, number: JobNumber, epoch: u64) -> HolderStanding {
        let Some(job) = self.jobs.get(&number) else { return HolderStanding::Unclear };
        if job.row.is_held(worker, epoch) {
            HolderStanding::Current
        } else if job.row.epoch >= epoch {
            HolderStanding::Stale
        } else {
            HolderStanding::Unclear
        }
    }

    pub(super) fn done(&mut self, worker: WorkerId, job: JobNumber, epoch: u64, answer: JobAnswer) -> DispatchStep {
        let cancel = DispatchOutput::Cancel { worker: worker.clone(), job, epoch };
        if self.standing(&worker, job, epoch) == HolderStanding::Stale {
            return output(cancel);
        }
        // This worker finished the job, so the job counts against every other worker that reported a fault on it.
        let blamed = self.jobs.get(&job).map(|job| job.blamed.clone()).unwrap_or_default();
        let others: Vec<WorkerId> = blamed.into_iter().filter(|other| *other != worker).collect();
        for other in &others {
            if let Some(other) = self.workers.get_mut(other) {
                other.strikes.insert(job);
            }
        }
        let settled = DispatchOutput::Settled { worker: worker.clone(), job, epoch };
        let change = self.change(job, JobChange::Finish { epoch, worker, answer });
        let then = vec![settled, DispatchOutput::Changed(job)];
        DispatchStep { change: Some(change), then, otherwise: vec![cancel] }
    }

    pub(super) fn faulted(
        &mut self,
        worker: WorkerId,
        number: JobNumber,
        epoch: u64,
        reason: Arc<str>,
    ) -> Vec<DispatchStep> {
        let settled = DispatchOutput::Settled { worker: worker.clone(), job: number, epoch };
        match self.standing(&worker, number, epoch) {
            HolderStanding::Stale => vec![output(settled)],
            // The worker repeats the report until the dispatch has read the job from the store, or until the answer to
            // a heartbeat ends the job.
            HolderStanding::Unclear => Vec::new(),
            HolderStanding::Current => {
                if let Some(job) = self.jobs.get_mut(&number) {
                    job.blamed.insert(worker);
                }
                self.fail(number, &reason, vec![settled]).into_iter().collect()
            }
        }
    }

    /// Requeues a job whose attempt failed, or parks the job after the last attempt. Returns `None` if the job is not
    /// open.
    pub(super) fn fail(
        &mut self,
        number: JobNumber,
        reason: &Arc<str>,
        mut then: Vec<DispatchOutput>,
    ) -> Option<DispatchStep> {
        let row = &self.jobs.get(&number)?.row;
        let (epoch, attempts) = (row.epoch, row.attempts);
        let avoid = row.holder.as_ref().map(|holder| holder.worker.clone());
        let change = if attempts >= self.policy.attempts {
            let reason = format!("the job failed {attempts} times; the last failure: {reason}").into();
            JobChange::Park { epoch, reason }
        } else {
            let due = self.now.after(self.policy.backoff(attempts));
            JobChange::Requeue { epoch, due, avoid, reason: Some(reason.clone()) }
        };
        then.push(DispatchOutput::Changed(number));
        let change = Some(self.change(number, change));
        Some(DispatchStep { change, then, otherwise: Vec::new() })
    }

    pub(super) fn released(&mut self, worker: WorkerId, number: JobNumber, epoch: u64) -> DispatchStep {
        let settled = DispatchOutput::Settled { worker: worker.clone(), job: number, epoch };
        if self.standing(&worker, number, epoch) != HolderStanding::Current {
            return output(settled);
        }
        let due = self.now.after(RELEASE_DELAY_MS);
        let change = self.change(number, JobChange::Requeue { epoch, due, avoid: None, reason: None });
        let then = vec![settled.clone(), DispatchOutput::Changed(number)];
        DispatchStep { change: Some(change), then, otherwise: vec![settled] }
    }

    pub(super) fn cancel(&mut self, number: JobNumber) -> DispatchStep {
        let row = self.jobs.get(&number).map(|job| &job.row);
        let running = row.filter(|row| row.stage == JobStage::Running);
        let stop = running.and_then(|row| {
            let worker = row.holder.as_ref()?.worker.clone();
            Some(DispatchOutput::Cancel { worker, job: number, epoch: row.epoch })
        });
        let then = stop.into_iter().chain([DispatchOutput::Changed(number)]).collect();
        let change = Some(self.change(number, JobChange::Cancel));
        DispatchStep { change, then, otherwise: Vec::new() }
    }

    pub(super) fn readmit(&mut self, worker: &WorkerId) -> DispatchStep {
        self.aside.remove(worker);
        if let Some(known) = self.workers.get_mut(worker) {
            known.strikes.clear();
        }
        self.recount(worker);
        let change = Some(StoreChange::Worker(worker.clone(), WorkerChange::Readmit));
        DispatchStep { change, then: Vec::new(), otherwise: Vec::new() }
    }

    /// Sets aside the workers that failed on at least `strikes` jobs that other workers finished.
    fn set_strikers_aside(&mut self) -> Vec<DispatchStep> {
        let strikers = self
            .workers
            .iter()
            .filter(|(id, worker)| worker.strikes.len() >= self.policy.strikes.max(1) && !self.aside.contains_key(*id));
        let strikers: Vec<(WorkerId, usize)> =
            strikers.map(|(id, worker)| (id.clone(), worker.strikes.len())).collect();
        let mut steps = Vec::new();
        for (id, strikes) in strikers {
            let programs = counted(strikes, "program", "programs");
            let reason: Arc<str> = format!("worker `{id}` failed on {programs} that other workers judged").into();
            self.aside.insert(id.clone(), reason.clone());
            self.recount(&id);
            let change = Some(StoreChange::Worker(id.clone(), WorkerChange::SetAside(reason.clone())));
            let then = vec![DispatchOutput::SetAside(id, reason)];
            steps.push(DispatchStep { change, then, otherwise: Vec::new() });
        }
        steps
    }

    pub(super) fn tick(&mut self) -> Vec<DispatchStep> {
        self.queue_due();
        self.admit_all();
        self.recount_all();
        let mut steps = self.set_strikers_aside();
        steps.extend(self.changed_admissions().into_iter().map(output));
        for number in self.running.clone() {
            let Some(job) = self.jobs.get(&number) else { continue };
            let Some(holder) = &job.row.holder else { continue };
            let (epoch, worker, alive) = (job.row.epoch, holder.worker.clone(), job.alive);
            if alive <= self.now {
                let reason = format!("worker `{worker}` sent no message for {} s", self.policy.lease_ms / 1_000).into();
                steps.extend(self.fail(number, &reason, Vec::new()));
            } else if alive.since(job.row.lease) >= self.policy.renew_ms {
                let change = Some(self.change(number, JobChange::Renew { epoch, worker, lease: alive }));
                steps.push(DispatchStep { change, then: Vec::new(), otherwise: Vec::new() });
            }
        }
        self.end_late_rings();
        self.remove_absent();
        self.pools.values_mut().for_each(|line| line.forget_served());
        steps
    }

    /// Removes the workers that have no job and have sent no message for `forget_ms`.
    fn remove_absent(&mut self) {
        let is_absent = |worker: &KnownWorker| self.now.since(worker.seen) >= self.policy.forget_ms;
        let absent = self.workers.iter().filter(|(id, worker)| is_absent(worker) && !self.held.contains_key(*id));
        let absent: Vec<WorkerId> = absent.map(|(id, _)| id.clone()).collect();
        absent.iter().for_each(|id| self.forget(id));
    }

    /// Ends the notifications that no worker answered in time, so that the workers can be notified of the jobs again.
    fn end_late_rings(&mut self) {
        for line in self.pools.values_mut() {
            let late = line.rung.iter().filter(|(_, (_, until))| *until <= self.now);
            let late: Vec<JobNumber> = late.map(|(number, _)| *number).collect();
            for number in late {
                if let Some(job) = self.jobs.get(&number) {
                    line.end_ring(&job.row);
                }
            }
        }
    }
}

/// Returns the decision that has the output `output` and does not change the store.
fn output(output: DispatchOutput) -> DispatchStep {
    DispatchStep { change: None, then: vec![output], otherwise: Vec::new() }
}

fn refusal(worker: &WorkerId, instance: u64, request: Option<u64>, reason: Denial) -> DispatchOutput {
    DispatchOutput::Refuse { worker: worker.clone(), instance, request, reason }
}
