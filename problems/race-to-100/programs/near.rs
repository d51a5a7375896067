//! Numbers for race-to-100 at the borders between places.
//!
//! Arguments, each `key=value`: `t`, `k`, `p`; `left`: the distance to t is a multiple of (p - 1) k + 1 (`last`), one more
//! (`first`), or `any`; `seed`: the random seed.

use std::process::ExitCode;

use nimatron_kit::*;

fn main() -> ExitCode {
    generator(make)
}

fn make(args: &Args) -> Result<String, Complaint> {
    let (t, k, p) = (args.get::<u64>("t")?, args.get::<u64>("k")?, args.get::<u64>("p")?);
    let mut random = args.random()?;
    let round = (p - 1) * k + 1;
    let whole = random.between(0, (t - 1) / round) * round;
    let left = match args.text("left")? {
        "last" => whole,
        "first" => whole + 1,
        "any" => random.between(1, t),
        other => return Err(format!("left={other} is not one of last, first, any").into()),
    };
    Ok(format!("{t} {k} {p} {}\n", t - left.clamp(1, t)))
}
