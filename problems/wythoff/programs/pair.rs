//! Two heaps for wythoff that are lost, or nearly so, because random heaps almost never are.
//!
//! Arguments, each `key=value`: `max`, the most stones of the larger heap, the upper half of which is drawn from; `seed`;
//! * `kind`: `lost`; `near`, a lost pair with both heaps one larger or both one smaller; `equal`.

use std::process::ExitCode;

use nimatron_kit::*;

fn main() -> ExitCode {
    generator(make)
}

fn make(args: &Args) -> Result<String, Complaint> {
    let max = args.get::<u64>("max")?;
    let mut random = args.random()?;
    // The larger heap of a lost pair is about 2.618 times the difference.
    let difference = random.between(max / 6, max / 3);
    let small = (u128::from(difference) + root(5 * u128::from(difference).pow(2))) as u64 / 2;
    let (small, large) = match args.text("kind")? {
        "lost" => (small, small + difference),
        "near" if random.below(2) == 0 => (small + 1, small + 1 + difference),
        "near" => (small - 1, small - 1 + difference),
        "equal" => (small, small),
        other => return Err(format!("kind={other} is not one of lost, near, equal").into()),
    };
    let (a, b) = if random.below(2) == 0 { (small, large) } else { (large, small) };
    Ok(format!("{a} {b}\n"))
}

/// The largest number whose square is at most `square`.
fn root(square: u128) -> u128 {
    let (mut low, mut high) = (0, 1 << 63);
    while low + 1 < high {
        let middle = (low + high) / 2;
        if middle * middle <= square { low = middle } else { high = middle }
    }
    low
}
