//! A worker of the simulation: a worker's session, which can crash, and programs that take simulated time.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::super::{
    DispatchOutput, JobAnswer, JobNumber, JobRow, WorkerAct, WorkerAlarm, WorkerHello, WorkerId, WorkerSession,
};
use super::random::Seeded;

/// The simulated outcome of judging a program: the end of the worker's process, a fault of the judge, or a result that
/// may differ between runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fate {
    pub poison: bool,
    pub fault: bool,
    pub flaky: bool,
}

/// Returns the conditions of the results of process `instance` of a worker. Successive processes alternate between two
/// versions of the judge.
pub(super) fn conditions_of(instance: u64) -> String {
    format!("version {}", instance % 2)
}

#[derive(Debug)]
pub(super) struct SimWorker {
    pub id: WorkerId,
    pub pool: String,
    pub slots: usize,
    pub languages: BTreeSet<String>,
    /// The session of the process; `None` while the process is down.
    pub session: Option<WorkerSession>,
    pub instance: u64,
    pub paused_until: u64,
    pub cut_until: u64,
    programs: BTreeMap<(JobNumber, u64), (Arc<str>, Fate)>,
}

impl SimWorker {
    pub(super) fn new(id: &str, pool: &str, slots: usize, languages: BTreeSet<String>) -> SimWorker {
        SimWorker {
            id: WorkerId::new(id),
            pool: pool.to_owned(),
            slots,
            languages,
            session: None,
            instance: 0,
            paused_until: 0,
            cut_until: 0,
            programs: BTreeMap::new(),
        }
    }

    pub(super) fn boot(&mut self) -> Vec<WorkerAct> {
        self.instance += 1;
        self.programs.clear();
        let (session, acts) = WorkerSession::start(WorkerHello {
            worker: self.id.clone(),
            machine: 1,
            instance: self.instance,
            pool: self.pool.clone(),
            slots: self.slots,
            languages: self.languages.clone(),
            draining: false,
            traits: Arc::default(),
            canary: None,
        });
        self.session = Some(session);
        acts
    }

    pub(super) fn free_slots(&self) -> usize {
        self.session.as_ref().map_or(0, WorkerSession::free_slots)
    }

    pub(super) fn ask(&mut self, rung: Option<JobNumber>) -> Vec<WorkerAct> {
        self.session.as_mut().map(|session| session.ask(rung)).unwrap_or_default()
    }

    pub(super) fn take(&mut self, output: DispatchOutput) -> Vec<WorkerAct> {
        self.session.as_mut().map(|session| session.take(output)).unwrap_or_default()
    }

    pub(super) fn wake(&mut self, alarm: WorkerAlarm) -> Vec<WorkerAct> {
        self.session.as_mut().map(|session| session.wake(alarm)).unwrap_or_default()
    }

    pub(super) fn drain(&mut self) {
        if let Some(session) = &mut self.session {
            session.drain();
        }
    }

    /// Starts the simulated program of a job.
    pub(super) fn run(&mut self, row: &JobRow, fate: Fate) {
        self.programs.insert((row.number, row.epoch), (row.spec.key.as_str().into(), fate));
    }

    pub(super) fn stop(&mut self, job: JobNumber, epoch: u64) {
        self.programs.remove(&(job, epoch));
    }

    /// Ends the program of a job, and returns the resulting actions of the worker, whose process quits if the program
    /// is `poison`.
    pub(super) fn end(&mut self, job: JobNumber, epoch: u64, random: &mut Seeded) -> Vec<WorkerAct> {
        let Some((key, fate)) = self.programs.remove(&(job, epoch)) else { return Vec::new() };
        if fate.poison {
            return vec![WorkerAct::Quit];
        }
        let end = if fate.fault {
            Err("no space left".into())
        } else {
            let noise = if fate.flaky { format!(" {}", random.below(2)) } else { String::new() };
            let report = format!("{} {} {job} {epoch}", self.id, self.instance).into();
            // Another version of the worker may judge differently.
            let conditions = conditions_of(self.instance);
            let outcome = format!("{key}, {conditions}{noise}").into();
            Ok(JobAnswer { conditions: conditions.into(), outcome, report })
        };
        self.session.as_mut().map(|session| session.ended(job, epoch, end)).unwrap_or_default()
    }
}
