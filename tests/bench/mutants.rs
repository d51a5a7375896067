//! Compares building N mutants in bulk with N cold compilations of the same program, in one run.
//!
//! Run it with `cargo bench --bench mutants`. Both use the sandbox, one compiler at a time, without a cache.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark panics on errors and prints its results")]

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use nimatron::mutants::{MutantLanguage, mutants};
use nimatron::runner::{BuildOutcome, Host};
use nimatron::verify::strength::build::{CompileError, build_all};

const PROBLEMS: [&str; 5] = ["classic-nim", "staircase-nim", "dag-sg", "split-nim", "three-player-nim"];
/// Number of cold compilations that are measured.
const COLD: usize = 5;

fn main() {
    let cache = tempfile::tempdir().unwrap();
    let server = nimatron::sandbox::ForkServer::from(env!("CARGO_BIN_EXE_nimatron"));
    let cancel = nimatron::sandbox::Cancel::new().unwrap();
    let sandbox = nimatron::sandbox::best_available(server, cancel.clone(), None, (None, 0)).unwrap();
    let host = Host::new(sandbox, &cancel, cache.path(), None, 1).unwrap();
    let (mut built, mut bulk_time, mut cold_time) = (0, Duration::ZERO, Duration::ZERO);
    for problem in PROBLEMS {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("solutions/{problem}/accepted/reference.rs"));
        let source = fs_err::read_to_string(path).unwrap();
        let compiled = AtomicUsize::new(0);
        let compile = |text: &str, slot: usize| -> Result<(), CompileError> {
            compiled.fetch_add(1, Ordering::Relaxed);
            let source = host.languages().from_text(Path::new("mutants.rs"), text.into()).unwrap();
            match host.languages().build(&source, slot)? {
                BuildOutcome::Ready(built) => {
                    assert!(!built.cached);
                    Ok(())
                }
                BuildOutcome::Rejected { raw, .. } => Err(CompileError::Rejected(raw)),
            }
        };
        let list = mutants(&source, MutantLanguage::Rust).unwrap();
        let times: Vec<Duration> = (0..COLD)
            .map(|number| {
                let text = format!("{source}\n// {number}\n");
                timed(|| compile(&text, 0).unwrap()).0
            })
            .collect();
        // The fastest run is used, since other runs may have been disturbed. This can only overestimate the ratio.
        let one = times.into_iter().min().unwrap();
        compiled.store(0, Ordering::Relaxed);
        let (time, bulk) = timed(|| build_all(&source, MutantLanguage::Rust, &list, &[0], &compile).unwrap());
        let cold = one * list.len() as u32;
        println!(
            "{problem:<18} {:3} mutants, {:3} compile: {time:6.1?} in {} compilations; {} cold ones of {one:.2?}: {cold:6.1?}; ratio {:.2}",
            list.len(),
            bulk.homes.len(),
            bulk.compilations,
            list.len(),
            time.as_secs_f64() / cold.as_secs_f64()
        );
        assert_eq!(bulk.compilations, compiled.load(Ordering::Relaxed));
        built += list.len();
        bulk_time += time;
        cold_time += cold;
    }
    let ratio = bulk_time.as_secs_f64() / cold_time.as_secs_f64();
    println!("{built} mutants in all: {bulk_time:.1?} in bulk, {cold_time:.1?} one by one; ratio {ratio:.2}");
}

fn timed<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let start = Instant::now();
    let result = work();
    (start.elapsed(), result)
}
