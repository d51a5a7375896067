//! Heaps for three-player-nim with a chosen winner, because random heaps almost always give B.
//!
//! Arguments, each `key=value`:
//! * `n`: how many heaps; `bits`: no size needs more binary digits (at most 63);
//! * `shape`: `random`; `equal` (all the same); `ones`; `powers` (of two); `huge` (tiny heaps beside three very large ones);
//! * `winner`: `C`, every digit stands in a number of heaps divisible by three; `A`, such a position with one heap
//!   enlarged; `B`, such a position with one heap reduced; `any`, as the shape has it;
//! * `from`: the lowest digit that this enlarging or reducing may change, so that a program that reads only lower digits prints `C`;
//! * `seed`: the random seed.

use std::process::ExitCode;

use nimatron_kit::*;
use std::ops::Range;

fn main() -> ExitCode {
    generator(make)
}

fn make(args: &Args) -> Result<String, Complaint> {
    let (n, bits) = (args.get::<usize>("n")?, args.get::<u32>("bits")?);
    let from = args.get::<u32>("from")?;
    let mut random = args.random()?;
    let winner = args.text("winner")?;
    for _ in 0..1000 {
        let mut heaps = draw(args.text("shape")?, n, bits, &mut random)?;
        if give_to(winner, &mut heaps, from..bits, &mut random)? {
            random.shuffle(&mut heaps);
            return Ok(format!("{n}\n{}\n", joined(&heaps)));
        }
    }
    Err(format!("no such heaps were found that {winner} wins").into())
}

/// Changes heaps so that this player wins. Returns false if the drawn heaps do not allow it.
fn give_to(winner: &str, heaps: &mut [u64], digits: Range<u32>, random: &mut Random) -> Result<bool, Complaint> {
    if winner == "any" {
        return Ok(true);
    }
    make_lost(heaps, digits.end, random)?;
    Ok(match winner {
        "A" => change_one(heaps, digits, true, random),
        "B" => change_one(heaps, digits, false, random),
        "C" => true,
        other => return Err(format!("winner={other} is not one of A, B, C, any").into()),
    })
}

fn draw(shape: &str, n: usize, bits: u32, random: &mut Random) -> Result<Vec<u64>, Complaint> {
    Ok(match shape {
        "random" => (0..n).map(|_| size(bits, random)).collect(),
        "equal" => vec![size(bits, random); n],
        "ones" => vec![1; n],
        "powers" => (0..n).map(|_| 1 << random.below(bits as usize)).collect(),
        "huge" => {
            let giant = 1 << (bits - 1) | size(bits, random);
            (0..n).map(|i| if i < 3 { giant } else { size(2, random) }).collect()
        }
        other => return Err(format!("shape={other} is not one of random, equal, ones, powers, huge").into()),
    })
}

/// Changes two heaps so that every binary digit stands in a number of heaps divisible by three.
fn make_lost(heaps: &mut [u64], bits: u32, random: &mut Random) -> Result<(), Complaint> {
    if heaps.len() < 3 {
        return Err("no position of fewer than three heaps is won by C".into());
    }
    while count_mod_3(heaps, bits).iter().any(|&count| count != 0) {
        let (i, j) = (random.below(heaps.len()), random.below(heaps.len()));
        if i == j {
            continue;
        }
        (heaps[i], heaps[j]) = (0, 0);
        for (bit, count) in count_mod_3(heaps, bits).into_iter().enumerate() {
            match count {
                0 => {}
                1 => [heaps[i], heaps[j]] = [heaps[i] | 1 << bit, heaps[j] | 1 << bit],
                _ => heaps[if random.below(2) == 0 { i } else { j }] |= 1 << bit,
            }
        }
        // Empty heaps are not allowed: redraw the heap and try again.
        for k in [i, j] {
            if heaps[k] == 0 {
                heaps[k] = size(bits, random);
            }
        }
    }
    Ok(())
}

/// For every binary digit the number of heaps that have it, modulo three.
fn count_mod_3(heaps: &[u64], bits: u32) -> Vec<u64> {
    (0..bits).map(|bit| heaps.iter().map(|heap| heap >> bit & 1).sum::<u64>() % 3).collect()
}

/// Sets (or clears) one digit of one heap and redraws the lower digits, so that the heap grows (or shrinks).
/// Returns false if a thousand tries fail: heaps of one can't shrink, and heaps of the largest size can't grow.
fn change_one(heaps: &mut [u64], digits: Range<u32>, grow: bool, random: &mut Random) -> bool {
    for _ in 0..1000 {
        let (i, bit) = (random.below(heaps.len()), digits.start + random.below(digits.len()) as u32);
        let lower = (1 << bit) - (1 << digits.start);
        let changed = (heaps[i] ^ 1 << bit) & !lower | random.bits() & lower;
        if changed != 0 && (changed > heaps[i]) == grow {
            heaps[i] = changed;
            return true;
        }
    }
    false
}

/// A size of at least 1 with at most this many binary digits.
fn size(bits: u32, random: &mut Random) -> u64 {
    random.between(1, (1 << bits) - 1)
}
