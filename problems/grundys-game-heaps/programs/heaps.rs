//! Heaps for grundys-game-heaps.
//!
//! Arguments: `n`, how many; `max`, the largest size;
//! * `kind`: `any`; `worthless`, most have the Grundy value 0 though they can be split;
//! * `want`: `lost`, no move wins; `won`.

use nimatron_kit::*;

fn main() -> std::process::ExitCode {
    generator(|args| {
        let (n, max): (usize, usize) = (args.get("n")?, args.get("max")?);
        let worthless = args.choice("kind", &["any", "worthless"])? == 1;
        let lost = args.choice("want", &["won", "lost"])? == 1;
        let mut random = args.random()?;
        let value = values(max);
        let zeros: Vec<usize> = (3..=max).filter(|&size| value[size] == 0).collect();
        let drawn = |random: &mut Random| {
            if worthless && random.chance(4, 5) { zeros[random.below(zeros.len())] } else { random.between(1, max) }
        };
        let mut heaps: Vec<usize> = (0..n).map(|_| drawn(&mut random)).collect();
        while heaps.iter().fold(0, |sum, &heap| sum ^ value[heap]) == 0 || lost {
            let rest = heaps[1..].iter().fold(0, |sum, &heap| sum ^ value[heap]);
            let equal: Vec<usize> = (1..=max).filter(|&size| value[size] == rest).collect();
            if lost && !equal.is_empty() {
                heaps[0] = equal[random.below(equal.len())];
                break;
            }
            let place = random.below(n);
            heaps[place] = drawn(&mut random);
        }
        random.shuffle(&mut heaps);
        Ok(format!("{}\n{}\n", n, joined(&heaps)))
    })
}

/// The Grundy values of heaps of 0 to `max`.
fn values(max: usize) -> Vec<u64> {
    let mut value = vec![0; max + 1];
    for size in 1..=max {
        let reached: Vec<u64> = (1..(size + 1) / 2).map(|part| value[part] ^ value[size - part]).collect();
        value[size] = mex(&reached);
    }
    value
}
