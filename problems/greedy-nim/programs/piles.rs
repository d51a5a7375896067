//! Heaps for greedy-nim with a chosen number of largest ones.
//!
//! Arguments, each `key=value`:
//! * `n`: how many heaps; `max`: the size of the largest; `top`: how many are of that size, all if there are fewer;
//! * `below`: the sizes of the others: `any`; `close`, one less than the largest, which 32-bit integers and floating-point
//!   numbers may not tell from it;
//! * `seed`: the random seed.

use std::process::ExitCode;

use nimatron_kit::*;

fn main() -> ExitCode {
    generator(make)
}

fn make(args: &Args) -> Result<String, Complaint> {
    let (n, max) = (args.get::<usize>("n")?, args.get::<u64>("max")?);
    let mut random = args.random()?;
    let top = args.get::<usize>("top")?;
    let close = args.choice("below", &["any", "close"])? == 1;
    let mut heaps: Vec<u64> = (0..n)
        .map(|i| match i < top {
            true => max,
            false if close => max - 1,
            false => random.between(0, max - 1),
        })
        .collect();
    random.shuffle(&mut heaps);
    Ok(format!("{n}\n{}\n", joined(&heaps)))
}
