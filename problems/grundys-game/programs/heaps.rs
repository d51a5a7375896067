//! Sizes for grundys-game, near those that are lost, because no lost heap above 1222 is known.
//!
//! Arguments, each `key=value`:
//! * `t`: how many; `max`: no size is larger;
//! * `kind`: `all` (1, 2, 3, ... and again); `near` (a lost heap, or one beside it); `random`;
//! * `seed`: the random seed.

use std::process::ExitCode;

use nimatron_kit::*;

fn main() -> ExitCode {
    generator(make)
}

fn make(args: &Args) -> Result<String, Complaint> {
    let (t, max) = (args.get::<u64>("t")?, args.get::<u64>("max")?);
    let mut random = args.random()?;
    let lost = lost_heaps(1300);
    let mut text = format!("{t}\n");
    for i in 0..t {
        let n = match args.text("kind")? {
            "all" => i % max + 1,
            "near" => (lost[random.below(lost.len())] + random.between(0, 1) * random.between(0, 2)).min(max),
            "random" => random.between(1, max),
            other => return Err(format!("kind={other} is not one of all, near, random").into()),
        };
        text += &format!("{n}\n");
    }
    Ok(text)
}

/// The heaps whose Grundy value is zero.
fn lost_heaps(to: usize) -> Vec<u64> {
    let mut values = vec![0_usize; to + 1];
    for n in 3..=to {
        let mut seen = vec![false; 2 * to];
        for part in 1..n.div_ceil(2) {
            seen[values[part] ^ values[n - part]] = true;
        }
        values[n] = seen.iter().take_while(|seen| **seen).count();
    }
    (1..=to).filter(|&n| values[n] == 0).map(|n| n as u64).collect()
}
