//! Sets of moves for stick-game; a move of one stick is always among them, and they come in no order.
//!
//! Arguments, each `key=value`: `n`, how many sticks; `k`, how many moves, fewer if there are not so many; `seed`;
//! * `shape`: `run` (1, 2, 3 and so on); `odd`; `spread` (anything up to n); `great` (one, and the greatest there are).

use std::process::ExitCode;

use nimatron_kit::*;

fn main() -> ExitCode {
    generator(make)
}

fn make(args: &Args) -> Result<String, Complaint> {
    let (n, k) = (args.get::<u64>("n")?, args.get::<usize>("k")?);
    let mut random = args.random()?;
    let mut others: Vec<u64> = (2..=n).collect();
    match args.text("shape")? {
        "run" => {}
        "odd" => others.retain(|p| p % 2 == 1),
        "spread" => random.shuffle(&mut others),
        "great" => others.reverse(),
        other => return Err(format!("shape={other} is not one of run, odd, spread, great").into()),
    }
    let mut moves: Vec<u64> = std::iter::once(1).chain(others).take(k).collect();
    random.shuffle(&mut moves);
    Ok(format!("{n} {}\n{}\n", moves.len(), joined(&moves)))
}
