//! Numbers for twenty-one from which the player to move loses, or numbers next to them.
//!
//! Arguments, each `key=value`: `l`, `k`; `off` is added to the lost number; `seed`: the random seed.

use std::process::ExitCode;

use nimatron_kit::*;

fn main() -> ExitCode {
    generator(make)
}

fn make(args: &Args) -> Result<String, Complaint> {
    let (l, k, off) = (args.get::<u64>("l")?, args.get::<u64>("k")?, args.get::<u64>("off")?);
    let mut random = args.random()?;
    let lost = l - 1 - random.between(0, (l - 1) / (k + 1)) * (k + 1);
    Ok(format!("{l} {k} {}\n", (lost + off).min(l - 1)))
}
