//! The generator: heaps whose remainders by k + 1 have a nim-sum of zero or any other.

use nimatron_kit::*;

fn main() -> std::process::ExitCode {
    generator(|args| {
        let (n, k, most) = (args.get::<usize>("n")?, args.get::<u64>("k")?, args.get::<u64>("most")?);
        let loses = args.choice("first", &["wins", "loses"])? == 1;
        let mut random = args.random()?;
        let mut heaps = piles(&mut random, n, 0, k);
        // In the rare case that this fails, the heaps stay as they are; the reference gives the answer anyway.
        if loses {
            set_nim_sum(&mut random, &mut heaps, 0, k, 0);
        }
        for heap in &mut heaps {
            *heap += (k + 1) * random.between(0, (most - *heap) / (k + 1));
        }
        Ok(format!("{n} {k}\n{}\n", joined(&heaps)))
    })
}
