//! Tests of the cluster with a real `nats-server` on loopback.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a test fails by panicking, and says what it skips")]

mod nats_server;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use nats_server::NatsServer;
use nimatron_cluster::{
    Client, CoordinatorEdge, CoordinatorHooks, HeldJob, JobEvents, JobRunner, NatsAddress, ReceivedEvents, WorkerError,
    run_worker,
};
use nimatron_queue::{
    Coordinator, DispatchPolicy, JobAnswer, JobNumber, JobRow, JobSpec, JobStage, Moment, NewProgram, Priority,
    QueueStore as _, SqliteQueueStore, WorkerHello, WorkerId,
};
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// Longest time that a test waits for the judge. A test that passes takes a small part of it.
const TEST_TIMEOUT: Duration = Duration::from_secs(120);

/// Takes some time for each program, and counts what it ran.
struct Judge {
    name: &'static str,
    lasts: Duration,
    ran: Mutex<Vec<(JobNumber, u64)>>,
    stopped: AtomicUsize,
}

impl Judge {
    fn new(name: &'static str, lasts_ms: u64) -> Arc<Judge> {
        let lasts = Duration::from_millis(lasts_ms);
        Arc::new(Judge { name, lasts, ran: Mutex::default(), stopped: AtomicUsize::new(0) })
    }

    fn count(&self) -> usize {
        self.ran.lock().unwrap().len()
    }
}

impl JobRunner for Judge {
    fn run(&self, running: &HeldJob) -> Result<JobAnswer, Arc<str>> {
        let (job, stop) = (&running.row, &running.stop);
        assert_eq!(running.order, format!("order of {}", job.number));
        running.send_events(vec![format!("started {}", job.number)]);
        self.ran.lock().unwrap().push((job.number, job.epoch));
        let end = Instant::now() + self.lasts;
        while Instant::now() < end {
            if stop.is_set() {
                self.stopped.fetch_add(1, Ordering::SeqCst);
                break;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        assert_ne!(job.spec.owner, "poison", "the thread panics");
        let mut report = format!("{} {} {}", self.name, job.number, job.epoch);
        if job.spec.owner == "large" {
            report = "x".repeat(2 << 20);
        }
        if job.spec.owner == "unreadable" {
            report = "unreadable".to_owned();
        }
        Ok(JobAnswer { conditions: "".into(), outcome: format!("AC {}", job.spec.key).into(), report: report.into() })
    }
}

/// Collects the events of all jobs.
#[derive(Default)]
struct Hooks(Mutex<Vec<JobEvents>>);

impl CoordinatorHooks for Hooks {
    fn pools(&self) -> Option<BTreeSet<String>> {
        None
    }

    fn changed(&self, _: JobNumber) {}

    fn order(&self, job: &JobRow) -> String {
        format!("order of {}", job.number)
    }

    fn check(&self, answer: &JobAnswer) -> Result<(), String> {
        if answer.report.contains("unreadable") { Err("it can't be read".to_owned()) } else { Ok(()) }
    }

    fn events(&self, events: ReceivedEvents) {
        self.0.lock().unwrap().push(events.events);
    }
}

async fn connect(server: &NatsServer) -> Client {
    let address = NatsAddress { url: server.url(), ..NatsAddress::default() };
    let start = Instant::now();
    loop {
        match nimatron_cluster::connect(&address, "test").await {
            Ok(client) => return client,
            Err(error) => assert!(start.elapsed() < TEST_TIMEOUT, "{error}"),
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

async fn coordinator(server: &NatsServer, folder: &Path) -> (CoordinatorEdge, Arc<SqliteQueueStore>, Arc<Hooks>) {
    let hooks = Arc::new(Hooks::default());
    let store = Arc::new(SqliteQueueStore::open(&folder.join("submissions.sqlite")).unwrap());
    let now = std::time::UNIX_EPOCH.elapsed().unwrap().as_millis();
    let now = Moment(u64::try_from(now).unwrap());
    let queue = Coordinator::open(store.clone(), DispatchPolicy::default(), false, now).unwrap();
    let edge = CoordinatorEdge::start(connect(server).await, queue, hooks.clone()).await.unwrap();
    (edge, store, hooks)
}

struct RunningWorker {
    task: JoinHandle<Result<(), WorkerError>>,
    drain: watch::Sender<bool>,
}

async fn worker(server: &NatsServer, instance: u64, slots: usize, judge: &Arc<Judge>) -> RunningWorker {
    let hello = WorkerHello {
        worker: WorkerId::new(judge.name),
        machine: 1,
        instance,
        pool: "main".to_owned(),
        slots,
        languages: BTreeSet::from(["c".to_owned()]),
        draining: false,
        traits: Arc::default(),
        canary: None,
    };
    let (drain, draining) = watch::channel(false);
    let task = tokio::spawn(run_worker(connect(server).await, hello, judge.clone(), draining));
    RunningWorker { task, drain }
}

fn programs(names: std::ops::Range<usize>, owner: &str) -> Vec<NewProgram> {
    let program = |number: usize| NewProgram {
        spec: JobSpec {
            submission: format!("{owner} {number}"),
            pool: "main".to_owned(),
            priority: Priority::Batch,
            owner: owner.to_owned(),
            needs: BTreeSet::from(["c".to_owned()]),
            key: format!("{owner} {number}"),
        },
        problem: "sum".to_owned(),
        name: "a.c".to_owned(),
        language: None,
        kind: "submit".to_owned(),
        source: b"int main() {}".to_vec(),
        input: None,
        reuse: None,
    };
    names.map(program).collect()
}

async fn wait_until(what: &str, condition: impl Fn() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < TEST_TIMEOUT, "{what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Waits until all jobs have ended, and checks that each has its own result.
async fn wait_for_results(store: &SqliteQueueStore, jobs: &[JobNumber]) {
    wait_until("jobs are open", || store.open_jobs().unwrap().is_empty()).await;
    for job in jobs {
        let row = store.job(*job).unwrap().unwrap();
        assert_eq!(row.stage, JobStage::Finished, "{row:?}");
        let worker = row.holder.unwrap().worker;
        assert_eq!(*row.answer.unwrap().report, format!("{worker} {job} {}", row.epoch));
    }
    assert_eq!(store.differences().unwrap(), []);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_is_judged_although_the_server_loses_everything() {
    let Some(mut server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let (edge, store, hooks) = coordinator(&server, folder.path()).await;
    let judges = [Judge::new("w1", 20), Judge::new("w2", 20), Judge::new("w3", 20)];
    for judge in &judges {
        drop(worker(&server, 1, 2, judge).await.drain);
    }
    let ran = || judges.iter().map(|judge| judge.count()).sum::<usize>();
    let mut jobs = edge.submit(programs(0..100, "a")).await.unwrap();
    wait_until("some jobs have run", || ran() >= 30).await;
    server.kill_and_lose_all();
    // The store needs no server.
    jobs.extend(edge.submit(programs(100..150, "a")).await.unwrap());
    server.restart();
    jobs.extend(edge.submit(programs(150..200, "a")).await.unwrap());
    wait_for_results(&store, &jobs).await;
    println!("{} runs of 200 programs", ran());
    let events = hooks.0.lock().unwrap();
    assert!(events.iter().all(|one| one.events == [format!("started job {}", one.job)]));
    assert!(events.len() >= 30, "{} events", events.len());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_jobs_of_a_dead_worker_are_judged_elsewhere_and_its_results_do_not_count() {
    let Some(server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let (edge, store, _) = coordinator(&server, folder.path()).await;
    let (dead, other) = (Judge::new("dead", 60_000), Judge::new("other", 10));
    let first = worker(&server, 1, 2, &dead).await;
    let jobs = edge.submit(programs(0..6, "a")).await.unwrap();
    wait_until("the worker has jobs", || dead.count() == 1).await;
    first.task.abort();
    let start = Instant::now();
    let _second = worker(&server, 1, 2, &other).await;
    wait_for_results(&store, &jobs).await;
    println!("judged elsewhere after {:.1} s", start.elapsed().as_secs_f64());
    let rows: Vec<JobRow> = jobs.iter().map(|job| store.job(*job).unwrap().unwrap()).collect();
    assert_eq!(rows.iter().filter(|row| row.attempts == 2).count(), 1);
    assert!(rows.iter().all(|row| row.holder.as_ref().unwrap().worker == WorkerId::new("other")));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cancelled_jobs_stop_and_errors_of_a_worker_are_faults() {
    let Some(server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let (edge, store, _) = coordinator(&server, folder.path()).await;
    let judge = Judge::new("w1", 60_000);
    let first = worker(&server, 1, 1, &judge).await;
    let many = edge.submit(programs(0..3_000, "class")).await.unwrap();
    wait_until("a job runs", || judge.count() == 1).await;
    let start = Instant::now();
    edge.cancel(many).await.unwrap();
    println!("cancelled 3,000 jobs in {:.3} s", start.elapsed().as_secs_f64());
    assert_eq!(store.open_jobs().unwrap(), []);
    wait_until("the program stops", || judge.stopped.load(Ordering::SeqCst) == 1).await;
    drop(first.drain);
    // A later process of the same worker takes over.
    let later = Judge::new("w1", 10);
    let second = worker(&server, 2, 1, &later).await;
    tokio::time::timeout(TEST_TIMEOUT, first.task).await.unwrap().unwrap().unwrap();
    let poison = edge.submit(programs(0..1, "poison")).await.unwrap();
    let large = edge.submit(programs(0..1, "large")).await.unwrap();
    let unreadable = edge.submit(programs(0..1, "unreadable")).await.unwrap();
    let good = edge.submit(programs(0..20, "a")).await.unwrap();
    wait_for_results(&store, &good).await;
    let refused = "the result from worker `w1` is refused: it can't be read";
    for (job, reason) in [(poison[0], "panicked"), (large[0], "accepts at most"), (unreadable[0], refused)] {
        let row = store.job(job).unwrap().unwrap();
        assert_eq!((row.stage, row.attempts), (JobStage::Parked, 5), "{row:?}");
        assert!(row.reason.as_ref().unwrap().contains(reason), "{row:?}");
    }
    second.drain.send_replace(true);
    tokio::time::timeout(TEST_TIMEOUT, second.task).await.unwrap().unwrap().unwrap();
}
