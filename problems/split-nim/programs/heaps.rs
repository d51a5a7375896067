//! Heaps for split-nim whose Grundy values have a chosen nim-sum, because the nim-sum of random heaps is rarely zero.
//!
//! Arguments, each `key=value`:
//! * `n`, `max`: how many heaps, and the largest size;
//! * `shape`: `random`; `equal`; `great` (the largest tenth of sizes); `distinct` (no two equal as far as sizes last);
//! * `xor`: `any`; `zero` (`n` must be even: an odd number of heaps is always won); `near` (zero, then one heap
//!   made one larger or smaller); `less-one` (the sizes less one have nim-sum zero, which for odd `n` is not enough to lose);
//! * `seed`: the random seed.

use std::process::ExitCode;

use nimatron_kit::*;

fn main() -> ExitCode {
    generator(make)
}

fn make(args: &Args) -> Result<String, Complaint> {
    let (n, max) = (args.get::<usize>("n")?, args.get::<u64>("max")?);
    let mut random = args.random()?;
    let mut heaps = draw(args.text("shape")?, n, max, &mut random)?;
    match args.text("xor")? {
        "any" => {}
        "less-one" => cancel(&mut heaps, |a| a - 1, max, &mut random),
        _ if n % 2 == 0 => cancel(&mut heaps, grundy, max, &mut random),
        xor => return Err(format!("xor={xor} is impossible: an odd number of heaps always wins").into()),
    }
    if args.text("xor")? == "near" {
        let i = random.below(n);
        let up = heaps[i] == 1 || (heaps[i] < max && random.below(2) == 0);
        heaps[i] = if up { heaps[i] + 1 } else { heaps[i] - 1 };
    }
    Ok(format!("{n}\n{}\n", joined(&heaps)))
}

fn draw(shape: &str, n: usize, max: u64, random: &mut Random) -> Result<Vec<u64>, Complaint> {
    Ok(match shape {
        "random" => (0..n).map(|_| random.between(1, max)).collect(),
        "equal" => vec![random.between(1, max); n],
        "great" => (0..n).map(|_| random.between(max - max / 10, max)).collect(),
        "distinct" => {
            let mut sizes: Vec<u64> = (0..n as u64).map(|i| i % max + 1).collect();
            random.shuffle(&mut sizes);
            sizes
        }
        other => return Err(format!("shape={other} is not one of random, equal, great, distinct").into()),
    })
}

/// Redraws one heap until another can be chosen that makes the nim-sum of the values zero.
fn cancel(heaps: &mut [u64], value: impl Fn(u64) -> u64, max: u64, random: &mut Random) {
    let n = heaps.len();
    loop {
        let (i, j) = (random.below(n), random.below(n));
        let rest = (0..n).filter(|&k| k != j).fold(0, |sum, k| sum ^ value(heaps[k]));
        if let Some(size) = (1..=max).find(|&size| value(size) == rest) {
            heaps[j] = size;
            return;
        }
        heaps[i] = random.between(1, max);
    }
}

/// The a-th odious number: the one of 2a - 2 and 2a - 1 whose binary digits sum to an odd number.
fn grundy(a: u64) -> u64 {
    2 * (a - 1) + u64::from((a - 1).count_ones() % 2 == 0)
}
