//! Reads the results of checkers and interactors of sinol packages: a word, a message and a percentage, each on a
//! separate line.

use crate::model::{Credit, Verdict};
use crate::problem::PointsMeaning;

use super::checker_protocol::{CheckerResult, Feedback, credited, rejected, shown};

/// Name in the feedback of the standard output of an interactor. The interactor communicates with the program through
/// other file descriptors.
pub const SINOL_RESULT: &str = "result";

/// The exit code of an interactor that received SIGPIPE, because the program had exited too early.
const BROKEN_PIPE: i32 = 128 + 13;

/// Interprets the output of a checker or an interactor. The output is the file [`SINOL_RESULT`] in `feedback`
/// if this file exists, as for an interactor, and otherwise `stdout`.
pub(super) fn sinol(
    code: i32,
    worth: PointsMeaning,
    stdout: &[u8],
    feedback: &Feedback,
) -> Result<CheckerResult, String> {
    let written = feedback.iter().find(|(name, _)| name == SINOL_RESULT).map(|(_, text)| text.as_slice());
    let text = String::from_utf8_lossy(written.unwrap_or(stdout));
    let mut lines = text.lines().map(str::trim);
    let [word, message, percent] = [(); 3].map(|()| lines.next().unwrap_or_default());
    let message = shown(message);
    match (code, word) {
        (BROKEN_PIPE, "") if written.is_some() => {
            Ok(rejected(Verdict::WrongAnswer, Some("the program ended before the interactor".to_owned())))
        }
        (0..=2, "") if written.is_some() => Err("ended without writing a result".to_owned()),
        (0..=2, "OK") => Ok(credited(credit(percent)?, worth, message)),
        (0..=2, _) => Ok(rejected(Verdict::WrongAnswer, message)),
        (code, _) => Err(format!("ended with exit code {code}, expected 0 to 2")),
    }
}

/// Returns whether the result of an interactor, the file [`SINOL_RESULT`] in `feedback`, accepts the program.
pub fn sinol_accepts(feedback: &Feedback) -> bool {
    let text = feedback.iter().find(|(name, _)| name == SINOL_RESULT).map(|(_, text)| text.as_slice());
    let first = text.and_then(|text| text.split(|byte| *byte == b'\n').next());
    first.is_some_and(|word| word.trim_ascii() == b"OK")
}

/// Parses a percentage, which is a decimal number or a fraction such as `200/3`. An empty line denotes 100 %.
fn credit(text: &str) -> Result<Credit, String> {
    let number = |text: &str| text.trim().parse::<f64>().ok();
    let percent = match text.split_once('/') {
        _ if text.is_empty() => Some(100.0),
        Some((above, below)) => number(above).zip(number(below)).map(|(above, below)| above / below),
        None => number(text),
    };
    match percent {
        Some(percent) if (0.0..=100.0).contains(&percent) => Ok(Credit::millionths((percent * 1e4).round() as u32)),
        _ => Err(format!("wrote `{text}` as the percentage of the points; expected a number from 0 to 100")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checker(code: i32, text: &str) -> Result<(Verdict, u32, Option<String>), String> {
        let ruling = sinol(code, PointsMeaning::Points, text.as_bytes(), &Feedback::new())?;
        Ok((ruling.verdict, ruling.credit.as_millionths(), ruling.message))
    }

    #[test]
    fn the_first_line_accepts_and_the_third_awards_points() {
        assert_eq!(checker(0, "OK"), Ok((Verdict::Accepted, 1_000_000, None)));
        assert_eq!(
            checker(0, "OK\nnot the shortest\n50\n"),
            Ok((Verdict::Partial, 500_000, Some("not the shortest".to_owned())))
        );
        assert_eq!(checker(0, "OK\n\n100/3\n").map(|found| found.1), Ok(333_333));
        assert_eq!(checker(1, "WRONG\ntoo long\n50"), Ok((Verdict::WrongAnswer, 0, Some("too long".to_owned()))));
        assert_eq!(checker(0, ""), Ok((Verdict::WrongAnswer, 0, None)));
        assert!(checker(0, "OK\n\n120").unwrap_err().contains("`120`"));
        assert!(checker(3, "OK").unwrap_err().contains("exit code 3"));
    }

    #[test]
    fn an_interactor_whose_program_ended_rejects_it() {
        let interactor = |code, text: &str| {
            let written = vec![(SINOL_RESULT.into(), text.as_bytes().to_vec())];
            sinol(code, PointsMeaning::Points, b"", &written).map(|ruling| ruling.verdict)
        };
        assert_eq!(interactor(BROKEN_PIPE, ""), Ok(Verdict::WrongAnswer));
        assert_eq!(interactor(0, "OK"), Ok(Verdict::Accepted));
        assert!(interactor(0, "").is_err());
    }
}
