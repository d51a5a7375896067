//! The world of the simulation: the order of all events, the network, the clients, and the faults.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::super::{
    DispatchInput, DispatchOutput, DispatchPolicy, JobHolder, JobNumber, JobRow, JobSpec, NewProgram, Priority,
    QueueStore, Rejudging, WorkerAct, WorkerAlarm,
};
use super::audit::AuditedStore;
use super::random::Seeded;
use super::sim_coordinator::SimCoordinator;
use super::sim_worker::{Fate, SimWorker, conditions_of};
use super::swarm::Swarm;

/// The time at which the faults end.
pub(super) const CALM_MS: u64 = 120_000;
/// The time at which the last programs are submitted, when the leases from the time of the faults have ended.
pub(super) const PROBE_MS: u64 = CALM_MS + 60_000;
/// The latest end of the simulation.
pub(super) const END_MS: u64 = PROBE_MS + 420_000;

#[derive(Debug, Clone)]
enum Happening {
    ToCoordinator(usize, DispatchInput),
    ToWorker(usize, DispatchOutput),
    /// A ring for a job reaches the workers of a pool. The last fields are the time at which the ring was sent, and the
    /// number of times that the doorbell had lost its rings by then.
    Ring(String, JobNumber, u64, u64),
    Handle(usize, u64),
    Tick(usize, u64),
    StartCoordinator(usize),
    StartWorker(usize),
    WakeWorker(usize, u64, WorkerAlarm),
    /// A program on a worker ends.
    ProgramEnds(usize, u64, JobNumber, u64),
    Submit(Box<NewProgram>),
    Cancel(JobNumber),
    Rejudge(String),
    /// The occasion, once a second, at which random faults are injected.
    Second,
    Calm,
    /// The simulation ends if there are no more jobs to judge.
    EndIfDone,
}

pub(super) struct World {
    pub random: Seeded,
    pub swarm: Swarm,
    pub now: u64,
    sequence: u64,
    happenings: BTreeMap<(u64, u64), Happening>,
    pub store: Rc<AuditedStore>,
    pub coordinators: Vec<SimCoordinator>,
    pub workers: Vec<SimWorker>,
    doorbell: u64,
    /// The submissions that were acknowledged, with their jobs.
    pub acknowledged: BTreeMap<String, JobNumber>,
    /// The jobs with [`Priority::Person`] that are submitted at [`PROBE_MS`], with the times of their first grants;
    /// `None` before the first grant.
    pub probes: BTreeMap<JobNumber, Option<u64>>,
    pub grants: BTreeMap<(JobNumber, u64), JobHolder>,
    trace: bool,
}

impl World {
    pub(super) fn new(seed: u64, trace: bool, store: Box<dyn QueueStore>) -> World {
        let mut random = Seeded::new(seed);
        let swarm = Swarm::of(&mut random);
        let policy = DispatchPolicy::default();
        let store = AuditedStore::new(store, seed, swarm.store_errors, policy.attempts);
        let skew = |random: &mut Seeded| random.below(2_000) as i64 - 1_000;
        let coordinator = |skew_ms| SimCoordinator { process: None, life: 0, inbox: Vec::new(), skew_ms };
        let coordinators = (0..swarm.coordinators).map(|_| coordinator(skew(&mut random))).collect();
        let mut world = World {
            random,
            swarm,
            now: 0,
            sequence: 0,
            happenings: BTreeMap::new(),
            store: Rc::new(store),
            coordinators,
            workers: Vec::new(),
            doorbell: 0,
            acknowledged: BTreeMap::new(),
            probes: BTreeMap::new(),
            grants: BTreeMap::new(),
            trace,
        };
        world.furnish();
        world
    }

    fn furnish(&mut self) {
        for number in 0..self.swarm.workers {
            let pool = if self.random.chance(800) { "main" } else { "other" };
            let rare = self.random.chance(300);
            let languages = ["c", "python"].into_iter().chain(rare.then_some("haskell"));
            let slots = self.random.between(1, 3) as usize;
            let languages = languages.map(str::to_owned).collect();
            self.workers.push(SimWorker::new(&format!("w{number}"), pool, slots, languages));
            let at = self.random.below(3_000);
            self.at(at, Happening::StartWorker(number));
        }
        (0..self.coordinators.len()).for_each(|number| self.at(0, Happening::StartCoordinator(number)));
        for number in 0..self.swarm.jobs {
            let priority = Priority::ALL[self.random.index(2)];
            let owner = format!("p{}", self.random.below(4));
            let program = self.program(number, priority, &owner);
            let at = self.random.below(CALM_MS);
            self.at(at, Happening::Submit(Box::new(program)));
        }
        for number in 0..20 {
            let program = self.program(1_000 + number, Priority::Batch, "class");
            self.at(PROBE_MS - 1_000, Happening::Submit(Box::new(program)));
        }
        for number in 0..2 {
            let mut program = self.program(2_000 + number, Priority::Person, &format!("probe {number}"));
            program.spec.needs = BTreeSet::from(["c".to_owned()]);
            program.spec.pool = self.workers[number as usize % self.workers.len()].pool.clone();
            program.spec.key = "good probe".to_owned();
            self.at(PROBE_MS, Happening::Submit(Box::new(program)));
        }
        (0..CALM_MS / 1_000).for_each(|second| self.at(second * 1_000 + 500, Happening::Second));
        self.at(CALM_MS, Happening::Calm);
        self.at(PROBE_MS + 5_000, Happening::EndIfDone);
    }

    fn program(&mut self, number: u64, priority: Priority, owner: &str) -> NewProgram {
        let kind = if self.random.chance(self.swarm.poison) { "poison" } else { "good" };
        let language = if self.random.chance(self.swarm.impossible) { "cobol" } else { "c" };
        let language = if self.random.chance(100) { "haskell" } else { language };
        let spec = JobSpec {
            submission: format!("s{number}"),
            pool: if self.random.chance(800) { "main" } else { "other" }.to_owned(),
            priority,
            owner: owner.to_owned(),
            needs: BTreeSet::from([language.to_owned()]),
            key: format!("{kind} {}", self.random.below(30)),
        };
        NewProgram {
            spec,
            problem: "sum".to_owned(),
            name: "a.c".to_owned(),
            language: None,
            kind: "submit".to_owned(),
            source: Vec::new(),
            input: None,
            reuse: self.random.chance(200).then(|| conditions_of(self.random.below(2))),
        }
    }

    fn at(&mut self, time: u64, happening: Happening) {
        self.sequence += 1;
        self.happenings.insert((time.max(self.now), self.sequence), happening);
    }

    fn is_calm(&self) -> bool {
        self.now >= CALM_MS
    }

    /// Handles all events in order, until no event is left or [`END_MS`] has passed.
    pub(super) fn run(&mut self) {
        while let Some(((time, _), happening)) = self.happenings.pop_first()
            && time <= END_MS
        {
            self.now = time;
            if self.trace {
                println!("{time:>7} {happening:?}");
            }
            self.happen(happening);
        }
    }

    fn happen(&mut self, happening: Happening) {
        match happening.clone() {
            Happening::ToCoordinator(number, input) => {
                let coordinator = &mut self.coordinators[number];
                if coordinator.process.is_none() {
                    return;
                }
                coordinator.inbox.push(input);
                if coordinator.inbox.len() == 1 {
                    let life = coordinator.life;
                    let later = self.now + self.random.below(20);
                    self.at(later, Happening::Handle(number, life));
                }
            }
            Happening::Handle(number, life) => {
                if self.coordinators[number].life == life {
                    let inputs = std::mem::take(&mut self.coordinators[number].inbox);
                    self.handle(number, inputs);
                }
            }
            Happening::Tick(number, life) => {
                if self.coordinators[number].life == life && self.coordinators[number].process.is_some() {
                    self.handle(number, vec![DispatchInput::Tick]);
                    self.at(self.now + 1_000, Happening::Tick(number, life));
                }
            }
            Happening::ToWorker(number, output) => self.reach_worker(number, output),
            Happening::WakeWorker(number, instance, alarm) => {
                if self.is_ready(number, instance, &happening) {
                    let acts = self.workers[number].wake(alarm);
                    self.act(number, acts);
                }
            }
            Happening::ProgramEnds(number, instance, job, epoch) => {
                if self.is_ready(number, instance, &happening) {
                    let acts = self.workers[number].end(job, epoch, &mut self.random);
                    self.act(number, acts);
                }
            }
            Happening::Ring(pool, job, sent, life) => self.ring(pool, job, sent, life),
            Happening::StartCoordinator(number) => self.start_coordinator(number),
            Happening::StartWorker(number) => {
                if self.workers[number].session.is_none() {
                    let acts = self.workers[number].boot();
                    self.act(number, acts);
                }
            }
            Happening::Submit(program) => self.submit(*program),
            Happening::Cancel(job) => {
                let number = self.random.index(self.coordinators.len());
                if self.coordinators[number].process.is_some() {
                    self.handle(number, vec![DispatchInput::Cancel(job)]);
                }
            }
            Happening::Rejudge(submission) => self.rejudge(&submission),
            Happening::Second => self.second(),
            Happening::Calm => self.calm(),
            Happening::EndIfDone => {
                let open = self.store.open_jobs().unwrap();
                if open.iter().any(|row| self.is_possible(row)) {
                    self.at(self.now + 5_000, Happening::EndIfDone);
                } else {
                    self.happenings.clear();
                }
            }
        }
    }

    fn start_coordinator(&mut self, number: usize) {
        let coordinator = &mut self.coordinators[number];
        if coordinator.process.is_some() {
            return;
        }
        if coordinator.open(&self.store, self.swarm.coordinators > 1, self.now) {
            let life = coordinator.life;
            let first = self.now + self.random.below(1_000);
            self.at(first, Happening::Tick(number, life));
        } else {
            self.at(self.now + 1_000, Happening::StartCoordinator(number));
        }
    }

    fn handle(&mut self, number: usize, inputs: Vec<DispatchInput>) {
        let clock = self.coordinators[number].clock(self.now);
        let Some(process) = &mut self.coordinators[number].process else { return };
        let outputs = process.handle(inputs, clock);
        if self.sequence.is_multiple_of(16) {
            process.dispatch().assert_consistent();
        }
        let dies = !self.is_calm() && self.random.chance(self.swarm.coordinator_dies_after_store);
        if dies {
            return self.crash_coordinator(number);
        }
        self.route(outputs.unwrap_or_default());
    }

    /// Sends the outputs of a coordinator.
    fn route(&mut self, outputs: Vec<DispatchOutput>) {
        for output in outputs {
            let worker = match &output {
                DispatchOutput::Ring { pool, job, .. } => {
                    let (now, life) = (self.now, self.doorbell);
                    self.send(&Happening::Ring(pool.clone(), *job, now, life));
                    continue;
                }
                DispatchOutput::Grant(row) => {
                    self.granted(row);
                    row.holder.as_ref().unwrap().worker.clone()
                }
                DispatchOutput::Refuse { worker, .. }
                | DispatchOutput::Reject { worker, .. }
                | DispatchOutput::Admission { worker, .. }
                | DispatchOutput::Settled { worker, .. }
                | DispatchOutput::Cancel { worker, .. } => worker.clone(),
                DispatchOutput::Changed(_) | DispatchOutput::SetAside(..) => continue,
            };
            let number = self.workers.iter().position(|known| known.id == worker).unwrap();
            if self.workers[number].cut_until <= self.now {
                self.send(&Happening::ToWorker(number, output));
            }
        }
    }

    fn granted(&mut self, row: &JobRow) {
        let holder = row.holder.clone().unwrap();
        let before = self.grants.insert((row.number, row.epoch), holder.clone());
        assert!(before.is_none_or(|before| before == holder), "two workers have {} with the same epoch", row.number);
        let stored = self.store.job(row.number).unwrap().unwrap();
        assert!(stored.epoch >= row.epoch, "{} was granted before its epoch was stored", row.number);
        if let Some(first @ None) = self.probes.get_mut(&row.number) {
            *first = Some(self.now);
        }
    }

    /// Sends a message over the simulated network.
    fn send(&mut self, happening: &Happening) {
        let (lost, repeated, delay) = match self.is_calm() {
            true => (0, 0, 10),
            false => (self.swarm.lost, self.swarm.repeated, self.swarm.delay_ms),
        };
        let copies = 1 + u64::from(self.random.chance(repeated));
        for _ in 0..copies {
            // A duplicate may arrive very late.
            let late = if copies > 1 && self.random.chance(100) { self.random.below(40_000) } else { 0 };
            let arrives = self.now + self.random.between(1, delay) + late;
            if !self.random.chance(lost) {
                self.at(arrives, happening.clone());
            }
        }
    }

    fn act(&mut self, number: usize, acts: Vec<WorkerAct>) {
        for act in acts {
            let cut = self.workers[number].cut_until > self.now;
            match act {
                WorkerAct::Send(_) | WorkerAct::Publish(_) if cut => {}
                WorkerAct::Send(input) => {
                    let coordinator = self.random.index(self.coordinators.len());
                    self.send(&Happening::ToCoordinator(coordinator, input));
                }
                WorkerAct::Publish(input) => {
                    for coordinator in 0..self.coordinators.len() {
                        self.send(&Happening::ToCoordinator(coordinator, input.clone()));
                    }
                }
                WorkerAct::Wake(after, alarm) => {
                    let instance = self.workers[number].instance;
                    self.at(self.now + after, Happening::WakeWorker(number, instance, alarm));
                }
                WorkerAct::Run(row) => self.run_program(number, &row),
                WorkerAct::Stop(job, epoch) => self.workers[number].stop(job, epoch),
                WorkerAct::Tell(_) => {}
                WorkerAct::Quit | WorkerAct::Fail(_) => self.crash_worker(number),
            }
        }
    }

    /// Returns whether a process of a worker can handle a happening now. If the process is paused, the happening is
    /// postponed until the process resumes.
    fn is_ready(&mut self, number: usize, instance: u64, happening: &Happening) -> bool {
        let worker = &self.workers[number];
        if worker.session.is_none() || worker.instance != instance {
            return false;
        }
        let until = worker.paused_until;
        if until > self.now {
            self.at(until, happening.clone());
        }
        until <= self.now
    }

    fn reach_worker(&mut self, number: usize, output: DispatchOutput) {
        let worker = &mut self.workers[number];
        if worker.cut_until > self.now {
            return;
        }
        if worker.paused_until > self.now {
            let until = worker.paused_until;
            return self.at(until, Happening::ToWorker(number, output));
        }
        let acts = worker.take(output);
        self.act(number, acts);
    }

    fn run_program(&mut self, number: usize, row: &JobRow) {
        let broken = self.swarm.broken_worker && number == 0;
        let fate = Fate {
            poison: row.spec.key.starts_with("poison"),
            fault: broken || (!self.is_calm() && self.random.chance(self.swarm.faults)),
            flaky: self.swarm.flaky_results,
        };
        let ends = self.now + self.random.between(50, if broken { 300 } else { 6_000 });
        let instance = self.workers[number].instance;
        self.workers[number].run(row, fate);
        self.at(ends, Happening::ProgramEnds(number, instance, row.number, row.epoch));
    }

    /// Delivers a ring to a random reachable worker that belongs to the pool and has a free slot, or later if there is
    /// none.
    fn ring(&mut self, pool: String, job: JobNumber, sent: u64, life: u64) {
        if life != self.doorbell || self.now - sent > 600_000 {
            return;
        }
        let free = |worker: &SimWorker| {
            worker.pool == pool && worker.free_slots() > 0 && worker.cut_until.max(worker.paused_until) <= self.now
        };
        let able: Vec<usize> = (0..self.workers.len()).filter(|number| free(&self.workers[*number])).collect();
        if able.is_empty() {
            return self.at(self.now + 300, Happening::Ring(pool, job, sent, life));
        }
        let number = able[self.random.index(able.len())];
        let acts = self.workers[number].ask(Some(job));
        self.act(number, acts);
    }

    fn submit(&mut self, program: NewProgram) {
        let number = self.random.index(self.coordinators.len());
        let clock = self.coordinators[number].clock(self.now);
        let again = self.now + self.random.between(100, 3_000);
        let Some(process) = &mut self.coordinators[number].process else {
            return self.at(again, Happening::Submit(Box::new(program)));
        };
        let Ok((jobs, outputs)) = process.submit(std::slice::from_ref(&program), clock) else {
            return self.at(again, Happening::Submit(Box::new(program)));
        };
        let submission = program.spec.submission.clone();
        self.acknowledged.insert(submission.clone(), jobs[0]);
        if program.spec.owner.starts_with("probe") {
            self.probes.insert(jobs[0], None);
        }
        self.route(outputs);
        if !self.is_calm() {
            let later = self.now + self.random.below(20_000);
            if self.random.chance(self.swarm.cancelled) {
                self.at(later, Happening::Cancel(jobs[0]));
            } else if self.random.chance(self.swarm.rejudged) {
                self.at(later, Happening::Rejudge(submission));
            } else if self.random.chance(self.swarm.repeated) {
                self.at(later, Happening::Submit(Box::new(program)));
            }
        }
    }

    fn rejudge(&mut self, submission: &str) {
        let number = self.random.index(self.coordinators.len());
        let clock = self.coordinators[number].clock(self.now);
        let Some(process) = &mut self.coordinators[number].process else { return };
        if let Ok((_, outputs)) = process.rejudge(&[submission.to_owned()], Rejudging::Compare, clock) {
            self.route(outputs);
        }
    }

    fn crash_coordinator(&mut self, number: usize) {
        self.coordinators[number].process = None;
        self.coordinators[number].life += 1;
        let later = self.now + self.random.between(200, 20_000);
        self.at(later, Happening::StartCoordinator(number));
    }

    fn crash_worker(&mut self, number: usize) {
        self.workers[number].session = None;
        let later = self.now + self.random.between(500, if self.is_calm() { 2_000 } else { 30_000 });
        self.at(later, Happening::StartWorker(number));
    }

    fn second(&mut self) {
        for number in 0..self.coordinators.len() {
            if self.random.chance(self.swarm.coordinator_crashes) && self.coordinators[number].process.is_some() {
                self.crash_coordinator(number);
            }
            if self.random.chance(self.swarm.clock_jumps) {
                self.coordinators[number].skew_ms = self.random.below(20_000) as i64 - 10_000;
            }
        }
        for number in 0..self.workers.len() {
            let until = self.now + self.random.between(1_000, 60_000);
            if self.random.chance(self.swarm.worker_crashes) && self.workers[number].session.is_some() {
                self.crash_worker(number);
            }
            if self.random.chance(self.swarm.pauses) {
                self.workers[number].paused_until = until.min(CALM_MS);
            }
            if self.random.chance(self.swarm.partitions) {
                self.workers[number].cut_until = until.min(CALM_MS);
            }
            if self.random.chance(self.swarm.drains) {
                self.workers[number].drain();
            }
        }
        if self.random.chance(self.swarm.doorbell_wipes) {
            self.doorbell += 1;
        }
    }

    /// Ends the faults, except those of a broken worker, and starts the coordinators and workers that are down.
    fn calm(&mut self) {
        self.store.errors.set(0);
        for number in 0..self.coordinators.len() {
            self.coordinators[number].skew_ms = self.random.below(1_000) as i64;
            self.start_coordinator(number);
        }
        for number in 0..self.workers.len() {
            self.happen(Happening::StartWorker(number));
        }
    }
}
