//! Measures the checkers against a baseline in the same run: a memory comparison of the same bytes, read from the same
//! files in the same way. Run it with `cargo bench --bench check`.
//!
//! The goals are: equal files of tokens take at most 1.5 times as long as the baseline, equal streams of tokens or lines
//! at most 1.4 times as long as `cmp`, files with other white space are compared at 1 GB/s or more, and 109 MB of numbers
//! are compared within a tolerance in at most 0.6 s.

use std::fmt::Write as _;
use std::io::{self, Read, Write as _};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use fs_err::File;
use nimatron::check::{Comparer, ComparisonResult, ComparisonRule};

const ROUNDS: usize = 9;
const TOKENS: usize = 101_000_000;
const NUMBERS: usize = 109_000_000;

fn main() -> io::Result<()> {
    let dir = tempfile::tempdir()?;
    let text = integers(TOKENS);
    let mut table = String::new();
    let (answer, other) = (dir.path().join("answer"), dir.path().join("output"));
    save(&answer, text.as_bytes())?;
    save(&other, text.as_bytes())?;
    let floor = best(|| memory_comparison(&answer, &other))?;
    row(&mut table, "floor: memory comparison", text.len(), floor, floor);
    let peer = best(|| cmp(&answer, &other))?;
    row(&mut table, "`cmp`", text.len(), peer, floor);

    let rules = [
        ("exact", ComparisonRule::Exact),
        ("lines", ComparisonRule::Lines),
        ("tokens", ComparisonRule::Tokens),
        ("unordered", ComparisonRule::Unordered),
    ];
    for (name, rule) in rules {
        let time = best(|| check(rule, &answer, &other))?;
        row(&mut table, &format!("{name}, equal files"), text.len(), time, floor);
    }
    for (name, rule) in rules {
        let time = best(|| stream(rule, &answer, &other))?;
        row(&mut table, &format!("{name}, equal streams"), text.len(), time, floor);
        let _ = writeln!(table, "{:<34} {:6.2} x `cmp`", "", time.as_secs_f64() / peer.as_secs_f64());
    }
    for (name, output) in [
        ("tokens, lines for spaces", text.replace(' ', "\n")),
        ("tokens, CR LF for LF", text.replace('\n', "\r\n")),
        ("tokens, two spaces for one", text.replace(' ', "  ")),
    ] {
        save(&other, output.as_bytes())?;
        let time = best(|| check(ComparisonRule::Tokens, &answer, &other))?;
        row(&mut table, name, text.len(), time, floor);
    }
    save(&other, text.replace('\n', " \r\n").as_bytes())?;
    let time = best(|| check(ComparisonRule::Lines, &answer, &other))?;
    row(&mut table, "lines, blanks at line ends", text.len(), time, floor);

    let numbers = ComparisonRule::Numbers { absolute: Some(1e-5), relative: Some(1e-5), spaces: false };
    for places in [6, 9, 15] {
        save(&answer, decimals(NUMBERS, places, 0.0).as_bytes())?;
        save(&other, decimals(NUMBERS, places, 0.0).as_bytes())?;
        let floor = best(|| memory_comparison(&answer, &other))?;
        let time = best(|| check(numbers, &answer, &other))?;
        row(&mut table, &format!("numbers, {places} places, equal"), NUMBERS, time, floor);
        save(&other, decimals(NUMBERS, places, 3e-6).as_bytes())?;
        let time = best(|| check(numbers, &answer, &other))?;
        row(&mut table, &format!("numbers, {places} places, slightly off"), NUMBERS, time, floor);
    }
    io::stdout().write_all(table.as_bytes())
}

/// Returns the shortest time of several rounds.
fn best(mut run: impl FnMut() -> io::Result<()>) -> io::Result<Duration> {
    let mut shortest = Duration::MAX;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        run()?;
        shortest = shortest.min(start.elapsed());
    }
    Ok(shortest)
}

fn row(table: &mut String, name: &str, bytes: usize, time: Duration, floor: Duration) {
    let (seconds, ratio) = (time.as_secs_f64(), time.as_secs_f64() / floor.as_secs_f64());
    let rate = bytes as f64 / seconds / 1e9;
    let _ = writeln!(table, "{name:<34} {seconds:7.3} s {rate:6.2} GB/s {ratio:6.2} x floor");
}

/// Compares two files, as the judge does.
fn check(rule: ComparisonRule, answer: &Path, output: &Path) -> io::Result<()> {
    accepted(Comparer::new(rule).compare_files(File::open(answer)?, File::open(output)?)?)
}

/// Compares two streams that can be read only once.
fn stream(rule: ComparisonRule, answer: &Path, output: &Path) -> io::Result<()> {
    accepted(Comparer::new(rule).compare(File::open(answer)?, File::open(output)?)?)
}

fn accepted(finding: ComparisonResult) -> io::Result<()> {
    match finding {
        ComparisonResult::Same => Ok(()),
        ComparisonResult::Differs { difference, .. } => Err(io::Error::other(difference.message)),
    }
}

/// The baseline: reads both files in chunks of the checkers' window size and compares the chunks.
fn memory_comparison(answer: &Path, output: &Path) -> io::Result<()> {
    let (mut a, mut b) = (File::open(answer)?, File::open(output)?);
    let (mut left, mut right) = (vec![0; 128 << 10], vec![0; 128 << 10]);
    loop {
        let (m, n) = (a.read(&mut left)?, b.read(&mut right)?);
        if left[..m] != right[..n] {
            return Err(io::Error::other("the files differ"));
        }
        if m == 0 {
            return Ok(());
        }
    }
}

/// Runs the program `cmp`, which reads each file once and finds no difference.
fn cmp(answer: &Path, output: &Path) -> io::Result<()> {
    let status = Command::new("cmp").args([answer, output]).status()?;
    if status.success() { Ok(()) } else { Err(io::Error::other("`cmp` failed")) }
}

fn save(path: &Path, text: &[u8]) -> io::Result<()> {
    File::create(path)?.write_all(text)
}

/// SplitMix64, a random number generator with the same output on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

/// Returns lines of ten integers up to 10^9 each.
fn integers(size: usize) -> String {
    let mut random = Random(1);
    let mut text = String::with_capacity(size + 200);
    while text.len() < size {
        for at in 0..10 {
            let _ = write!(text, "{}{}", random.next() % 1_000_000_000, if at == 9 { '\n' } else { ' ' });
        }
    }
    text
}

/// Returns one number per line, each with the relative error `off`.
fn decimals(size: usize, places: usize, off: f64) -> String {
    let mut random = Random(2);
    let mut text = String::with_capacity(size + 200);
    while text.len() < size {
        let value = (random.next() >> 11) as f64 / (1_u64 << 53) as f64 * 1000.0;
        let _ = writeln!(text, "{:.places$}", value + off * 0.1);
    }
    text
}
