//! Measures how fast inputs are generated and validated: `cargo bench --bench input`.
//!
//! Each line shows the number of bytes, and the bytes per second for generating, writing, validating, and all three
//! together, on one core. The baseline is `memcmp` of the bytes with a copy, measured in the same run.
//! The last line shows the memory used to validate one line of 100 MB.

#![expect(
    clippy::print_stdout,
    clippy::expect_used,
    reason = "a benchmark prints what it measured, and stops at a mistake"
)]

use std::hint::black_box;
use std::io::{BufReader, Read};
use std::time::Duration;

use indexmap::IndexMap;
use nimatron::input::{Description, RawItem, RawValue, Rng};
use nimatron::model::Digest;
use rustix::time::{ClockId, clock_gettime};

/// Goal for lines of random integers: bytes generated and validated per second on one core.
const WANTED: f64 = 200e6;
/// Number of runs; each figure is that of the fastest run.
const RUNS: usize = 5;

fn main() {
    // The memory is measured first, before anything else is allocated.
    let memory = memory_of_a_long_line();
    println!("MB/s, best of {RUNS} runs; goal for random integer lines (generated, written and validated): 200");
    println!("{:>34} {:>9} {:>9} {:>9} {:>9} {:>9}", "values", "MB", "generate", "validate", "together", "floor");
    let mut fast = true;
    for (name, bounds, count, clauses) in [
        ("integers to 10^9", "0..=10^9", 4_000_000, &[][..]),
        ("integers of 64 bits", "-2^63..=2^63-1", 2_500_000, &[]),
        ("integers to 10^9, with their sum", "0..=10^9", 4_000_000, &["sum(a) > 0"]),
    ] {
        fast &= measure(name, &list(bounds, count, clauses)) >= WANTED;
    }
    fast &= measure("edges, a line each", &rows(1_000_000)) >= WANTED;
    // For short values the cost per value dominates the cost per byte. These figures have no goal.
    measure("integers to 100", &list("0..=100", 8_000_000, &[]));
    measure("digits", &list("0..=9", 12_000_000, &[]));
    match memory {
        Some(kib) => println!("one line of 100 MB was validated in {kib} KiB"),
        None => println!("skipped: the peak memory cannot be read on this system"),
    }
    println!("{}", if fast { "fast enough" } else { "TOO SLOW" });
}

/// Returns the growth of the peak memory in KiB during the validation of a line of 100 MB.
fn memory_of_a_long_line() -> Option<u64> {
    let count = 10_000_000;
    let description = list("0..=10^9", count, &["sum(a) > 0", "max(a) < 10^9"]);
    let line = "123456789 ".repeat(1000);
    let pieces = std::iter::repeat_n(line.as_str(), count / 1000 - 1);
    let (head, tail) = (format!("{count}\n"), format!("{}\n", line.trim_end()));
    let [head, tail] = [head.as_str(), tail.as_str()].map(std::iter::once);
    let mut pieces = head.chain(pieces).chain(tail).map(str::as_bytes);
    let before = most_memory()?;
    description.validate(BufReader::new(Joined { now: &[], pieces: &mut pieces }), None).expect("valid");
    Some(most_memory()? - before)
}

/// A reader that concatenates chunks of bytes.
struct Joined<'a> {
    now: &'a [u8],
    pieces: &'a mut dyn Iterator<Item = &'a [u8]>,
}

impl Read for Joined<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.now.is_empty() {
            self.now = self.pieces.next().unwrap_or_default();
        }
        let count = self.now.len().min(buffer.len());
        buffer[..count].copy_from_slice(&self.now[..count]);
        self.now = &self.now[count..];
        Ok(count)
    }
}

/// Returns the peak memory of this process in KiB.
fn most_memory() -> Option<u64> {
    let status = fs_err::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse().ok()
}

fn text(value: &str) -> RawValue {
    RawValue::Text(value.to_owned())
}

fn list(bounds: &str, count: usize, clauses: &[&str]) -> Description {
    let line = |key: &str, value: &str| RawItem::Line(IndexMap::from([(key.to_owned(), text(value))]));
    let items = [line("n", &count.to_string()), line("a[n]", bounds)];
    let clauses: Vec<String> = clauses.iter().map(|clause| (*clause).to_owned()).collect();
    Description::parse(&items, &clauses).expect("a description")
}

fn rows(count: usize) -> Description {
    let n = IndexMap::from([("n".to_owned(), text("10^5"))]);
    let edge = ["u", "v"].map(|key| (key.to_owned(), text("1..=n")));
    let block = RawItem::Repeat { repeat: count.to_string(), lines: vec![IndexMap::from(edge)] };
    Description::parse(&[RawItem::Line(n), block], &[]).expect("a description")
}

/// Prints one line and returns the total bytes per second.
fn measure(name: &str, description: &Description) -> f64 {
    let mut bytes = Vec::new();
    let make = |bytes: &mut Vec<u8>| {
        let mut rng = Rng::from_digest(&Digest::of(name.as_bytes()));
        let instance = description.generate(&mut rng).expect("an instance");
        bytes.clear();
        description.write(&instance, bytes);
    };
    let made = best(|| make(&mut bytes));
    let mut copy = Vec::new();
    let together = best(|| {
        make(&mut copy);
        description.validate(copy.as_slice(), None).expect("valid");
    });
    let validated = best(|| description.validate(black_box(bytes.as_slice()), None).expect("valid"));
    let floor = best(|| assert!(black_box(&bytes) == black_box(&copy)));
    let rate = |time: Duration| bytes.len() as f64 / time.as_secs_f64();
    let shown = [made, validated, together, floor].map(|time| format!("{:>9.0}", rate(time) / 1e6)).join(" ");
    println!("{name:>34} {:>9.1} {shown}", bytes.len() as f64 / 1e6);
    rate(together)
}

fn best(mut work: impl FnMut()) -> Duration {
    let times = (0..RUNS).map(|_| {
        let start = now();
        work();
        now().saturating_sub(start)
    });
    times.min().unwrap_or(Duration::MAX)
}

/// Returns this thread's CPU time, which excludes other work on the machine.
fn now() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
