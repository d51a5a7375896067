//! Heaps for three-player-nim with a chosen winner, because by chance it is almost always B.
//!
//! Arguments, each `key=value`:
//! * `n`: how many heaps; `bits`: no size needs more binary digits (at most 63);
//! * `shape`: `random`; `equal` (all the same); `ones`; `powers` (of two); `huge` (tiny heaps beside three very large ones);
//! * `winner`: `C`, every digit stands in a number of heaps divisible by three; `A`, such a position with one heap
//!   enlarged; `B`, such a position with one heap reduced; `any`, as the shape has it;
//! * `from`: the lowest digit that this enlarging or reducing may change, so that who looks at lower ones sees `C`;
//! * `seed`: what all chance is drawn from.

use std::collections::HashMap;
use std::ops::Range;

fn main() {
    let args = Args::from_command_line();
    let (n, bits) = (args.number("n") as usize, args.number("bits") as u32);
    let from = args.number("from") as u32;
    let mut rng = Rng(args.number("seed"));
    let winner = args.text("winner");
    let mut drawn = (0..1000).filter_map(|_| {
        let mut heaps = draw(args.text("shape"), n, bits, &mut rng);
        give_to(winner, &mut heaps, from..bits, &mut rng).then_some(heaps)
    });
    let mut heaps = drawn.next().unwrap_or_else(|| panic!("no such heaps were found that {winner} wins"));
    rng.shuffle(&mut heaps);
    let words: Vec<String> = heaps.iter().map(u64::to_string).collect();
    println!("{n}\n{}", words.join(" "));
}

/// Changes heaps so that this player wins. False if that can't be done with what was drawn.
fn give_to(winner: &str, heaps: &mut [u64], digits: Range<u32>, rng: &mut Rng) -> bool {
    if winner == "any" {
        return true;
    }
    make_lost(heaps, digits.end, rng);
    match winner {
        "A" => change_one(heaps, digits, true, rng),
        "B" => change_one(heaps, digits, false, rng),
        "C" => true,
        other => panic!("winner={other} is not one of A, B, C, any"),
    }
}

fn draw(shape: &str, n: usize, bits: u32, rng: &mut Rng) -> Vec<u64> {
    match shape {
        "random" => (0..n).map(|_| rng.size(bits)).collect(),
        "equal" => vec![rng.size(bits); n],
        "ones" => vec![1; n],
        "powers" => (0..n).map(|_| 1 << rng.below(bits as usize)).collect(),
        "huge" => {
            let giant = 1 << (bits - 1) | rng.size(bits);
            (0..n).map(|i| if i < 3 { giant } else { rng.size(2) }).collect()
        }
        other => panic!("shape={other} is not one of random, equal, ones, powers, huge"),
    }
}

/// Changes two heaps so that every binary digit stands in a number of heaps divisible by three.
fn make_lost(heaps: &mut [u64], bits: u32, rng: &mut Rng) {
    assert!(heaps.len() >= 3, "no position of fewer than three heaps is won by C");
    while count_mod_3(heaps, bits).iter().any(|&count| count != 0) {
        let (i, j) = (rng.below(heaps.len()), rng.below(heaps.len()));
        if i == j {
            continue;
        }
        (heaps[i], heaps[j]) = (0, 0);
        for (bit, count) in count_mod_3(heaps, bits).into_iter().enumerate() {
            match count {
                0 => {}
                1 => [heaps[i], heaps[j]] = [heaps[i] | 1 << bit, heaps[j] | 1 << bit],
                _ => heaps[if rng.below(2) == 0 { i } else { j }] |= 1 << bit,
            }
        }
        // A heap that came out empty is not allowed: draw it anew, and try again.
        for k in [i, j] {
            if heaps[k] == 0 {
                heaps[k] = rng.size(bits);
            }
        }
    }
}

/// For every binary digit the number of heaps that have it, modulo three.
fn count_mod_3(heaps: &[u64], bits: u32) -> Vec<u64> {
    (0..bits).map(|bit| heaps.iter().map(|heap| heap >> bit & 1).sum::<u64>() % 3).collect()
}

/// Sets (or clears) one digit of one heap and draws the lower of these digits anew, so that the heap grows (or shrinks).
/// False if a thousand tries found none: heaps of one can't shrink, and heaps of the largest size can't grow.
fn change_one(heaps: &mut [u64], digits: Range<u32>, grow: bool, rng: &mut Rng) -> bool {
    for _ in 0..1000 {
        let (i, bit) = (rng.below(heaps.len()), digits.start + rng.below(digits.len()) as u32);
        let lower = (1 << bit) - (1 << digits.start);
        let changed = (heaps[i] ^ 1 << bit) & !lower | rng.next() & lower;
        if changed != 0 && (changed > heaps[i]) == grow {
            heaps[i] = changed;
            return true;
        }
    }
    false
}

/// The arguments, by key.
struct Args(HashMap<String, String>);

impl Args {
    fn from_command_line() -> Args {
        let pair = |arg: String| match arg.split_once('=') {
            Some((key, value)) => (key.to_owned(), value.to_owned()),
            None => panic!("`{arg}` is not key=value"),
        };
        Args(std::env::args().skip(1).map(pair).collect())
    }

    fn text(&self, key: &str) -> &str {
        self.0.get(key).unwrap_or_else(|| panic!("`{key}=` is missing"))
    }

    fn number(&self, key: &str) -> u64 {
        let text = self.text(key);
        text.parse().unwrap_or_else(|_| panic!("{key}={text} is not a number"))
    }
}

/// SplitMix64: small, quick, and the same everywhere.
struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    /// A number below `bound`.
    fn below(&mut self, bound: usize) -> usize {
        (u128::from(self.next()) * bound as u128 >> 64) as usize
    }

    /// A size from 1 to 2^bits - 1.
    fn size(&mut self, bits: u32) -> u64 {
        1 + (u128::from(self.next()) * ((1 << bits) - 1) >> 64) as u64
    }

    fn shuffle(&mut self, items: &mut [u64]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}
