//! Heaps for nim-winning-moves with a nim-sum that is chosen: zero, or one whose highest digit stands in a chosen number of heaps.
//!
//! Arguments, each `key=value`:
//! * `n`: how many heaps; `bits`: no size needs more binary digits (at most 63);
//! * `top`: about how many heaps have the highest digit of the nim-sum, all of them if there are fewer; `0` for nim-sum zero;
//! * `seed`: the random seed.

use std::process::ExitCode;

use nimatron_kit::*;

fn main() -> ExitCode {
    generator(make)
}

fn make(args: &Args) -> Result<String, Complaint> {
    let (n, bits) = (args.get::<usize>("n")?, args.get::<u64>("bits")?);
    let mut random = args.random()?;
    let mut heaps: Vec<u64> = (0..n).map(|_| random.between(1, (1 << bits) - 1)).collect();
    let sum = heaps.iter().fold(0, |sum, heap| sum ^ heap);
    heaps[0] ^= sum;
    let top = args.get::<usize>("top")?;
    if top > 0 {
        spoil(&mut heaps, top, bits, &mut random);
    }
    random.shuffle(&mut heaps);
    Ok(format!("{n}\n{}\n", joined(&heaps)))
}

/// Gives one digit, not the lowest, to an odd number of heaps near `top` and to no other, and draws the digits below
/// anew in one heap: the digits above still cancel.
fn spoil(heaps: &mut [u64], top: usize, bits: u64, random: &mut Random) {
    let bit = 1 << random.between(bits / 2, bits - 1);
    let most = top.min(heaps.len());
    let odd = if most % 2 == 0 { most - 1 } else { most };
    for (i, heap) in heaps.iter_mut().enumerate() {
        *heap = if i < odd { *heap | bit } else { *heap & !bit };
    }
    heaps[0] ^= random.bits() & (bit - 1);
}
