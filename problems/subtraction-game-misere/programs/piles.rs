//! Heaps for subtraction-game-misere.
//!
//! Arguments: `n`, how many heaps; `r`, the most a move may take; `max`, the largest size;
//! * `kind`: `any` sizes; `ones`, all residues modulo r + 1 are 0 or 1; `single`, all but one;
//! * `want`: `lost`, no move wins; `won`, some move does. A single greater residue is always won.

use nimatron_kit::*;

fn main() -> std::process::ExitCode {
    generator(|args| {
        let (n, r, max): (usize, u64, u64) = (args.get("n")?, args.get("r")?, args.get("max")?);
        let kind = args.choice("kind", &["any", "ones", "single"])?;
        let lost = args.choice("want", &["won", "lost"])? == 1;
        let mut random = args.random()?;
        let mut heaps: Vec<u64> = (0..n).map(|_| drawn(&mut random, r, max, kind > 0)).collect();
        if kind == 2 {
            // r is at least 2 here, and so is this residue
            heaps[0] = with_residue(&mut random, r, max, 2.max(heaps[0] % r));
        }
        while is_lost(&heaps, r) != lost {
            let last = n - 1;
            let rest = heaps[..last].iter().fold(0, |sum, heap| sum ^ heap % (r + 1));
            let small = heaps[..last].iter().all(|heap| heap % (r + 1) < 2);
            let wanted = if small { rest ^ 1 } else { rest };
            if lost && wanted <= r.min(max) {
                heaps[last] = with_residue(&mut random, r, max, wanted);
            } else {
                heaps[random.below(n)] = drawn(&mut random, r, max, kind > 0);
            }
        }
        random.shuffle(&mut heaps);
        Ok(format!("{} {}\n{}\n", n, r, joined(&heaps)))
    })
}

fn drawn(random: &mut Random, r: u64, max: u64, small: bool) -> u64 {
    if small {
        let residue = random.between(0, 1);
        with_residue(random, r, max, residue)
    } else {
        random.between(0, max)
    }
}

/// A size with this residue modulo r + 1.
fn with_residue(random: &mut Random, r: u64, max: u64, residue: u64) -> u64 {
    residue + random.between(0, (max - residue) / (r + 1)) * (r + 1)
}

fn is_lost(heaps: &[u64], r: u64) -> bool {
    let residues = || heaps.iter().map(|heap| heap % (r + 1));
    let sum = residues().fold(0, |sum, residue| sum ^ residue);
    if residues().any(|residue| residue > 1) { sum == 0 } else { sum == 1 }
}
