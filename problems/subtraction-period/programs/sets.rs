//! Sets for subtraction-period: the one of two hundred with the largest preperiod or the longest period.
//!
//! Arguments: `k`, how many moves; `max`, none is larger; `want`: `late`, `long`.

use nimatron_kit::*;

const MOST: usize = 100_000;

fn main() -> std::process::ExitCode {
    generator(|args| {
        let (k, max): (usize, u64) = (args.get("k")?, args.get("max")?);
        let late = args.choice("want", &["late", "long"])? == 0;
        let mut random = args.random()?;
        let sets: Vec<Vec<u64>> = (0..200).map(|_| distinct(&mut random, k, 1, max)).collect();
        let rank = |set: &&Vec<u64>| match period(set) {
            Some((preperiod, _)) if late => preperiod,
            Some((_, period)) => period,
            None => 0,
        };
        let mut set = sets.iter().max_by_key(rank).cloned().ok_or_else(|| "no set".to_owned())?;
        random.shuffle(&mut set);
        Ok(format!("{}\n{}\n{}\n", k, joined(&set), random.between(0, 1_000_000_000_000_000_000_u64)))
    })
}

/// The smallest preperiod and period, if their sum is at most `MOST`.
fn period(set: &[u64]) -> Option<(usize, usize)> {
    let window = set.iter().copied().fold(0, u64::max) as usize;
    let mut values: Vec<u64> = Vec::new();
    let mut seen = std::collections::HashMap::new();
    for size in 0..=MOST + window {
        let reached: Vec<u64> = set.iter().filter_map(|taken| size.checked_sub(*taken as usize)).map(|rest| values[rest]).collect();
        values.push(mex(&reached));
        if values.len() >= window {
            let start = values.len() - window;
            if let Some(before) = seen.insert(values[start..].to_vec(), start) {
                return Some((before, start - before));
            }
        }
    }
    None
}
