//! Tests of the PostgreSQL store, which start their own server.

use std::sync::Barrier;

use super::super::store_tests::{ALL, holder, program};
use super::super::{Applied, JobRow, JobStage, Moment, QueueStore, postgres_server};
use super::*;

#[test]
fn the_store_passes_the_tests_of_all_stores() {
    let Some(server) = postgres_server::start() else { return };
    for (name, test) in ALL {
        println!("{name}");
        test(&PostgresQueueStore::connect(&server.new_database()).unwrap());
    }
}

#[test]
fn coordinators_that_claim_at_once_get_different_jobs() {
    const JOBS: usize = 40;
    let Some(server) = postgres_server::start() else { return };
    let url = server.new_database();
    let programs: Vec<_> = (0..JOBS).map(|number| program(&format!("s{number}"), &format!("k{number}"))).collect();
    let store = PostgresQueueStore::connect(&url).unwrap();
    let jobs = store.submit(&programs, Moment(5)).unwrap();
    let barrier = Barrier::new(4);
    let claimed = std::thread::scope(|scope| {
        let claim_all = |worker: String| {
            // Each thread has its own connections, like a separate process. All threads connect at the same time.
            let store = PostgresQueueStore::connect(&url).unwrap();
            barrier.wait();
            let claim = |job: &&JobRow| {
                let applied = store.claim(job.number, 1, holder(&worker, 1), Moment(9), Moment(6)).unwrap();
                matches!(applied, Applied::Stored(_))
            };
            jobs.iter().filter(claim).count()
        };
        let threads: Vec<_> = (0..4).map(|number| scope.spawn(move || claim_all(format!("w{number}")))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum::<usize>()
    });
    assert_eq!(claimed, JOBS, "each job is given away once");
    assert!(store.open_jobs().unwrap().iter().all(|row| row.stage == JobStage::Running && row.epoch == 1));
}

#[test]
fn a_claim_does_not_wait_for_another_transaction() {
    let Some(server) = postgres_server::start() else { return };
    let url = server.new_database();
    let store = PostgresQueueStore::connect(&url).unwrap();
    let job = store.submit(&[program("s", "k")], Moment(5)).unwrap().pop().unwrap();
    let mut other = Client::connect(&url, NoTls).unwrap();
    let mut batch = other.transaction().unwrap();
    batch.execute("UPDATE jobs SET changed_ms = 1", &[]).unwrap();
    let applied = store.claim(job.number, 1, holder("w1", 1), Moment(9), Moment(6)).unwrap();
    assert_eq!(applied, Applied::Refused(Some(Box::new(job.clone()))));
    batch.commit().unwrap();
    let applied = store.claim(job.number, 1, holder("w1", 1), Moment(9), Moment(6)).unwrap();
    assert!(matches!(applied, Applied::Stored(_)));
}

#[test]
fn a_restart_of_the_server_costs_at_most_one_call() {
    let Some(mut server) = postgres_server::start() else { return };
    let store = PostgresQueueStore::connect(&server.new_database()).unwrap();
    let job = store.submit(&[program("s", "k")], Moment(5)).unwrap().pop().unwrap();
    server.restart();
    let claim = || store.claim(job.number, 1, holder("w1", 1), Moment(9), Moment(6));
    let claimed = claim().or_else(|_| claim()).unwrap();
    assert!(matches!(claimed, Applied::Stored(_)));
    assert_eq!(store.open_jobs().unwrap()[0].epoch, 1);
}

#[test]
fn a_newer_database_is_refused() {
    let Some(server) = postgres_server::start() else { return };
    let url = server.new_database();
    drop(PostgresQueueStore::connect(&url).unwrap());
    Client::connect(&url, NoTls).unwrap().execute("UPDATE nimatron_version SET version = 99", &[]).unwrap();
    let message = PostgresQueueStore::connect(&url).err().unwrap().to_string();
    assert!(message.contains("version 99, but this program supports only schema versions up to 2"), "{message}");
    let message = PostgresQueueStore::connect("nonsense").err().unwrap().to_string();
    assert!(message.contains("the address of the database is invalid"), "{message}");
}
