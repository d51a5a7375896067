//! A view of the dispatch for display: pools, workers and counts.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::dispatch::{Dispatch, KnownWorker};
use super::job::JobStage;
use super::worker_traits::CanaryResult;

/// The jobs and the slots of a pool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PoolView {
    /// The name of the pool.
    pub name: String,
    /// The number of queued jobs.
    pub queued: usize,
    /// The number of running jobs.
    pub running: usize,
    /// The number of slots of the workers that take jobs.
    pub slots: usize,
    /// The number of free slots of the workers that take jobs.
    pub free: usize,
    /// The age of the oldest queued job, in milliseconds; `None` if no job is queued.
    pub oldest_ms: Option<u64>,
    /// The languages that are needed by queued jobs but supported by none of the pool's workers that take jobs.
    pub missing_languages: BTreeSet<String>,
}

/// The state of a worker. A silent worker is shown as silent even if it is draining or was set aside, and a worker that
/// was set aside is shown as set aside even if it is draining.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum WorkerState {
    /// The worker takes jobs.
    Ready,
    /// The worker takes no more jobs, because its process is about to end.
    Draining,
    /// The worker has sent no message for at least the length of a lease.
    Silent,
    /// The worker receives no jobs, because it failed on jobs that other workers finished, or because a canary run
    /// returned a wrong verdict.
    Aside,
    /// The worker receives no jobs, because it differs from the other workers of its pool.
    NotAdmitted,
}

impl WorkerState {
    /// All states.
    pub const ALL: [WorkerState; 5] =
        [WorkerState::Ready, WorkerState::Draining, WorkerState::Silent, WorkerState::Aside, WorkerState::NotAdmitted];

    /// Returns the name of the state in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            WorkerState::Ready => "ready",
            WorkerState::Draining => "draining",
            WorkerState::Silent => "silent",
            WorkerState::Aside => "aside",
            WorkerState::NotAdmitted => "not_admitted",
        }
    }
}

/// A worker that has registered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WorkerView {
    /// The name of the worker.
    pub name: String,
    /// The pool of the worker.
    pub pool: String,
    /// The state of the worker.
    pub state: WorkerState,
    /// The reason why the worker is excluded from receiving jobs; `None` if it is not excluded.
    pub reason: Option<String>,
    /// Maximum number of concurrent jobs.
    pub slots: usize,
    /// The number of jobs that are granted to the worker and have not ended.
    pub running: usize,
    /// The time since the worker's last message, in milliseconds.
    pub silent_ms: u64,
    /// The languages whose programs the worker can run.
    pub languages: BTreeSet<String>,
    /// The model of the CPU.
    pub cpu: String,
    /// The isolation level of the worker's sandbox.
    pub isolation: String,
    /// The CPU time of a fixed workload, in microseconds; 0 if it was not measured.
    pub calibration_us: u64,
    /// Result of the last canary run; `None` before the first run.
    pub canary: Option<CanaryResult>,
    /// Time since the last canary run, in milliseconds; `None` before the first run.
    pub canary_age_ms: Option<u64>,
}

/// The numbers of attempts that have ended since the coordinator's process started. Attempts that other coordinators
/// ended are not counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct AttemptCounts {
    /// The number of attempts that returned a result.
    pub finished: u64,
    /// The number of failed attempts whose jobs were queued again.
    pub failed: u64,
    /// The number of failed attempts whose jobs were parked.
    pub parked: u64,
}

/// A snapshot of the state of the dispatch, for display.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct DispatchView {
    /// The pools, by name.
    pub pools: Vec<PoolView>,
    /// The workers, by name.
    pub workers: Vec<WorkerView>,
    /// The numbers of attempts that have ended.
    pub attempts: AttemptCounts,
}

impl Dispatch {
    /// Returns the view of the pools, the workers and the ended attempts.
    pub fn view(&self) -> DispatchView {
        let mut names: BTreeSet<&str> = self.pools.keys().map(String::as_str).collect();
        names.extend(self.workers.values().map(|worker| worker.hello.pool.as_str()));
        let mut queued = BTreeMap::<&str, Vec<_>>::new();
        for job in self.jobs.values().filter(|job| job.row.stage == JobStage::Queued) {
            queued.entry(&job.row.spec.pool).or_default().push(&job.row);
        }
        let pool = |name: &str| {
            let counts = self.counts(name);
            let waiting = queued.get(name).map(Vec::as_slice).unwrap_or_default();
            let ready = self.workers.values().filter(|worker| worker.hello.pool == name && self.takes_jobs(worker));
            let known: BTreeSet<&String> = ready.flat_map(|worker| &worker.hello.languages).collect();
            let needed = waiting.iter().flat_map(|row| &row.spec.needs);
            PoolView {
                name: name.to_owned(),
                queued: counts.queued,
                running: counts.running,
                slots: counts.slots,
                free: counts.free,
                oldest_ms: waiting.iter().map(|row| self.now.since(row.created)).max(),
                missing_languages: needed.filter(|language| !known.contains(language)).cloned().collect(),
            }
        };
        DispatchView {
            pools: names.into_iter().map(pool).collect(),
            workers: self.workers.values().map(|worker| self.view_of(worker)).collect(),
            attempts: self.attempts,
        }
    }

    fn view_of(&self, worker: &KnownWorker) -> WorkerView {
        let hello = &worker.hello;
        let silent_ms = self.now.since(worker.seen);
        let excluded = self.excluded(worker);
        let is_refused = excluded.is_some() && excluded == worker.refused;
        let state = if silent_ms >= self.policy.lease_ms {
            WorkerState::Silent
        } else if excluded.is_some() && !is_refused {
            WorkerState::Aside
        } else if hello.draining {
            WorkerState::Draining
        } else if is_refused {
            WorkerState::NotAdmitted
        } else {
            WorkerState::Ready
        };
        WorkerView {
            name: hello.worker.to_string(),
            pool: hello.pool.clone(),
            state,
            reason: excluded.map(|reason| reason.as_ref().to_owned()),
            slots: hello.slots,
            running: self.held.get(&hello.worker).map_or(0, BTreeSet::len),
            silent_ms,
            languages: hello.languages.clone(),
            cpu: hello.traits.cpu.clone(),
            isolation: hello.traits.isolation.clone(),
            calibration_us: hello.traits.calibration_us,
            canary: hello.canary.as_deref().cloned(),
            canary_age_ms: hello.canary.as_ref().map(|canary| self.now.since(canary.at())),
        }
    }
}
