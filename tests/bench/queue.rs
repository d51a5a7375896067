//! Measures the queue: how many jobs a second are claimed and finished in each store, and how fast the dispatch
//! decides. Run it with `cargo bench -p nimatron-queue --features cluster --bench queue`.
//!
//! The goals for a coordinator are: 100 jobs a second with SQLite, which syncs each transaction, and 200 with
//! PostgreSQL; the benchmark fails if a store misses its goal. One by one, each job waits for two transactions. The
//! dispatch decides about 500 jobs a second with 10,000 workers in a small part of a second.

#![expect(clippy::expect_used, clippy::print_stdout, reason = "a benchmark prints its results and fails by panicking")]

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use nimatron_queue::{
    Applied, Coordinator, DispatchInput, DispatchOutput, DispatchPolicy, JobAnswer, JobHolder, JobRow, JobSpec, Moment,
    NewProgram, Priority, QueueStore, SqliteQueueStore, WorkerHello, WorkerId,
};

#[cfg(feature = "cluster")]
#[expect(dead_code, clippy::unwrap_used, reason = "tests use more of it")]
#[path = "../../src/queue/postgres_server.rs"]
mod postgres_server;

const JOBS: usize = 1_000;
/// The number of messages that a coordinator handles together under load.
const BATCH: usize = 16;

fn main() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let open = |name: &str| SqliteQueueStore::open(&folder.path().join(name)).expect("a store");
    measure(("SQLite", 100.0), &open("one.sqlite"), &open("many.sqlite"));
    #[cfg(feature = "cluster")]
    if let Some(server) = postgres_server::start() {
        let connect = || nimatron_queue::PostgresQueueStore::connect(&server.new_database()).expect("a database");
        measure(("PostgreSQL", 200.0), &connect(), &connect());
    }
    dispatch(&open("dispatch.sqlite"));
}

/// Prints a line of the table, and returns the number of jobs a second.
fn row(what: &str, jobs: usize, time: Duration) -> f64 {
    let rate = jobs as f64 / time.as_secs_f64();
    println!("{what:<60} {rate:>9.0} a second");
    rate
}

fn program(number: usize) -> NewProgram {
    let spec = JobSpec {
        submission: format!("{number:032x}"),
        pool: "main".to_owned(),
        priority: Priority::Person,
        owner: format!("person {}", number % 300),
        needs: BTreeSet::from(["c".to_owned()]),
        key: format!("{number:064x}"),
    };
    NewProgram {
        spec,
        problem: "classic-nim".to_owned(),
        name: "a.c".to_owned(),
        language: None,
        kind: "submit".to_owned(),
        source: vec![b'x'; 2_000],
        input: None,
        reuse: None,
    }
}

fn answer() -> JobAnswer {
    JobAnswer { conditions: "".into(), outcome: "AC 100000".into(), report: "x".repeat(8_000).into() }
}

/// Measures a store, which has a name and a goal: the number of jobs a second that are claimed and finished.
fn measure((name, goal): (&str, f64), one: &dyn QueueStore, many: &impl QueueStore) {
    let start = Instant::now();
    let mut jobs: Vec<JobRow> = Vec::new();
    for number in 0..JOBS {
        jobs.extend(one.submit(&[program(number)], Moment(1)).expect("stored"));
    }
    row(&format!("{name}: submissions, one by one"), JOBS, start.elapsed());

    let start = Instant::now();
    for job in &jobs {
        let holder = JobHolder { worker: WorkerId::new("w"), instance: 1, request: job.number.0 };
        let worker = holder.worker.clone();
        let claimed = one.claim(job.number, 1, holder, Moment(9), Moment(2)).expect("stored");
        assert!(matches!(claimed, Applied::Stored(_)), "{claimed:?}");
        let finished = one.finish(job.number, 1, worker, answer(), Moment(3)).expect("stored");
        assert!(matches!(finished, Applied::Stored(_)), "{finished:?}");
    }
    row(&format!("{name}: claim and finish, one by one"), JOBS, start.elapsed());
    assert_eq!(one.open_jobs().expect("read").len(), 0);

    let start = Instant::now();
    judge_all(&mut Coordinator::open(many, DispatchPolicy::default(), false, Moment(1)).expect("read"));
    let what = format!("{name}: submit, claim and finish by a coordinator, {BATCH} at once");
    let rate = row(&what, JOBS, start.elapsed());
    assert!(rate >= goal, "with {name} a coordinator must claim and finish {goal} jobs a second");
}

fn hello(worker: usize, slots: usize) -> DispatchInput {
    DispatchInput::Hello(WorkerHello {
        worker: WorkerId::new(&format!("w{worker}")),
        machine: 1,
        instance: 1,
        pool: "main".to_owned(),
        slots,
        languages: BTreeSet::from(["c".to_owned(), "python".to_owned()]),
        draining: false,
        traits: std::sync::Arc::default(),
        canary: None,
    })
}

fn judge_all<S: QueueStore>(coordinator: &mut Coordinator<&S>) {
    coordinator.handle(vec![hello(0, BATCH)], Moment(1)).expect("stored");
    let programs: Vec<NewProgram> = (0..JOBS).map(program).collect();
    for batch in programs.chunks(BATCH) {
        coordinator.submit(batch, Moment(2)).expect("stored");
    }
    let worker = WorkerId::new("w0");
    let mut request = 0;
    let mut done = 0;
    let mut running: Vec<JobRow> = Vec::new();
    while done < JOBS {
        let mut inputs: Vec<DispatchInput> = Vec::new();
        for row in running.drain(..) {
            let (job, epoch) = (row.number, row.epoch);
            inputs.push(DispatchInput::Done { worker: worker.clone(), job, epoch, answer: answer() });
        }
        for _ in 0..BATCH {
            request += 1;
            inputs.push(DispatchInput::Start { worker: worker.clone(), instance: 1, request, rung: None });
        }
        for output in coordinator.handle(inputs, Moment(3)).expect("stored") {
            match output {
                DispatchOutput::Grant(row) => running.push(*row),
                DispatchOutput::Settled { .. } => done += 1,
                _ => {}
            }
        }
    }
}

/// Many workers and jobs: the time for decisions, without that of the store.
fn dispatch(store: &SqliteQueueStore) {
    const WORKERS: usize = 10_000;
    const WAITING: usize = 20_000;
    let mut dispatch = nimatron_queue::Dispatch::new(DispatchPolicy::default());
    let rows = store.submit(&(0..WAITING).map(program).collect::<Vec<_>>(), Moment(1)).expect("stored");
    let start = Instant::now();
    for row in rows {
        dispatch.handle(Moment(1), DispatchInput::Submitted(row));
    }
    row("dispatch: jobs submitted", WAITING, start.elapsed());
    let start = Instant::now();
    for worker in 0..WORKERS {
        dispatch.handle(Moment(1), hello(worker, 1));
    }
    row("dispatch: workers registered, each with rings", WORKERS, start.elapsed());
    let start = Instant::now();
    let mut granted = 0;
    for worker in 0..WORKERS {
        let worker = WorkerId::new(&format!("w{worker}"));
        let input = DispatchInput::Start { worker, instance: 1, request: 1, rung: None };
        let steps = dispatch.handle(Moment(2), input);
        let grants = steps.iter().flat_map(|step| &step.then);
        granted += grants.filter(|output| matches!(output, DispatchOutput::Grant(_))).count();
    }
    row(&format!("dispatch: requests of {WORKERS} workers, {granted} granted"), WORKERS, start.elapsed());
    let start = Instant::now();
    for worker in 0..WORKERS {
        let worker = WorkerId::new(&format!("w{worker}"));
        dispatch.handle(Moment(3), DispatchInput::Beat { worker, instance: 1, draining: false, running: Vec::new() });
    }
    row(&format!("dispatch: beats of {WORKERS} workers"), WORKERS, start.elapsed());
    let start = Instant::now();
    dispatch.handle(Moment(1_002), DispatchInput::Tick);
    row(&format!("dispatch: sweeps with {WORKERS} workers and {granted} running jobs"), 1, start.elapsed());
}
