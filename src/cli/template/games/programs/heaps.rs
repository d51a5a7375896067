//! The generator: heaps whose remainders modulo k + 1 have the nim-sum 0 (`loses`) or any nim-sum (`wins`).

use nimatron_kit::*;

fn main() -> std::process::ExitCode {
    generator(|args| {
        let (n, k, most) = (args.get::<usize>("n")?, args.get::<u64>("k")?, args.get::<u64>("most")?);
        let loses = args.choice("first", &["wins", "loses"])? == 1;
        let mut random = args.random()?;
        let mut heaps = piles(&mut random, n, 0, k);
        // If no heaps with this nim-sum are found, which is rare, the heaps remain unchanged.
        if loses {
            set_nim_sum(&mut random, &mut heaps, 0, k, 0);
        }
        for heap in &mut heaps {
            *heap += (k + 1) * random.between(0, (most - *heap) / (k + 1));
        }
        Ok(format!("{n} {k}\n{}\n", joined(&heaps)))
    })
}
