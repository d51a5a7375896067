//! The checker: accepts every correct pair, not only that of the reference.

use nimatron_kit::*;

fn main() -> std::process::ExitCode {
    checker(|case| {
        let n: usize = case.input.int(2..=200_000)?;
        let t: i64 = case.input.int(2..=2_000_000_000)?;
        let a: Vec<i64> = case.input.ints(n, 1..=1_000_000_000)?;
        let exists = case.answer.int(0..=n)? > 0;

        let pair = case.output.ints(2, 0..=n)?; // an invalid output is rejected with its position
        case.output.end()?;
        let (i, j) = (pair[0], pair[1]);
        if (i, j) == (0, 0) {
            return if exists { wrong("a pair exists") } else { accept("no pair exists") };
        }
        if i == 0 || i >= j {
            return wrong(format!("expected two positions from 1 to {n} in ascending order, found {i} {j}"));
        }
        let sum = a[i - 1] + a[j - 1];
        if sum != t {
            return wrong(format!("expected a sum of {t}, found {sum}"));
        }
        if !exists {
            // The reference missed a pair. This is an error in the problem and does not affect the program's verdict.
            return Err(case.answer.complaint("the reference found no pair, but a pair exists"));
        }
        accept("a correct pair")
    })
}
