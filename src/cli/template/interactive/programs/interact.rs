//! The interactor. Its standard output is the input of the program, and `talk.heard` is the output of the program.

use nimatron_kit::*;

/// Maximum number of guesses; the statement has the same bound.
const MOST: u32 = 10;

fn main() -> std::process::ExitCode {
    interactor(|talk| {
        let x: u32 = talk.input.int(1..=1000)?;
        for guess in 1..=MOST {
            let heard = talk.heard.int(1..=1000)?; // an invalid guess is rejected with its position
            if heard == x {
                talk.say("right")?;
                talk.heard.end()?;
                return accept(format!("{guess} guesses"));
            }
            talk.say(if x < heard { "less" } else { "more" })?;
        }
        wrong(format!("the number was not found in {MOST} guesses"))
    })
}
