//! Heaps for moore-nim that are lost, or lost but for one bit, because random heaps almost never are.
//!
//! Arguments, each `key=value`:
//! * `n`, `k`: how many heaps, and how many a move may touch; `bits`: no size needs more binary digits;
//! * `shape`: `random`; `equal` (all the same); `powers` (of two);
//! * `want`: `any`; `zero`, each digit stands in a number of heaps divisible by k + 1 (no heap is left if k is not
//!   below n, so heaps are then as drawn); `one-bit`, such heaps with one of the upper digits of one heap flipped;
//! * `seed`: the random seed.

use std::process::ExitCode;

use nimatron_kit::*;

fn main() -> ExitCode {
    generator(make)
}

fn make(args: &Args) -> Result<String, Complaint> {
    let (n, k, bits) = (args.get::<usize>("n")?, args.get::<usize>("k")?, args.get::<u64>("bits")?);
    let mut random = args.random()?;
    let mut heaps: Vec<u64> = match args.text("shape")? {
        "random" => (0..n).map(|_| random.between(1, (1 << bits) - 1)).collect(),
        "equal" => vec![random.between(1, (1 << bits) - 1); n],
        "powers" => (0..n).map(|_| 1 << random.between(0, bits - 1)).collect(),
        other => return Err(format!("shape={other} is not one of random, equal, powers").into()),
    };
    if args.text("want")? != "any" && k < n {
        balance(&mut heaps, k, bits, &mut random);
    }
    if args.text("want")? == "one-bit" {
        heaps[random.below(n)] ^= 1 << random.between(bits / 2 + 1, bits - 1);
    }
    random.shuffle(&mut heaps);
    Ok(format!("{n} {k}\n{}\n", joined(&heaps)))
}

/// Chooses the digits of the first k heaps so that each digit stands in a number of heaps divisible by k + 1.
fn balance(heaps: &mut [u64], k: usize, bits: u64, random: &mut Random) {
    for bit in 0..bits {
        let count = heaps[k..].iter().filter(|&heap| heap >> bit & 1 == 1).count();
        let needed = (k + 1 - count % (k + 1)) % (k + 1);
        // Which of the k heaps get the digit: a run of `needed` of them, from anywhere, round the end.
        let start = random.below(k);
        for i in 0..k {
            let heap = &mut heaps[(start + i) % k];
            *heap = if i < needed { *heap | 1 << bit } else { *heap & !(1 << bit) };
        }
    }
}
