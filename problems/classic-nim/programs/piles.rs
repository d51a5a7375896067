//! Heaps for classic-nim whose nim-sum is chosen, because random ones almost never have nim-sum zero.
//!
//! Arguments, each `key=value`:
//! * `n`, `max`: how many heaps, and the largest size;
//! * `shape`: `random`; `equal` (all the same); `ones`; `powers` (of two); `huge` (tiny heaps beside one or two
//!   very large ones); `triples` (x, y, x xor y: nim-sum zero with no two heaps equal);
//! * `xor`: `any`; `zero`; `one-bit` (zero, then one bit of one heap flipped);
//! * `seed`: the random seed.

use std::process::ExitCode;

use nimatron_kit::*;

fn main() -> ExitCode {
    generator(make)
}

fn make(args: &Args) -> Result<String, Complaint> {
    let (n, max) = (args.get::<usize>("n")?, args.get::<u64>("max")?);
    let mut random = args.random()?;
    let xor = args.text("xor")?;
    let mut heaps = draw(args.text("shape")?, xor, n, max, &mut random)?;
    if xor != "any" {
        cancel(&mut heaps, max, &mut random);
    }
    if xor == "one-bit" {
        flip_one_bit(&mut heaps, max, &mut random);
    }
    random.shuffle(&mut heaps);
    Ok(format!("{n}\n{}\n", joined(&heaps)))
}

/// Heaps of the requested shape, with any nim-sum.
fn draw(shape: &str, xor: &str, n: usize, max: u64, random: &mut Random) -> Result<Vec<u64>, Complaint> {
    Ok(match shape {
        "random" => (0..n).map(|_| random.between(1, max)).collect(),
        "equal" => vec![random.between(1, max); n],
        "ones" => vec![1; n],
        "powers" => (0..n).map(|_| 1 << random.between(0, u64::from(max.ilog2()))).collect(),
        "huge" => huge(if xor == "any" { 1 } else { 2 }, n, max, random),
        "triples" => triples(n, max, random),
        other => {
            return Err(format!("shape={other} is not one of random, equal, ones, powers, huge, triples").into());
        }
    })
}

/// `giants` equal heaps of more than half of `max` among heaps of at most three.
fn huge(giants: usize, n: usize, max: u64, random: &mut Random) -> Vec<u64> {
    // A multiple of four, so that what cancels the small heaps changes its last two bits only.
    let giant = random.between(max / 8 + 1, max / 4 - 1) * 4;
    (0..n).map(|i| if i < giants { giant } else { random.between(0, 3) }).collect()
}

/// Triples of heaps with nim-sum zero; the rest is left empty.
fn triples(n: usize, max: u64, random: &mut Random) -> Vec<u64> {
    let half = 1 << max.ilog2();
    let mut heaps = Vec::with_capacity(n);
    while heaps.len() + 3 <= n {
        // Below the top bit, no xor exceeds the largest size.
        let (x, y) = (random.between(1, half - 1), random.between(1, half - 1));
        heaps.extend([x, y, x ^ y]);
    }
    heaps.resize(n, 0);
    heaps
}

/// Changes one heap, or two if one is not enough, so that the nim-sum is zero.
fn cancel(heaps: &mut [u64], max: u64, random: &mut Random) {
    let sum = heaps.iter().fold(0, |sum, heap| sum ^ heap);
    let start = random.below(heaps.len());
    let mut order = (0..heaps.len()).map(|i| (start + i) % heaps.len());
    if let Some(i) = order.find(|&i| (1..=max).contains(&(heaps[i] ^ sum))) {
        heaps[i] ^= sum;
        return;
    }
    let (i, j) = (start, (start + 1) % heaps.len());
    let rest = sum ^ heaps[i] ^ heaps[j];
    loop {
        let x = random.between(1, max);
        if x ^ rest <= max {
            (heaps[i], heaps[j]) = (x, x ^ rest);
            return;
        }
    }
}

/// Flips one bit of one heap. At least one stone stays, and no heap outgrows `max`.
fn flip_one_bit(heaps: &mut [u64], max: u64, random: &mut Random) {
    loop {
        let i = random.below(heaps.len());
        let flipped = heaps[i] ^ 1 << random.between(0, u64::from(max.ilog2()));
        if (1..=max).contains(&flipped) {
            heaps[i] = flipped;
            return;
        }
    }
}
