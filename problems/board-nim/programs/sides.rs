//! Boards for board-nim with a chosen number of even sides, which decides.
//!
//! Arguments, each `key=value`: `d`, how many sides; `max`, the longest; `even`, how many are even (a number, or `all`); `seed`: what
//! all chance is drawn from.

use std::process::ExitCode;

use nimatron_kit::*;

fn main() -> ExitCode {
    generator(make)
}

fn make(args: &Args) -> Result<String, Complaint> {
    let (d, max) = (args.get::<usize>("d")?, args.get::<u64>("max")?);
    let even = match args.text("even")? {
        "all" => d,
        _ => (args.get::<usize>("even")?).min(d),
    };
    let mut random = args.random()?;
    let mut sides: Vec<u64> = (0..d)
        .map(|i| match i < even {
            true => 2 * random.between(1, max / 2),
            false => 2 * random.between(0, (max - 1) / 2) + 1,
        })
        .collect();
    random.shuffle(&mut sides);
    Ok(format!("{d}\n{}\n", joined(&sides)))
}
