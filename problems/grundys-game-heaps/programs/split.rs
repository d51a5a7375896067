//! The checker of grundys-game-heaps: a split is right if the rules allow it and the nim-sum after it is 0.

use nimatron_kit::*;

fn main() -> std::process::ExitCode {
    checker(|case| {
        let n: usize = case.input.int(1..=1000)?;
        let heaps: Vec<usize> = case.input.ints(n, 1..=3000)?;
        let there_is_one = case.answer.int(0..=n)? > 0;
        let heap: usize = case.output.int(0..=n)?;
        let part: usize = case.output.int(0..=3000)?;
        case.output.end()?;
        if heap == 0 && part == 0 {
            return if there_is_one { wrong("there is a winning move") } else { accept("no move wins") };
        }
        if heap == 0 || part == 0 {
            return malformed(format!("`{} {}` is no move, and not `0 0` either", heap, part));
        }
        let size = heaps[heap - 1];
        if part >= size || 2 * part == size {
            return wrong(format!("heap {} holds {} coins and can't be split into {} and the rest", heap, size, part));
        }
        let value = values(heaps.iter().copied().fold(0, usize::max));
        let others = heaps.iter().fold(value[size], |sum, &heap| sum ^ value[heap]);
        let after = others ^ value[part] ^ value[size - part];
        if after != 0 {
            return wrong(format!("after splitting heap {} into {} and {} the nim-sum is {}", heap, part, size - part, after));
        }
        if !there_is_one {
            return Err("the move wins, and the answer says that there is none".to_owned().into());
        }
        accept("a winning move")
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
