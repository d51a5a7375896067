//! Three heaps for candy-nim with nim-sum zero or another.
//!
//! Arguments, each `key=value`: `max` (15, 30 or 31; no size is above 30); `xor` (`zero` or `other`); `seed`: what all chance is drawn
//! from.

use std::process::ExitCode;

use nimatron_kit::*;

fn main() -> ExitCode {
    generator(make)
}

fn make(args: &Args) -> Result<String, Complaint> {
    let max = args.get::<u64>("max")?.min(30);
    let mut random = args.random()?;
    loop {
        let (a, b) = (random.between(1, max), random.between(1, max));
        let c = if args.text("xor")? == "zero" { a ^ b } else { random.between(1, max) };
        if c <= 30 {
            return Ok(format!("3\n{a} {b} {c}\n"));
        }
    }
}
