//! Circles for circular-nim: full, or with runs that cancel, which random runs seldom do.
//!
//! Arguments, each `key=value`:
//! * `n`: how many places; `k`: how many pieces a move removes;
//! * `shape`: `full`; `dense` (one place in ten is empty); `twice` (an arrangement and its copy, which is lost; one place more
//!   is left empty if `n` is odd); `shifted` (the same with one run a piece longer, and turned, so that a run goes over the end);
//! * `seed`: the random seed.

use std::process::ExitCode;

use nimatron_kit::*;

fn main() -> ExitCode {
    generator(make)
}

fn make(args: &Args) -> Result<String, Complaint> {
    let (n, k) = (args.get::<usize>("n")?, args.get::<u64>("k")?);
    let mut random = args.random()?;
    let mut places = match args.text("shape")? {
        "full" => vec![true; n],
        "dense" => (0..n).map(|_| random.below(10) > 0).collect(),
        "twice" => twice(n, &mut random),
        "shifted" => {
            let mut places = twice(n, &mut random);
            if let Some(gap) = places.iter().position(|piece| !piece) {
                places[gap] = true;
            }
            places
        }
        other => return Err(format!("shape={other} is not one of full, dense, twice, shifted").into()),
    };
    let turn = random.below(n);
    places.rotate_left(turn);
    let word: String = places.iter().map(|&piece| if piece { '#' } else { '.' }).collect();
    Ok(format!("{k}\n{word}\n"))
}

/// Runs of some places with gaps between them, and the same again.
fn twice(n: usize, random: &mut Random) -> Vec<bool> {
    let half = n / 2;
    let mut places: Vec<bool> = (0..half).map(|_| random.below(8) > 0).collect();
    if let Some(last) = places.last_mut() {
        *last = false;
    }
    places.extend_from_within(..);
    places.resize(n, false);
    places
}
