//! Heaps for subtraction-game with a chosen nim-sum of their residues modulo r + 1.
//!
//! Arguments, each `key=value`: `n`, how many heaps; `r`, the most a move may take; `max`, the largest size; `seed`;
//! * `xor`: `any`; `zero`, no move wins.

use std::process::ExitCode;

use nimatron_kit::*;

fn main() -> ExitCode {
    generator(make)
}

fn make(args: &Args) -> Result<String, Complaint> {
    let (n, r, max) = (args.get::<usize>("n")?, args.get::<u64>("r")?, args.get::<u64>("max")?);
    let mut random = args.random()?;
    let mut heaps: Vec<u64> = (0..n).map(|_| random.between(0, max)).collect();
    if args.text("xor")? == "zero" {
        cancel(&mut heaps, r, max, &mut random);
    }
    random.shuffle(&mut heaps);
    Ok(format!("{n} {r}\n{}\n", joined(&heaps)))
}

/// Draws heaps anew, one after another, until the last can be chosen so that the residues cancel.
fn cancel(heaps: &mut [u64], r: u64, max: u64, random: &mut Random) {
    let n = heaps.len();
    loop {
        let rest = heaps[..n - 1].iter().fold(0, |sum, heap| sum ^ heap % (r + 1));
        if rest <= r.min(max) {
            // Any size with this residue works: add some multiples of r + 1.
            heaps[n - 1] = rest + random.between(0, (max - rest) / (r + 1)) * (r + 1);
            return;
        }
        heaps[random.below(n - 1)] = random.between(0, max);
    }
}
