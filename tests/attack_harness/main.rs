//! Runs every program in `tests/attacks` at every level of the sandbox, with canaries that detect an escape.
//!
//! The comment at the top of a program states the expected results: `// expect A B: cpu|wall`. A level that is not
//! listed does not stop the program (see the guide), and the program is not run there. After each attack the same cell
//! must be alive, empty and unchanged. All programs run under an outer limit on processes.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a test fails by panicking and prints what it skips")]

mod attack;
mod canaries;
mod runner;
mod soak;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use nimatron::model::Level;
use nimatron::sandbox::{Cancel, ForkServer, Namespaced, RlimitOnly, Sandbox};

use attack::Attack;
use canaries::OuterBound;
use runner::AttackRunner;

/// Held by each test, because the outer limit applies to the whole process, so tests must run one at a time.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Options of a run of the attacks.
#[derive(Debug, Clone, Copy)]
struct Manner {
    /// Whether every run uses strict mode.
    strict: bool,
    /// Number of workers.
    workers: usize,
    /// Pause before each run.
    pause: Duration,
    /// Whether only the attacks with the start hook are run, each of them twice. The second run is then a fork of a
    /// prestarted process at level A.
    forked: bool,
}

/// The usual options: four workers, because many attacks wait until a limit stops them.
const PLAINLY: Manner = Manner { strict: false, workers: 4, pause: Duration::ZERO, forked: false };
const STRICTLY: Manner = Manner { strict: true, workers: 1, ..PLAINLY };
/// Options with pauses between the runs of the workers, so that the kernel's deferred work (freeing, counting, waking)
/// happens between runs.
const SCATTERED: Manner = Manner { pause: Duration::from_millis(50), ..PLAINLY };

/// Creates a sandbox of this level; returns `None` if the level is not available.
fn sandbox(level: Level, strict: bool) -> Option<Box<dyn Sandbox>> {
    let server = ForkServer::from(env!("CARGO_BIN_EXE_nimatron"));
    let cancel = Cancel::new().unwrap();
    if level == Level::D {
        return Some(Box::new(RlimitOnly::new(server, cancel).unwrap()));
    }
    let made = if strict { Namespaced::strict(level, server, cancel) } else { Namespaced::at(level, server, cancel) };
    match made {
        Ok(sandbox) => Some(Box::new(sandbox)),
        Err(fault) => {
            assert!(std::env::var_os("NIMATRON_STRICT").is_none(), "{fault}");
            println!("skipped: {fault}");
            None
        }
    }
}

/// Creates a sandbox of level A, or of level B if A is not available; returns `None` if neither is.
fn strongest_sandbox(strict: bool) -> Option<Box<dyn Sandbox>> {
    sandbox(Level::A, strict).or_else(|| sandbox(Level::B, strict))
}

/// Runs every attack at this level.
fn attack_level(level: Level, manner: Manner) {
    attack_sandbox(|| sandbox(level, manner.strict), manner);
}

/// Runs every attack in the sandbox that `create` returns, if there is one.
fn attack_sandbox(create: impl FnOnce() -> Option<Box<dyn Sandbox>>, manner: Manner) {
    let _turn = ONE_AT_A_TIME.lock();
    let _bound = OuterBound::enter();
    let Some(sandbox) = create() else { return };
    let attacks = Attack::all();
    let next = AtomicUsize::new(0);
    let (mut failures, mut count) = (Vec::new(), 0);
    std::thread::scope(|scope| {
        let (sandbox, attacks, next) = (&*sandbox, &attacks, &next);
        let work = move |slot: usize| {
            let mut runner = AttackRunner::new(sandbox, slot);
            let attacks = std::iter::from_fn(|| attacks.get(next.fetch_add(1, Ordering::Relaxed)));
            runner.attack(attacks, manner);
            (runner.failures, runner.count)
        };
        let workers: Vec<_> = (0..manner.workers).map(|slot| scope.spawn(move || work(slot))).collect();
        for worker in workers {
            let (wrong, done) = worker.join().unwrap();
            failures.extend(wrong);
            count += done;
        }
    });
    println!("{count} attacks at {}, {manner:?}", sandbox.isolation().level);
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn the_strongest_level_holds_against_every_attack() {
    attack_sandbox(|| strongest_sandbox(PLAINLY.strict), PLAINLY);
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn level_a_holds_against_forks_of_prestarted_attacks() {
    attack_level(Level::A, Manner { forked: true, ..PLAINLY });
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn level_b_holds_against_every_attack() {
    attack_level(Level::B, PLAINLY);
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn level_c_holds_against_what_it_promises_to() {
    attack_level(Level::C, PLAINLY);
}

#[test]
#[ignore = "slow; .ci/run runs it"]
fn level_d_limits_and_leaves_nothing_running() {
    attack_level(Level::D, PLAINLY);
}

#[test]
#[ignore = "started by tests/cgroup2/run"]
fn attacks_are_built_for_a_machine_without_compilers() {
    let Some(folder) = std::env::var_os("NIMATRON_ATTACKS_TO") else { return };
    let outside = |attack: &Attack| !attack.is_for_compilers();
    for attack in Attack::all().into_iter().filter(outside).chain([Attack::check(), Attack::none()]) {
        attack::build(&attack, std::path::Path::new(&folder)).unwrap();
    }
}

#[test]
#[ignore = "long: the strict mode differs from level A only in what is made anew"]
fn long_strict_mode_holds_against_every_attack() {
    attack_level(Level::A, STRICTLY);
    attack_level(Level::B, STRICTLY);
}

#[test]
#[ignore = "long: every level again, by one worker, and by several with pauses"]
fn long_every_level_holds_for_one_attacker_and_for_several_with_pauses() {
    for level in [Level::A, Level::B, Level::C, Level::D] {
        attack_level(level, Manner { workers: 1, ..PLAINLY });
        attack_level(level, SCATTERED);
    }
}
