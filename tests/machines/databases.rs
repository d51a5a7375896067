//! The queue in PostgreSQL, which is restarted and paused; many submissions at once; problems that can't be read.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use nimatron::history::ProblemKey;
use nimatron::model::{Failure, FaultKind, ProblemId};
use nimatron::sandbox::{Cancel, IsolationRequirement};
use nimatron::service::{JudgeService, ProblemSource, ServiceConfig};
use nimatron_queue::DispatchPolicy;
use nimatron_server::machines::{ClusterSettings, NatsAddress, cluster_pool};
use nimatron_server::submissions::{
    FoundProblem, JudgingQueue, NewSubmission, Priority, ProblemFinder, QueueConfig, QueueCounts, SubmissionId,
    SubmissionKind, SubmissionStore,
};

use serde_json::json;

use crate::client::Server;
use crate::count;
use crate::nats_server::NatsServer;
use crate::postgres::Postgres;
use crate::project::{BUILT, Project};
use crate::rig::{RIGHT, Rig, free_port, slow, wait_until, wait_within};

#[test]
fn nothing_is_lost_when_the_database_is_restarted_and_paused() {
    let restarts = count("NIMATRON_CLUSTER_DATABASE_RESTARTS", 1);
    let paused = Duration::from_secs(count("NIMATRON_CLUSTER_DATABASE_PAUSE", 5) as u64);
    let Some(mut database) = Postgres::start() else { return };
    let url = database.url();
    let Some(rig) = Rig::start_with(None, 0, vec!["--database".to_owned(), url]) else { return };
    let _workers = [rig.worker("w1", 1), rig.worker("w2", 1)];
    assert_eq!(rig.ended(&rig.submit(RIGHT))["verdict"], "AC");
    let mut runs = Vec::new();
    let mut latest = Duration::ZERO;
    let mut disturb = |disturbance: &mut dyn FnMut(), time: usize| {
        let own: Vec<String> = (0..4).map(|number| rig.submit(&slow(0.05, time * 10 + number))).collect();
        wait_until("no program runs", || own.iter().any(|run| rig.run(run)["state"] == "running"));
        disturbance();
        let start = Instant::now();
        // A submission is accepted, because the store of submissions is another database.
        let during = rig.submit(&slow(0.01, time * 10 + 9));
        own.iter().chain([&during]).for_each(|run| assert_eq!(rig.ended(run)["verdict"], "AC"));
        latest = latest.max(start.elapsed());
        runs.extend(own);
        runs.push(during);
    };
    for time in 0..restarts {
        disturb(&mut || database.restart(), time);
    }
    let mut pause = || {
        database.pause(true);
        std::thread::sleep(paused);
        database.pause(false);
    };
    disturb(&mut pause, restarts);
    for run in &runs {
        let names = rig.events(run);
        assert_eq!(names.iter().filter(|name| *name == "run_finished").count(), 1, "{names:?}");
    }
    println!(
        "{restarts} restarts and a pause of {} s, {} programs, all judged at the latest {:.1} s later",
        paused.as_secs(),
        runs.len(),
        latest.as_secs_f64()
    );
}

#[test]
fn two_servers_share_a_queue_and_each_has_its_own_submissions() {
    let Some(database) = Postgres::start() else { return };
    let shared = vec!["--database".to_owned(), database.url()];
    let Some(mut rig) = Rig::start_with(None, free_port(), shared) else { return };
    let (nats, url) = (rig.nats.url(), database.url());
    let options = ["--data", "data2", "--cluster", &nats, "--cluster-listen", "127.0.0.1:0", "--database", &url];
    let second = Server::start(&rig.project, &options);
    let _workers = [rig.worker("w1", 1), rig.worker("w2", 1)];
    assert_eq!(rig.ended(&rig.submit(RIGHT))["verdict"], "AC");
    let submit = |number: usize| {
        second.submit(&json!({ "problem": "sum", "name": "a.sh", "source": slow(0.02, 1_000 + number) }))
    };
    let mut own: Vec<String> = (0..4).map(|number| rig.submit(&slow(0.02, number))).collect();
    let others: Vec<String> = (0..4).map(submit).collect();
    own.iter().for_each(|run| assert_eq!(rig.ended(run)["verdict"], "AC"));
    others.iter().for_each(|run| assert_eq!(second.ended(run)["verdict"], "AC"));
    assert_eq!(second.get(&format!("/api/v1/runs/{}", own[0])).status, 404);
    // Without the first server, the second one hands out the programs of both.
    own.extend((4..8).map(|number| rig.submit(&slow(0.1, number))));
    wait_until("no program runs", || own.iter().any(|run| rig.run(run)["state"] == "running"));
    rig.server.take().unwrap().kill();
    let during = submit(9);
    assert_eq!(second.ended(&during)["verdict"], "AC");
    rig.start_server();
    for run in &own {
        assert_eq!(rig.ended(run)["verdict"], "AC");
        assert_eq!(rig.events(run).iter().filter(|name| *name == "run_finished").count(), 1);
    }
    for run in others.iter().chain([&during]) {
        let events = second.events(run, None);
        assert_eq!(events.iter().filter(|(_, event)| event["event"] == "run_finished").count(), 1);
    }
}

#[test]
fn the_server_ends_although_the_database_is_stopped() {
    let Some(database) = Postgres::start() else { return };
    let Some(mut rig) = Rig::start_with(None, 0, vec!["--database".to_owned(), database.url()]) else { return };
    let worker = rig.worker("w1", 1);
    assert_eq!(rig.ended(&rig.submit(RIGHT))["verdict"], "AC");
    database.pause(true);
    let during = rig.submit(&slow(0.01, 1));
    // The thread waits for the database now.
    std::thread::sleep(Duration::from_secs(2));
    let server = rig.server.take().unwrap();
    let start = Instant::now();
    let end = std::thread::spawn(move || server.interrupt());
    let patience = Duration::from_secs(30);
    wait_within(patience, "the server does not end", || end.is_finished());
    println!("the server ended after {:.1} s", start.elapsed().as_secs_f64());
    assert!(end.join().unwrap());
    database.pause(false);
    rig.start_server();
    assert_eq!(rig.ended(&during)["verdict"], "AC");
    drop(worker);
}

/// Finds no problem, because of a fault.
struct BrokenDisk;

impl ProblemFinder for BrokenDisk {
    fn find(&self, _: &ProblemId) -> Result<FoundProblem, Failure> {
        Err(Failure::fault(FaultKind::Data, "the disk is broken"))
    }
}

#[test]
fn a_submission_whose_problem_cannot_be_read_ends() {
    let Some(nats) = NatsServer::start() else { return };
    let project = Project::with_sum();
    let queue = queue_of_a_cluster(&project, &nats, Arc::new(BrokenDisk));
    let [kept, cancelled] = [1, 2].map(|number| queue.submit(new_submission(number)).unwrap());
    assert_eq!(queue.cancel_all(std::slice::from_ref(&cancelled)).unwrap(), 1);
    let state = |id: &SubmissionId| queue.get(id).unwrap().unwrap().state.name();
    wait_until("the submission is not cancelled", || state(&cancelled) == "cancelled");
    wait_until("the submission does not end", || state(&kept) == "finished");
    let row = queue.get(&kept).unwrap().unwrap();
    assert!(row.error.as_deref().is_some_and(|error| error.contains("the disk is broken")), "{row:?}");
}

/// Finds the problem `sum` of a project.
struct SumFolder(PathBuf);

impl ProblemFinder for SumFolder {
    fn find(&self, _: &ProblemId) -> Result<FoundProblem, Failure> {
        Ok(FoundProblem { source: ProblemSource::of_path(self.0.clone()), key: ProblemKey::at(&self.0) })
    }
}

fn queue_of_a_cluster(project: &Project, nats: &NatsServer, finder: Arc<dyn ProblemFinder>) -> JudgingQueue {
    let config = ServiceConfig {
        fork_server: BUILT.into(),
        cache: project.path("cache"),
        problems: None,
        jobs: 2,
        isolation: IsolationRequirement::default(),
        cells: 0,
    };
    let service = JudgeService::open(&config, &Cancel::new().unwrap()).unwrap();
    let settings = ClusterSettings {
        nats: NatsAddress { url: nats.url(), ..NatsAddress::default() },
        database: None,
        data: project.path("data"),
        listen: "127.0.0.1:0".parse().unwrap(),
        url: None,
        tls: None,
        pool: "main".to_owned(),
        policy: DispatchPolicy::default(),
    };
    let store = SubmissionStore::open(&project.path("data")).unwrap();
    JudgingQueue::start_remote(service, finder, store, QueueConfig::default(), cluster_pool(settings)).unwrap()
}

fn new_submission(number: usize) -> NewSubmission {
    NewSubmission {
        person: format!("person {}", number % 10),
        problem: "sum".parse().unwrap(),
        name: "a.sh".to_owned(),
        language: None,
        source: format!("{RIGHT} # {number}").into_bytes(),
        kind: SubmissionKind::Submit,
        input: None,
        priority: Priority::Batch,
    }
}

#[test]
fn thousands_of_queued_submissions_are_cancelled_within_a_second() {
    let Some(nats) = NatsServer::start() else { return };
    let project = Project::with_sum();
    let queue = queue_of_a_cluster(&project, &nats, Arc::new(SumFolder(project.path("problems/sum"))));
    let start = Instant::now();
    let ids: Vec<SubmissionId> = (0..3_000).map(|number| queue.submit(new_submission(number)).unwrap()).collect();
    println!("submitted 3,000 in {:.1} s", start.elapsed().as_secs_f64());
    let open_jobs = || {
        let database = rusqlite::Connection::open(project.path("data/cluster/queue.sqlite")).unwrap();
        let sql = "SELECT count(*) FROM jobs WHERE stage = 'queued'";
        database.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap()
    };
    wait_until("the queue does not get all", || open_jobs() == 3_000);
    let start = Instant::now();
    assert_eq!(queue.cancel_all(&ids).unwrap(), 3_000);
    let empty = QueueCounts { queued: 0, running: 0 };
    // The aim is a second; this machine may be busy with other tests.
    wait_within(Duration::from_secs(60), "the queue is not empty", || queue.counts() == empty);
    let taken = start.elapsed();
    println!("cancelled 3,000 in {:.2} s", taken.as_secs_f64());
    assert_eq!(open_jobs(), 0);
    let row = queue.get(&ids[1_234]).unwrap().unwrap();
    assert_eq!(row.state.name(), "cancelled");
}
