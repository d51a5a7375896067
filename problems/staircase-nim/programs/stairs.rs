//! Staircases for staircase-nim whose nim-sum over the odd steps is chosen, because random ones almost never have nim-sum zero.
//!
//! Arguments, each `key=value`:
//! * `n`, `max`: how many steps, and the most stones on one;
//! * `odd`: the steps that count: `random`; `equal`; `powers` (of two); `triples` (x, y, x xor y: nim-sum zero with no
//!   two equal, what is left over in equal pairs);
//! * `even`: the steps that don't: `random`; `ones`; `equal` (as many as on step 1); `huge` (near `max`); `cancel` (the
//!   nim-sum of all steps is zero, so that counting all steps gives a wrong answer);
//! * `xor`: over the odd steps `any`; `zero`; `one-bit` (zero, then one bit of one step flipped);
//! * `seed`: the random seed.

use std::process::ExitCode;

use nimatron_kit::*;

fn main() -> ExitCode {
    generator(make)
}

fn make(args: &Args) -> Result<String, Complaint> {
    let (n, max) = (args.get::<usize>("n")?, args.get::<u64>("max")?);
    let mut random = args.random()?;
    let mut odd = odd_steps(args.text("odd")?, n.div_ceil(2), max, &mut random)?;
    if args.text("xor")? != "any" {
        set_sum(&mut odd, 0, max, &mut random)?;
    }
    if args.text("xor")? == "one-bit" {
        flip_one_bit(&mut odd, max, &mut random);
    }
    random.shuffle(&mut odd);
    let even = even_steps(args.text("even")?, n / 2, max, &odd, &mut random)?;
    let steps: Vec<u64> = (0..n).map(|i| if i % 2 == 0 { odd[i / 2] } else { even[i / 2] }).collect();
    Ok(format!("{n}\n{}\n", joined(&steps)))
}

/// Stones for the steps 1, 3, 5 and so on.
fn odd_steps(shape: &str, count: usize, max: u64, random: &mut Random) -> Result<Vec<u64>, Complaint> {
    Ok(match shape {
        "random" => (0..count).map(|_| random.between(1, max)).collect(),
        "equal" => vec![random.between(1, max); count],
        "powers" => (0..count).map(|_| 1 << random.between(0, u64::from(max.ilog2()))).collect(),
        "triples" => triples(count, max, random),
        other => return Err(format!("odd={other} is not one of random, equal, powers, triples").into()),
    })
}

/// Stones for the steps 2, 4, 6 and so on, which decide nothing.
fn even_steps(shape: &str, count: usize, max: u64, odd: &[u64], random: &mut Random) -> Result<Vec<u64>, Complaint> {
    let mut even: Vec<u64> = match shape {
        "random" | "cancel" => (0..count).map(|_| random.between(1, max)).collect(),
        "ones" => vec![1; count],
        "equal" => vec![odd[0]; count],
        "huge" => (0..count).map(|_| random.between(max - max / 1000, max)).collect(),
        other => return Err(format!("even={other} is not one of random, ones, equal, huge, cancel").into()),
    };
    if shape == "cancel" {
        set_sum(&mut even, nim_sum(odd), max, random)?;
    }
    Ok(even)
}

/// Triples with nim-sum zero, and equal pairs or a single heap for the rest.
fn triples(count: usize, max: u64, random: &mut Random) -> Vec<u64> {
    let half = 1 << max.ilog2();
    let mut stones = Vec::with_capacity(count);
    while stones.len() + 3 <= count {
        // Below the top bit no xor exceeds `max`; two different numbers leave a third that is not zero.
        let (x, y) = (random.between(1, half - 1), random.between(1, half - 1));
        if x != y {
            stones.extend([x, y, x ^ y]);
        }
    }
    let pair = random.between(1, max);
    stones.resize(count, pair);
    stones
}

/// Changes one step, or two if one is not enough, so that the nim-sum becomes `wanted`.
fn set_sum(stones: &mut [u64], wanted: u64, max: u64, random: &mut Random) -> Result<(), Complaint> {
    if stones.len() < 2 {
        return Err("a nim-sum cannot be chosen for fewer than two steps".into());
    }
    let change = nim_sum(stones) ^ wanted;
    let start = random.below(stones.len());
    let mut order = (0..stones.len()).map(|i| (start + i) % stones.len());
    if let Some(i) = order.find(|&i| (1..=max).contains(&(stones[i] ^ change))) {
        stones[i] ^= change;
        return Ok(());
    }
    let (i, j) = (start, (start + 1) % stones.len());
    let both = change ^ stones[i] ^ stones[j];
    loop {
        let x = random.between(1, max);
        if (1..=max).contains(&(x ^ both)) {
            (stones[i], stones[j]) = (x, x ^ both);
            return Ok(());
        }
    }
}

/// Flips one bit of one step. At least one stone stays, and no step gets more than `max`.
fn flip_one_bit(stones: &mut [u64], max: u64, random: &mut Random) {
    loop {
        let i = random.below(stones.len());
        let flipped = stones[i] ^ 1 << random.between(0, u64::from(max.ilog2()));
        if (1..=max).contains(&flipped) {
            stones[i] = flipped;
            return;
        }
    }
}
