//! Sets of moves and heaps for set-nim, where the nim-sum of the heaps' Grundy values is chosen.
//!
//! Arguments, each `key=value`:
//! * `k`, `smin`, `smax`: how many moves, the smallest that may be, the largest that may be;
//! * `shape`: `random`; `run` (smin, smin + 1 and so on); `multiples` (of smin); `powers` (smin times powers of two);
//! * `n`, `hmax`: how many heaps, and the largest size;
//! * `xor`: `zero`, the player to move loses; `other`, he wins;
//! * `seed`: the random seed.

use std::process::ExitCode;

use nimatron_kit::*;

fn main() -> ExitCode {
    generator(make)
}

fn make(args: &Args) -> Result<String, Complaint> {
    let (n, hmax) = (args.get::<usize>("n")?, args.get::<u64>("hmax")?);
    let mut random = args.random()?;
    let mut moves = draw(args, &mut random)?;
    let values = grundy(hmax as usize, &moves);
    let heaps = place(args.text("xor")? == "zero", n, hmax, &values, &mut random)?;
    random.shuffle(&mut moves);
    Ok(format!("{}\n{}\n{n}\n{}\n", moves.len(), joined(&moves), joined(&heaps)))
}

/// Different moves of the requested shape, as many as there are up to `smax`.
fn draw(args: &Args, random: &mut Random) -> Result<Vec<u64>, Complaint> {
    let (k, smin, smax) = (args.get::<u64>("k")?, args.get::<u64>("smin")?, args.get::<u64>("smax")?);
    let moves: Vec<u64> = match args.text("shape")? {
        "run" => (smin..smin + k).collect(),
        "multiples" => (1..=k).map(|i| i * smin).collect(),
        "powers" => (0..k).map(|i| smin << i).collect(),
        "random" => {
            let mut all: Vec<u64> = (smin + 1..=smax).collect();
            random.shuffle(&mut all);
            // The smallest move is included, so that most heaps have non-zero values.
            std::iter::once(smin).chain(all).take(k as usize).collect()
        }
        other => return Err(format!("shape={other} is not one of random, run, multiples, powers").into()),
    };
    Ok(moves.into_iter().filter(|&s| s <= smax).collect())
}

fn grundy(hmax: usize, moves: &[u64]) -> Vec<usize> {
    let mut values = vec![0; hmax + 1];
    for h in 0..=hmax {
        let mut seen = vec![false; moves.len() + 1];
        let left = moves.iter().filter_map(|&s| h.checked_sub(s as usize));
        left.for_each(|rest| seen[values[rest]] = true);
        values[h] = seen.iter().take_while(|&&seen| seen).count();
    }
    values
}

/// Heaps whose values have nim-sum zero, or not, as requested: the last heap is chosen to fit the others.
fn place(zero: bool, n: usize, hmax: u64, values: &[usize], random: &mut Random) -> Result<Vec<u64>, Complaint> {
    for _ in 0..10_000 {
        let mut heaps: Vec<u64> = (1..n).map(|_| random.between(1, hmax)).collect();
        let sum = heaps.iter().fold(0, |sum, &h| sum ^ values[h as usize]);
        let last: Vec<u64> = (1..=hmax).filter(|&h| (values[h as usize] == sum) == zero).collect();
        if !last.is_empty() {
            heaps.push(last[random.below(last.len())]);
            return Ok(heaps);
        }
    }
    Err("no heaps were found with the nim-sum asked for".into())
}
