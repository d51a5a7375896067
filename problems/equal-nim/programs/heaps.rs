//! Heaps for equal-nim that are lost, or close to a lost position.
//!
//! Arguments, each `key=value`:
//! * `n`: how many heaps; `max`: no size is larger, but for the last of `zero` and `near`;
//! * `shape`: `wythoff` (two heaps that are lost); `beside` (the same with one stone more or less in one heap); `zero` (nim-sum 0);
//!   `near` (the same with one binary digit flipped);
//! * `seed`: the random seed.

use std::process::ExitCode;

use nimatron_kit::*;

fn main() -> ExitCode {
    generator(make)
}

fn make(args: &Args) -> Result<String, Complaint> {
    let (n, max) = (args.get::<usize>("n")?, args.get::<u64>("max")?);
    let mut random = args.random()?;
    let bits = 63 - max.leading_zeros();
    let mut heaps: Vec<u64> = match args.text("shape")? {
        shape @ ("wythoff" | "beside") => {
            // The larger heap is 2.618... times the difference.
            let difference = random.between(max / 20, (max as f64 / 2.7) as u64);
            let smaller = ((u128::from(difference) + root(5 * u128::from(difference).pow(2))) / 2) as u64;
            let mut heaps = vec![smaller, smaller + difference];
            if shape == "beside" {
                let heap = random.below(2);
                heaps[heap] += 1;
            }
            heaps
        }
        shape @ ("zero" | "near") => {
            let mut heaps: Vec<u64> = (1..n).map(|_| random.between(0, (1 << bits) - 1)).collect();
            heaps.push(heaps.iter().fold(0, |sum, heap| sum ^ heap));
            if shape == "near" {
                let heap = random.below(n);
                heaps[heap] ^= 1 << random.below(bits as usize);
            }
            heaps
        }
        other => return Err(format!("shape={other} is not one of wythoff, beside, zero, near").into()),
    };
    random.shuffle(&mut heaps);
    Ok(format!("{n}\n{}\n", joined(&heaps)))
}

/// The integer part of the square root.
fn root(square: u128) -> u128 {
    let mut root = 0;
    for bit in (0..64).rev() {
        let larger = root | 1 << bit;
        if larger * larger <= square {
            root = larger;
        }
    }
    root
}
