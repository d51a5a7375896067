//! The checker. After the first pass, it writes the input of the second pass and stores the number in a file.

use std::fs;

use nimatron_kit::*;

/// A file in the working directory of the checker, which is preserved between the passes of a case.
const NUMBER: &str = "number.txt";

fn main() -> std::process::ExitCode {
    checker(|case| {
        // The input of each pass begins with the task of the pass.
        if case.input.choice(&["encode", "decode"])? == 0 {
            let x: u32 = case.input.int(0..=1_000_000)?;
            let word = case.output.word()?;
            case.output.end()?;
            if word.len() > 5 || !word.bytes().all(|letter| letter.is_ascii_lowercase()) {
                return wrong(format!("expected one to five letters from a to z, found `{word}`"));
            }
            fs::write(NUMBER, x.to_string()).map_err(|error| error.to_string())?;
            return again(format!("decode\n{word}\n"));
        }
        let x: u32 = fs::read_to_string(NUMBER).map_err(|error| error.to_string())?.parse().unwrap();
        let decoded = case.output.int(0..=u32::MAX)?;
        case.output.end()?;
        if decoded == x { accept("the number is correct") } else { wrong(format!("expected {x}, found {decoded}")) }
    })
}
