//! Runs the simulation for many seeds.

use std::collections::BTreeMap;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use super::super::memory_store::MemoryStore;
use super::super::{JobStage, Moment, QueueStore, SqliteQueueStore};
use super::world::World;

/// The number of seeds that `cargo test` runs.
const FEW: u64 = 100;
/// The number of seeds that `.ci/run` runs; `.ci/long` runs many more.
const MORE: u64 = 400;

/// Runs the simulation with a seed, and adds the number of jobs in each stage and other statistics of the run to
/// `counts`.
fn run(seed: u64, trace: bool, counts: &mut BTreeMap<&'static str, usize>) {
    let mut world = World::new(seed, trace, Box::<MemoryStore>::default());
    world.run();
    world.check();
    for row in world.store.changed_since(Moment(0)).unwrap() {
        *counts.entry(row.stage.name()).or_default() += 1;
        *counts.entry("attempts").or_default() += row.attempts as usize;
        *counts.entry("again").or_default() += usize::from(row.attempts > 1 && row.stage == JobStage::Finished);
    }
    *counts.entry("differences").or_default() += world.store.differences().unwrap().len();
    *counts.entry("set aside").or_default() += world.store.set_aside().unwrap().len();
}

/// Runs the simulation with each of the seeds, on all CPUs.
fn run_all(seeds: Range<u64>) {
    let next = AtomicU64::new(seeds.start);
    let failed = Mutex::new(Vec::new());
    let counts = Mutex::new(BTreeMap::<&str, usize>::new());
    let work = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= seeds.end || failed.lock().unwrap().len() >= 5 {
                return;
            }
            let mut own = BTreeMap::new();
            if catch_unwind(AssertUnwindSafe(|| run(seed, false, &mut own))).is_err() {
                println!("seed {seed} failed; set `NIMATRON_SEED={seed}` to print each event");
                failed.lock().unwrap().push(seed);
            }
            let mut counts = counts.lock().unwrap();
            own.into_iter().for_each(|(name, count)| *counts.entry(name).or_default() += count);
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    let (failed, counts) = (failed.into_inner().unwrap(), counts.into_inner().unwrap());
    println!("{seeds:?}: {counts:?}");
    assert!(failed.is_empty(), "seeds {failed:?} failed");
    // Each of the following outcomes must occur with at least one seed.
    for name in ["finished", "parked", "cancelled", "queued", "again", "differences", "set aside"] {
        assert!(counts.get(name).is_some_and(|count| *count > 0), "no seed reaches `{name}`: {counts:?}");
    }
}

#[test]
fn no_job_is_lost_stuck_or_judged_twice() {
    match std::env::var("NIMATRON_SEED").ok().and_then(|seed| seed.parse().ok()) {
        Some(seed) => run(seed, true, &mut BTreeMap::new()),
        None => run_all(0..FEW),
    }
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn no_job_is_lost_with_more_seeds() {
    run_all(FEW..MORE);
}

#[test]
#[ignore = "takes minutes; run by `.ci/long`"]
fn long_no_job_is_lost_stuck_or_judged_twice_for_many_seeds() {
    let seeds = std::env::var("NIMATRON_SEEDS").ok().and_then(|seeds| seeds.parse().ok()).unwrap_or(100_000);
    run_all(MORE..MORE + seeds);
}

/// Runs a simulation, and returns its jobs and grants as text.
fn end(seed: u64, store: Box<dyn QueueStore>) -> (String, String) {
    let mut world = World::new(seed, false, store);
    world.run();
    (format!("{:#?}", world.store.changed_since(Moment(0)).unwrap()), format!("{:#?}", world.grants))
}

#[test]
fn a_seed_gives_the_same_run() {
    for seed in 0..20 {
        let run = || end(seed, Box::<MemoryStore>::default());
        assert_eq!(run(), run(), "seed {seed}");
    }
}

#[test]
fn the_sqlite_store_behaves_as_the_one_in_memory() {
    for seed in 100..110 {
        let folder = tempfile::tempdir().unwrap();
        let sqlite = SqliteQueueStore::open_without_sync(&folder.path().join("submissions.sqlite"));
        assert_eq!(end(seed, Box::new(sqlite)), end(seed, Box::<MemoryStore>::default()), "seed {seed}");
    }
}
