//! Tests of the dispatch.

use super::super::{CanaryResult, Denial, JobAnswer, JobSpec, Priority, WorkerState, WorkerTraits};
use super::*;

impl Dispatch {
    /// Asserts that the indexes agree with the jobs and workers.
    pub(crate) fn assert_consistent(&self) {
        let mut background = BTreeMap::<&str, usize>::new();
        let mut waiting = BTreeMap::<&str, usize>::new();
        for (number, job) in &self.jobs {
            let pool = job.row.spec.pool.as_str();
            let line = &self.pools[pool];
            let group = line.groups.get(&job.row.spec.needs);
            let spec = &job.row.spec;
            let own = line.of_owner.get(&spec.owner).is_some_and(|own| own.contains_key(&job.place));
            let left_out = own && line.is_busy(&spec.owner);
            let listed = group.is_some_and(|group| group.waiting.contains(&job.place));
            assert!(!(left_out && listed), "{job:#?}");
            assert!(!listed || own == (spec.priority == Priority::Person), "{job:#?}");
            let waits = listed || left_out;
            let delayed = self.delayed.contains(&(job.row.due, *number));
            let runs = self.running.contains(number);
            assert_eq!(usize::from(waits) + usize::from(delayed) + usize::from(runs), 1, "{job:#?}");
            assert_eq!(runs, job.row.stage == JobStage::Running, "{job:#?}");
            let not_rung = group.is_some_and(|group| group.not_rung.contains(&job.place));
            assert_eq!(listed, not_rung != line.rung.contains_key(number), "{job:#?}");
            *waiting.entry(pool).or_default() += usize::from(waits);
            if runs {
                assert!(self.held[&job.row.holder.as_ref().unwrap().worker].contains(number));
                let is_background = job.row.spec.priority != Priority::Person;
                *background.entry(pool).or_default() += usize::from(is_background);
            }
        }
        assert!(self.delayed.iter().all(|(_, number)| self.jobs.contains_key(number)));
        assert_eq!(self.held.values().map(BTreeSet::len).sum::<usize>(), self.running.len());
        for (name, line) in &self.pools {
            assert_eq!(line.background, background.get(name.as_str()).copied().unwrap_or(0));
            assert_eq!(line.waiting(), waiting.get(name.as_str()).copied().unwrap_or(0));
            let workers = || self.workers.values().filter(|worker| worker.hello.pool == *name);
            assert_eq!(line.slots, workers().map(|worker| worker.counted.0).sum::<usize>());
            assert_eq!(line.free, workers().map(|worker| worker.counted.1).sum::<usize>());
            assert!(workers().all(|worker| line.ready.contains(&worker.hello.worker) == (worker.counted.1 > 0)));
        }
    }
}

const START: Moment = Moment(1_000_000);

/// Returns the registration of a worker with one slot and the language `c`.
fn hello_of(worker: &str, instance: u64) -> WorkerHello {
    WorkerHello {
        worker: WorkerId::new(worker),
        machine: 1,
        instance,
        pool: "main".to_owned(),
        slots: 1,
        languages: BTreeSet::from(["c".to_owned()]),
        draining: false,
        traits: Arc::default(),
        canary: None,
    }
}

/// A dispatch with a store in which each change succeeds.
struct Bench {
    dispatch: Dispatch,
    now: Moment,
    jobs: u64,
    request: u64,
}

impl Bench {
    fn new() -> Bench {
        Bench { dispatch: Dispatch::new(DispatchPolicy::default()), now: START, jobs: 0, request: 0 }
    }

    fn input(&mut self, input: DispatchInput) -> Vec<DispatchOutput> {
        let steps = self.dispatch.handle(self.now, input);
        self.dispatch.assert_consistent();
        steps.into_iter().flat_map(|step| step.then).collect()
    }

    fn wait(&mut self, ms: u64) -> Vec<DispatchOutput> {
        self.now = self.now.after(ms);
        self.input(DispatchInput::Tick)
    }

    fn hello(&mut self, worker: &str, slots: usize, languages: &[&str]) -> Vec<DispatchOutput> {
        let languages = languages.iter().map(|name| (*name).to_owned()).collect();
        self.input(DispatchInput::Hello(WorkerHello { slots, languages, ..hello_of(worker, 1) }))
    }

    fn submit(&mut self, priority: Priority, owner: &str, language: &str) -> JobNumber {
        self.jobs += 1;
        let spec = JobSpec {
            submission: format!("s{}", self.jobs),
            pool: "main".to_owned(),
            priority,
            owner: owner.to_owned(),
            needs: BTreeSet::from([language.to_owned()]),
            key: format!("k{}", self.jobs),
        };
        let number = JobNumber(self.jobs);
        self.input(DispatchInput::Submitted(JobRow::queued(number, spec, self.now)));
        number
    }

    fn start(&mut self, worker: &str) -> Result<JobRow, Denial> {
        self.request += 1;
        let worker = WorkerId::new(worker);
        let start = DispatchInput::Start { worker, instance: 1, request: self.request, rung: None };
        let answer = self.input(start).into_iter().find_map(|output| match output {
            DispatchOutput::Grant(row) => Some(Ok(*row)),
            DispatchOutput::Refuse { reason, .. } => Some(Err(reason)),
            _ => None,
        });
        answer.expect("each request is answered")
    }

    fn beat(&mut self, worker: &str, running: &[&JobRow]) -> Vec<DispatchOutput> {
        let running = running.iter().map(|row| (row.number, row.epoch)).collect();
        self.input(DispatchInput::Beat { worker: WorkerId::new(worker), instance: 1, draining: false, running })
    }

    fn done(&mut self, worker: &str, row: &JobRow) -> Vec<DispatchOutput> {
        let answer = JobAnswer { conditions: "".into(), outcome: "AC".into(), report: "{}".into() };
        let worker = WorkerId::new(worker);
        self.input(DispatchInput::Done { worker, job: row.number, epoch: row.epoch, answer })
    }

    fn fault(&mut self, worker: &str, row: &JobRow) -> Vec<DispatchOutput> {
        let worker = WorkerId::new(worker);
        let reason = "no space left".into();
        self.input(DispatchInput::Faulted { worker, job: row.number, epoch: row.epoch, reason })
    }

    fn row(&self, number: JobNumber) -> &JobRow {
        &self.dispatch.jobs[&number].row
    }
}

fn rings(outputs: &[DispatchOutput]) -> Vec<u64> {
    let ring = |output: &DispatchOutput| match output {
        DispatchOutput::Ring { job, .. } => Some(job.0),
        _ => None,
    };
    outputs.iter().filter_map(ring).collect()
}

#[test]
fn people_come_first_and_take_turns() {
    let mut bench = Bench::new();
    bench.dispatch.policy.per_person = 100;
    bench.hello("w", 100, &["c"]);
    let mut order = Vec::new();
    for (priority, owner) in [
        (Priority::Rejudge, "a"),
        (Priority::Batch, "a"),
        (Priority::Person, "a"),
        (Priority::Person, "a"),
        (Priority::Person, "a"),
        (Priority::Person, "b"),
        (Priority::Batch, "b"),
        (Priority::Person, "b"),
    ] {
        bench.submit(priority, owner, "c");
    }
    while let Ok(row) = bench.start("w") {
        order.push(row.number.0);
        if order.len() == 2 {
            // A person who submits later waits for at most one program of each other person.
            bench.submit(Priority::Person, "c", "c");
        }
    }
    assert_eq!(order, [3, 6, 9, 4, 8, 5, 2, 7, 1]);
}

#[test]
fn a_person_who_submits_again_and_again_does_not_pass_others() {
    let mut bench = Bench::new();
    bench.hello("w", 1, &["c"]);
    bench.submit(Priority::Person, "b", "c");
    let second = bench.submit(Priority::Person, "b", "c");
    // Two other people always have a program that waits.
    bench.submit(Priority::Person, "a", "c");
    bench.submit(Priority::Person, "c", "c");
    for _ in 0..8 {
        let row = bench.start("w").unwrap();
        if row.number == second {
            return;
        }
        let owner = row.spec.owner.clone();
        bench.done("w", &row);
        if owner != "b" {
            bench.submit(Priority::Person, &owner, "c");
        }
    }
    panic!("the second program is not judged");
}

#[test]
fn one_slot_in_ten_is_kept_for_people() {
    for (slots, kept) in [(1, 0), (2, 1), (10, 1), (11, 2), (20, 2), (100, 10)] {
        let mut bench = Bench::new();
        bench.hello("w", slots, &["c"]);
        (0..slots).for_each(|_| _ = bench.submit(Priority::Batch, "class", "c"));
        (0..slots - kept).for_each(|_| drop(bench.start("w").unwrap()));
        if kept > 0 {
            assert_eq!(bench.start("w"), Err(Denial::Nothing), "{slots} slots");
            let person = bench.submit(Priority::Person, "a", "c");
            assert_eq!(bench.start("w").unwrap().number, person);
        } else {
            assert_eq!(bench.start("w"), Err(Denial::Full));
        }
    }
}

#[test]
fn a_person_has_at_most_two_running_programs() {
    let mut bench = Bench::new();
    bench.hello("w", 5, &["c"]);
    (0..4).for_each(|_| _ = bench.submit(Priority::Person, "a", "c"));
    let first = bench.start("w").unwrap();
    bench.start("w").unwrap();
    assert_eq!(bench.start("w"), Err(Denial::Nothing));
    bench.done("w", &first);
    assert_eq!(bench.start("w").unwrap().number, JobNumber(3));
}

#[test]
fn at_most_two_rings_for_each_free_slot() {
    let mut bench = Bench::new();
    (0..10).for_each(|_| _ = bench.submit(Priority::Batch, "class", "c"));
    bench.submit(Priority::Batch, "class", "haskell");
    assert_eq!(rings(&bench.hello("w", 3, &["c"])), [1, 2, 3, 4, 5, 6], "no worker has Haskell");
    assert!(!bench.dispatch.can_run("main", &BTreeSet::from(["haskell".to_owned()])));
    let row = bench.start("w").unwrap();
    assert_eq!(row.number, JobNumber(1));
    assert_eq!(bench.dispatch.counts("main").rung, 5, "rings are not taken back when fewer slots are free");
    // A ring that no worker answers is repeated.
    assert_eq!(rings(&bench.wait(4_999)), [0_u64; 0]);
    assert_eq!(rings(&bench.wait(1)), [2, 3, 4, 5]);
    // If a worker answers the ring for one job but is granted another job that has a ring, both rings end.
    bench.request += 1;
    let rung = Some(JobNumber(3));
    let start = DispatchInput::Start { worker: WorkerId::new("w"), instance: 1, request: bench.request, rung };
    let outputs = bench.input(start);
    assert!(outputs.iter().any(|output| matches!(output, DispatchOutput::Grant(row) if row.number == JobNumber(2))));
    assert_eq!(bench.dispatch.counts("main").rung, 2);
}

#[test]
fn a_silent_worker_loses_its_jobs_after_the_lease_and_a_late_result_is_refused() {
    let mut bench = Bench::new();
    bench.hello("w", 1, &["c"]);
    bench.hello("v", 1, &["c"]);
    let job = bench.submit(Priority::Person, "a", "c");
    let first = bench.start("w").unwrap();
    for _ in 0..10 {
        bench.wait(3_000);
        assert_eq!(bench.beat("w", &[&first]), []);
        bench.beat("v", &[]);
    }
    assert_eq!(bench.row(job).stage, JobStage::Running);
    bench.wait(13_999);
    assert_eq!(bench.row(job).stage, JobStage::Running);
    bench.wait(1);
    assert_eq!(bench.row(job).stage, JobStage::Queued);
    bench.beat("v", &[]);
    let second = bench.start("v").unwrap();
    assert_eq!((second.number, second.epoch, second.attempts), (job, 2, 2));
    let stale = DispatchOutput::Cancel { worker: WorkerId::new("w"), job, epoch: 1 };
    assert_eq!(bench.done("w", &first), std::slice::from_ref(&stale));
    assert_eq!(bench.beat("w", &[&first]), [stale]);
    let settled = DispatchOutput::Settled { worker: WorkerId::new("v"), job, epoch: 2 };
    assert!(bench.done("v", &second).contains(&settled));
    assert_eq!(bench.dispatch.open_jobs(), 0);
}

#[test]
fn a_job_is_parked_after_five_attempts_and_blocks_no_other() {
    let mut bench = Bench::new();
    bench.hello("w", 1, &["c"]);
    let poison = bench.submit(Priority::Person, "a", "c");
    let other = bench.submit(Priority::Batch, "b", "c");
    for (attempt, delay) in [(1, 0), (2, 1_000), (3, 2_000), (4, 4_000), (5, 0)] {
        let row = bench.start("w").unwrap();
        assert_eq!((row.number, row.attempts), (poison, attempt));
        bench.fault("w", &row);
        if attempt == 2 {
            // During the delay, the worker is granted another job.
            let passing = bench.start("w").unwrap();
            assert_eq!(passing.number, other);
            bench.done("w", &passing);
        }
        if delay > 0 {
            bench.wait(delay - 1);
            assert_eq!(bench.start("w"), Err(Denial::Nothing));
            bench.wait(1);
        }
    }
    assert_eq!(bench.dispatch.open_jobs(), 0);
}

#[test]
fn a_worker_with_three_faults_that_others_do_not_have_is_set_aside() {
    let mut bench = Bench::new();
    bench.hello("bad", 1, &["c"]);
    bench.hello("good", 1, &["c"]);
    for fault in 0..3 {
        bench.submit(Priority::Person, "a", "c");
        let row = bench.start("bad").unwrap();
        bench.fault("bad", &row);
        assert_eq!(bench.start("bad"), Err(Denial::Nothing), "the job is left to another worker");
        let again = bench.start("good").unwrap();
        assert_eq!(again.number, row.number);
        bench.done("good", &again);
        let aside = bench.wait(1_000).iter().any(|output| matches!(output, DispatchOutput::SetAside(..)));
        assert_eq!(aside, fault == 2);
    }
    bench.submit(Priority::Person, "a", "c");
    assert_eq!(bench.start("bad"), Err(Denial::Excluded));
    bench.input(DispatchInput::Readmit(WorkerId::new("bad")));
    assert!(bench.start("bad").is_ok());
}

#[test]
fn a_fault_that_all_workers_have_is_that_of_the_job() {
    let mut bench = Bench::new();
    bench.hello("v", 1, &["c"]);
    bench.hello("w", 1, &["c"]);
    for _ in 0..4 {
        bench.submit(Priority::Person, "a", "c");
        for worker in ["v", "w", "v", "w", "v"] {
            let row = bench.start(worker).unwrap();
            bench.fault(worker, &row);
            bench.wait(9_000);
            bench.beat("v", &[]);
            bench.beat("w", &[]);
        }
    }
    assert_eq!(bench.dispatch.open_jobs(), 0);
    assert!(bench.dispatch.aside.is_empty());
}

#[test]
fn a_repeated_request_gets_the_same_job_and_an_old_one_gets_none() {
    let mut bench = Bench::new();
    bench.hello("w", 2, &["c"]);
    bench.submit(Priority::Person, "a", "c");
    bench.submit(Priority::Person, "b", "c");
    let row = bench.start("w").unwrap();
    bench.request -= 1;
    assert_eq!(bench.start("w").unwrap(), row);
    bench.done("w", &row);
    bench.request -= 1;
    assert_eq!(bench.start("w"), Err(Denial::Repeated));
    assert_eq!(bench.start("v"), Err(Denial::Unknown));
}

#[test]
fn a_second_machine_with_the_name_of_a_worker_is_refused_until_the_first_one_is_gone() {
    let mut bench = Bench::new();
    bench.hello("w", 1, &["c"]);
    let job = bench.submit(Priority::Person, "a", "c");
    bench.start("w").unwrap();
    let other = |machine, instance| DispatchInput::Hello(WorkerHello { machine, ..hello_of("w", instance) });
    let is_refused = |outputs: &[DispatchOutput], process| {
        outputs.iter().any(|output| {
            matches!(output, DispatchOutput::Reject { instance, reason, .. }
                if *instance == process && reason.contains("another name with `--name`"))
        })
    };
    let beat =
        |draining| DispatchInput::Beat { worker: WorkerId::new("w"), instance: 1, draining, running: Vec::new() };
    assert!(is_refused(&bench.input(other(2, 9)), 9));
    assert_eq!(bench.row(job).stage, JobStage::Running, "the first machine keeps its job");
    bench.input(beat(true));
    assert!(is_refused(&bench.input(other(2, 10)), 10), "the first machine drains, and has a job");
    // The first machine sends no message for the length of a lease.
    bench.wait(14_000);
    assert!(!is_refused(&bench.input(other(2, 11)), 11));
    assert!(is_refused(&bench.input(other(1, 12)), 12), "now the second machine has the name");
    assert!(!is_refused(&bench.input(other(0, 12)), 12), "a worker that does not tell its machine is accepted");
    // The name of a drained machine is immediately available to another machine.
    let mut bench = Bench::new();
    bench.hello("w", 1, &["c"]);
    bench.input(beat(true));
    assert!(!is_refused(&bench.input(other(2, 9)), 9));
}

#[test]
fn a_restarted_worker_loses_the_jobs_of_its_earlier_process_at_once() {
    let mut bench = Bench::new();
    bench.hello("w", 1, &["c"]);
    let job = bench.submit(Priority::Person, "a", "c");
    bench.start("w").unwrap();
    let hello = |instance| DispatchInput::Hello(hello_of("w", instance));
    // The same process registers again.
    bench.input(hello(1));
    assert_eq!(bench.row(job).stage, JobStage::Running);
    bench.input(hello(2));
    assert_eq!(bench.row(job).stage, JobStage::Queued);
    let late = bench.input(hello(1));
    assert!(matches!(late[0], DispatchOutput::Refuse { reason: Denial::Superseded, .. }));
}

#[test]
fn cancelling_stops_the_worker() {
    let mut bench = Bench::new();
    bench.hello("w", 1, &["c"]);
    let running = bench.submit(Priority::Person, "a", "c");
    let queued = bench.submit(Priority::Person, "a", "c");
    let row = bench.start("w").unwrap();
    let stop = DispatchOutput::Cancel { worker: WorkerId::new("w"), job: running, epoch: row.epoch };
    assert!(bench.input(DispatchInput::Cancel(running)).contains(&stop));
    assert!(bench.input(DispatchInput::Cancel(queued)).contains(&DispatchOutput::Changed(queued)));
    assert_eq!(bench.dispatch.open_jobs(), 0);
}

#[test]
fn a_clock_that_is_set_back_does_not_shorten_a_lease() {
    let mut bench = Bench::new();
    bench.hello("w", 1, &["c"]);
    let job = bench.submit(Priority::Person, "a", "c");
    bench.start("w").unwrap();
    bench.now = Moment(5);
    bench.input(DispatchInput::Tick);
    assert_eq!(bench.row(job).stage, JobStage::Running);
    assert_eq!(bench.dispatch.now, START);
}

#[test]
fn the_view_shows_pools_workers_and_attempts() {
    let mut bench = Bench::new();
    bench.hello("w", 2, &["c"]);
    let first = bench.submit(Priority::Person, "a", "c");
    bench.submit(Priority::Person, "b", "haskell");
    let row = bench.start("w").unwrap();
    assert_eq!(row.number, first);
    bench.wait(2_000);
    let view = bench.dispatch.view();
    let pool = &view.pools[0];
    assert_eq!((pool.queued, pool.running, pool.slots, pool.free), (1, 1, 2, 1));
    assert!(pool.oldest_ms.unwrap() >= 2_000, "{pool:?}");
    assert_eq!(pool.missing_languages, BTreeSet::from(["haskell".to_owned()]));
    assert_eq!((view.workers[0].state, view.workers[0].running), (crate::WorkerState::Ready, 1));
    bench.fault("w", &row);
    let row = bench.start("w").unwrap();
    bench.done("w", &row);
    let view = bench.dispatch.view();
    assert_eq!(view.attempts, AttemptCounts { finished: 1, failed: 1, parked: 0 });
    bench.wait(14_000);
    assert_eq!(bench.dispatch.view().workers[0].state, crate::WorkerState::Silent);
    assert_eq!(bench.dispatch.view().pools[0].slots, 0);
}

#[test]
fn a_worker_that_is_gone_for_a_month_is_forgotten() {
    let mut bench = Bench::new();
    bench.hello("w1", 2, &["c"]);
    bench.hello("w2", 2, &["c"]);
    let names = |bench: &Bench| bench.dispatch.workers.keys().map(ToString::to_string).collect::<Vec<_>>();
    bench.wait(20 * 86_400_000);
    bench.hello("w2", 2, &["c"]);
    bench.wait(9 * 86_400_000);
    assert_eq!(names(&bench), ["w1", "w2"]);
    bench.wait(86_400_000);
    bench.input(DispatchInput::Tick);
    assert_eq!(names(&bench), ["w2"]);
    bench.dispatch.assert_consistent();
    bench.hello("w1", 2, &["c"]);
    assert_eq!(names(&bench), ["w1", "w2"], "it may come back");
}

/// Registers a worker with one slot. Returns the reason why the worker receives no jobs, according to the answer;
/// `None` if the worker receives jobs.
fn register(bench: &mut Bench, worker: &str, instance: u64, cpu: &str, verdict: Option<&str>) -> Option<String> {
    let canary = verdict.map(|verdict| CanaryResult {
        program: "wrong.py".to_owned(),
        expected: "WA".to_owned(),
        verdict: Some(verdict.to_owned()),
        fault: None,
        at_ms: bench.now.0,
    });
    let outputs = bench.input(DispatchInput::Hello(WorkerHello {
        traits: Arc::new(WorkerTraits { cpu: cpu.to_owned(), ..WorkerTraits::default() }),
        canary: canary.map(Arc::new),
        ..hello_of(worker, instance)
    }));
    admission_of(&outputs, worker).expect("each registration is answered")
}

/// Returns the reason in the admission message to a worker; `None` if `outputs` contains no such message.
fn admission_of(outputs: &[DispatchOutput], name: &str) -> Option<Option<String>> {
    outputs.iter().find_map(|output| match output {
        DispatchOutput::Admission { worker, reason, .. } if &*worker.0 == name => {
            Some(reason.as_ref().map(|reason| reason.as_ref().to_owned()))
        }
        _ => None,
    })
}

fn states(bench: &Bench) -> Vec<WorkerState> {
    bench.dispatch.view().workers.into_iter().map(|worker| worker.state).collect()
}

#[test]
fn a_worker_that_differs_from_its_pool_gets_no_jobs_until_the_others_are_gone() {
    let mut bench = Bench::new();
    assert_eq!(register(&mut bench, "a", 1, "Ryzen", None), None);
    let reason = register(&mut bench, "b", 1, "Xeon", None).unwrap();
    assert!(reason.contains("its CPU is `Xeon`, but that of worker `a` is `Ryzen`"), "{reason}");
    bench.submit(Priority::Person, "a", "c");
    assert_eq!(bench.start("b"), Err(Denial::Excluded));
    assert_eq!(states(&bench), [WorkerState::Ready, WorkerState::NotAdmitted]);
    assert_eq!(bench.dispatch.view().workers[1].reason.as_deref(), Some(reason.as_str()));
    assert_eq!(bench.dispatch.counts("main").slots, 1);
    // The worker `a` sends no message for the length of a lease.
    bench.wait(13_000);
    bench.beat("b", &[]);
    assert_eq!(admission_of(&bench.wait(1_000), "b"), Some(None));
    assert_eq!(states(&bench), [WorkerState::Silent, WorkerState::Ready]);
    assert!(bench.start("b").is_ok());
    assert_eq!(admission_of(&bench.wait(1_000), "b"), None, "what a worker knows is not repeated");
    // A worker that returns sets the standard again, because it has run longer.
    bench.beat("a", &[]);
    assert!(admission_of(&bench.wait(1_000), "b").unwrap().is_some());
}

#[test]
fn the_worker_that_sets_the_standard_may_change_it() {
    let mut bench = Bench::new();
    assert_eq!(register(&mut bench, "b", 2, "Xeon", None), None);
    assert_eq!(register(&mut bench, "b", 2, "Ryzen", None), None, "another measurement, for example");
    // The worker `a` has run longer, but was unknown, as after a restart of the server.
    assert!(register(&mut bench, "a", 1, "Xeon", None).is_some());
    let outputs = bench.wait(1_000);
    assert_eq!(admission_of(&outputs, "a"), Some(None));
    assert!(admission_of(&outputs, "b").unwrap().is_some());
    bench.dispatch.policy.admit_any = true;
    assert_eq!(register(&mut bench, "c", 3, "Epyc", None), None);
    assert_eq!(register(&mut bench, "b", 2, "Ryzen", None), None);
}

#[test]
fn a_worker_that_misjudges_a_known_program_gets_no_jobs_until_it_is_restarted() {
    let mut bench = Bench::new();
    assert_eq!(register(&mut bench, "a", 1, "", Some("WA")), None);
    assert_eq!(register(&mut bench, "b", 1, "", None), None);
    let reason = register(&mut bench, "a", 1, "", Some("AC")).unwrap();
    assert!(reason.contains("`wrong.py` as AC instead of WA"), "{reason}");
    bench.submit(Priority::Person, "a", "c");
    assert_eq!(bench.start("a"), Err(Denial::Excluded));
    bench.wait(1_000);
    assert_eq!(states(&bench), [WorkerState::Aside, WorkerState::Ready]);
    let view = bench.dispatch.view();
    assert_eq!(view.workers[0].canary.as_ref().unwrap().verdict.as_deref(), Some("AC"));
    assert_eq!(view.workers[0].canary_age_ms, Some(1_000));
    assert_eq!(register(&mut bench, "a", 3, "", None), None, "a restarted worker");
    assert!(bench.start("b").is_ok());
}
