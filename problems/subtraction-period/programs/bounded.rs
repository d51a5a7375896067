//! The validator of subtraction-period: preperiod and period together are at most 100000.

use nimatron_kit::*;

const MOST: usize = 100_000;

fn main() -> std::process::ExitCode {
    validator(|input, _| {
        let k: usize = input.int(1..=10)?;
        input.newline()?;
        let set: Vec<usize> = input.ints(k, 1..=100)?;
        if repeats(&set) { Ok(()) } else { Err(input.complaint("preperiod and period are more than 100000 together")) }
    })
}

/// Whether two windows as long as the largest move are equal, both beginning at `MOST` or before.
fn repeats(set: &[usize]) -> bool {
    let window = set.iter().copied().fold(0, usize::max);
    let mut values: Vec<u64> = Vec::new();
    let mut seen = std::collections::HashSet::new();
    for size in 0..MOST + window {
        let reached: Vec<u64> = set.iter().filter_map(|taken| size.checked_sub(*taken)).map(|rest| values[rest]).collect();
        values.push(mex(&reached));
        if values.len() >= window && !seen.insert(values[values.len() - window..].to_vec()) {
            return true;
        }
    }
    false
}
