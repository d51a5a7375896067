//! Heaps for nim-move: lost, or won only by one of the last heaps.
//!
//! Arguments, each `key=value`:
//! * `n`: how many heaps; `bits`: no size needs more binary digits;
//! * `want`: `zero` (nim-sum 0); `late` (nim-sum 0 but for one of the last heaps, which has some digits more); `any`;
//! * `seed`: the random seed.

use std::process::ExitCode;

use nimatron_kit::*;

fn main() -> ExitCode {
    generator(make)
}

fn make(args: &Args) -> Result<String, Complaint> {
    let (n, bits) = (args.get::<usize>("n")?, args.get::<u32>("bits")?);
    let mut random = args.random()?;
    let most = u64::MAX >> (64 - bits);
    let mut heaps: Vec<u64> = (0..n).map(|_| random.between(0, most)).collect();
    if args.text("want")? != "any" {
        heaps[0] = heaps[1..].iter().fold(0, |sum, heap| sum ^ heap);
        random.shuffle(&mut heaps);
    }
    if args.text("want")? == "late" {
        // A digit that one of the last heaps has and the others may have too; then only later heaps win.
        let heap = n - 1 - random.below(n.min(3));
        let bit = 1 << random.below(bits as usize);
        for other in &mut heaps[..heap] {
            *other &= !bit;
        }
        let sum = heaps.iter().fold(0, |sum, heap| sum ^ heap);
        heaps[heap] ^= sum & (bit - 1);
        heaps[heap] |= bit;
    }
    Ok(format!("{n}\n{}\n", joined(&heaps)))
}
