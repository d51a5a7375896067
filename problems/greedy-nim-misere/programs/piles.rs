//! Heaps for greedy-nim-misere with a chosen number of largest ones.
//!
//! Arguments: `n`, how many heaps; `max`, the size of the largest; `top`, how many are of that size, all if there are
//! fewer; `below`, the sizes of the others: `any`; `close`, one less than the largest; `ones`, 1 or 0.

use nimatron_kit::*;

fn main() -> std::process::ExitCode {
    generator(|args| {
        let (n, top, max): (usize, usize, u64) = (args.get("n")?, args.get("top")?, args.get("max")?);
        let below = args.choice("below", &["any", "close", "ones"])?;
        let mut random = args.random()?;
        let mut heaps = vec![max; n];
        for heap in heaps.iter_mut().skip(top) {
            *heap = match below {
                0 => random.between(0, max - 1),
                1 => max - 1,
                _ => random.between(0, 1),
            };
        }
        random.shuffle(&mut heaps);
        Ok(format!("{}\n{}\n", n, joined(&heaps)))
    })
}
