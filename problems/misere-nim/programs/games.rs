//! Games of misère Nim, many to a file, in turn of each kind that the rule tells apart.
//!
//! Arguments, each `key=value`: `t`, how many games; `n` and `max`, the most heaps and stones in one; `seed`.
//!
//! The kinds: nim-sum zero; nim-sum zero with one bit flipped; heaps of nothing and one; one heap of two or more among
//! such, which is always won, whatever its parity.

use std::process::ExitCode;

use nimatron_kit::*;

fn main() -> ExitCode {
    generator(make)
}

fn make(args: &Args) -> Result<String, Complaint> {
    let (t, n, max) = (args.get::<u64>("t")?, args.get::<u64>("n")?, args.get::<u64>("max")?);
    let mut random = args.random()?;
    let mut text = format!("{t}\n");
    for game in 0..t {
        let count = random.between(2, n) as usize;
        let mut heaps: Vec<u64> = (0..count).map(|_| random.between(0, 1)).collect();
        match game % 4 {
            0 => heaps = cancelling(count, max, &mut random),
            1 => {
                heaps = cancelling(count, max, &mut random);
                flip_one_bit(&mut heaps, max, &mut random);
            }
            2 => {}
            _ => heaps[0] = random.between(2, max),
        }
        random.shuffle(&mut heaps);
        text += &format!("{count}\n{}\n", joined(&heaps));
    }
    Ok(text)
}

/// Heaps with nim-sum zero.
fn cancelling(count: usize, max: u64, random: &mut Random) -> Vec<u64> {
    loop {
        let mut heaps: Vec<u64> = (1..count).map(|_| random.between(0, max)).collect();
        let last = heaps.iter().fold(0, |sum, heap| sum ^ heap);
        if last <= max {
            heaps.push(last);
            return heaps;
        }
    }
}

fn flip_one_bit(heaps: &mut [u64], max: u64, random: &mut Random) {
    loop {
        let i = random.below(heaps.len());
        let flipped = heaps[i] ^ 1 << random.between(0, u64::from(max.ilog2()));
        if flipped <= max {
            heaps[i] = flipped;
            return;
        }
    }
}
