//! Heaps for split-nim-large whose values have nim-sum zero, or nearly so.
//!
//! The value of a heap of a is the a-th odious number: 2 (a - 1), and 1 more if a - 1 has an even number of binary ones. The nim-sum
//! of an odd number of odious numbers is odious, so any even number of heaps can be completed by its last one.
//!
//! Arguments, each `key=value`:
//! * `n`: how many heaps; `bits`: the sizes are drawn below 2^bits (the last one may be 2^bits);
//! * `xor`: `zero` (n heaps, or one fewer and an empty one if n is odd); `near` (the same with one digit of a heap flipped); `any`;
//! * `seed`: the random seed.

use std::process::ExitCode;

use nimatron_kit::*;

fn main() -> ExitCode {
    generator(make)
}

fn make(args: &Args) -> Result<String, Complaint> {
    let (n, bits) = (args.get::<usize>("n")?, args.get::<u64>("bits")?);
    let mut random = args.random()?;
    let mut heaps: Vec<u64> = (0..n).map(|_| random.between(1, 1 << bits)).collect();
    if args.text("xor")? != "any" {
        let even = n - n % 2;
        heaps[even..].fill(0);
        let sum = heaps[1..even].iter().fold(0, |sum, &heap| sum ^ value(heap));
        heaps[0] = (sum >> 1) + 1;
    }
    if args.text("xor")? == "near" {
        let heap = random.below(n - n % 2);
        heaps[heap] = ((heaps[heap] - 1) ^ 1 << random.below(bits as usize)) + 1;
    }
    random.shuffle(&mut heaps);
    Ok(format!("{n}\n{}\n", joined(&heaps)))
}

fn value(heap: u64) -> u64 {
    2 * (heap - 1) + u64::from((heap - 1).count_ones() % 2 == 0)
}
