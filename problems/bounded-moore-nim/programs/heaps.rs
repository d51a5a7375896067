//! Four heaps for bounded-moore-nim: random, or lost by the textbook rule.
//!
//! Arguments, each `key=value`: `k`, `r`, `max`, the largest size; `shape`: `textbook` (in each binary digit of the sizes modulo r + 1
//! the number of heaps is divisible by k + 1) or `random`; `seed`: the random seed.

use std::process::ExitCode;

use nimatron_kit::*;

fn main() -> ExitCode {
    generator(make)
}

fn make(args: &Args) -> Result<String, Complaint> {
    let (k, r, max) = (args.get::<u64>("k")?, args.get::<u64>("r")?, args.get::<u64>("max")?);
    let mut random = args.random()?;
    loop {
        let heaps: Vec<u64> = (0..4).map(|_| random.between(1, max)).collect();
        let count = |bit: u32| heaps.iter().filter(|&heap| heap % (r + 1) >> bit & 1 == 1).count() as u64;
        let lost = (0..3).all(|bit| count(bit) % (k + 1) == 0);
        // Equal remainders are lost by every rule; others distinguish the rules.
        let equal = heaps.iter().all(|heap| heap % (r + 1) == heaps[0] % (r + 1));
        if args.text("shape")? == "random" || lost && (!equal || random.below(20) == 0) {
            return Ok(format!("4 {k} {r}\n{}\n", joined(&heaps)));
        }
    }
}
