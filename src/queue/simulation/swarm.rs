//! The faults of one simulation. Each seed enables some of the faults.

use super::random::Seeded;

/// The frequency of each fault, and the size of the simulation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Swarm {
    pub coordinators: usize,
    pub workers: usize,
    pub jobs: u64,
    // Frequencies per thousand messages:
    pub lost: u64,
    pub repeated: u64,
    /// The longest delay of a message.
    pub delay_ms: u64,
    // Frequencies per thousand seconds:
    pub coordinator_crashes: u64,
    pub worker_crashes: u64,
    pub pauses: u64,
    pub partitions: u64,
    pub drains: u64,
    pub doorbell_wipes: u64,
    pub clock_jumps: u64,
    // Frequencies per thousand calls to the store or the coordinator:
    pub store_errors: u64,
    pub coordinator_dies_after_store: u64,
    // Frequencies per thousand jobs:
    pub poison: u64,
    pub faults: u64,
    pub impossible: u64,
    pub cancelled: u64,
    pub rejudged: u64,
    /// Whether the first worker fails on each job.
    pub broken_worker: bool,
    /// Whether a program may have a different result in each run.
    pub flaky_results: bool,
}

impl Swarm {
    pub(super) fn of(random: &mut Seeded) -> Swarm {
        let mut some = |most: u64| if random.chance(500) { random.below(most + 1) } else { 0 };
        let mut swarm = Swarm {
            coordinators: 1,
            workers: 0,
            jobs: 0,
            lost: some(300),
            repeated: some(300),
            delay_ms: 0,
            coordinator_crashes: some(100),
            worker_crashes: some(60),
            pauses: some(30),
            partitions: some(30),
            drains: some(20),
            doorbell_wipes: some(100),
            clock_jumps: some(20),
            store_errors: some(200),
            coordinator_dies_after_store: some(30),
            poison: some(150),
            faults: some(200),
            impossible: some(100),
            cancelled: some(200),
            rejudged: some(200),
            broken_worker: false,
            flaky_results: false,
        };
        swarm.coordinators = if random.chance(300) { 2 } else { 1 };
        swarm.workers = random.between(1, 6) as usize;
        swarm.jobs = random.between(1, 60);
        swarm.delay_ms = if random.chance(500) { random.between(2, 20) } else { random.between(100, 4_000) };
        swarm.broken_worker = random.chance(200);
        swarm.flaky_results = random.chance(200);
        swarm
    }
}
