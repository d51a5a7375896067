//! Interprets the results of checkers and interactors according to the protocols that are specific to DMOJ.

use crate::model::{Capture, Credit, Verdict};
use crate::problem::PointsMeaning;

use super::checker_protocol::{CheckerResult, credited, rejected, shown};

/// Interprets an exit code of the protocol `coci`: 0 accepts, 1 and 2 reject, and 7 awards the fraction of the points
/// that a line `partial X/Y` of standard error states. A checker may also quote the submission's output on standard
/// error, so the lowest of several fractions counts.
pub(super) fn coci(code: i32, worth: PointsMeaning, stderr: &Capture, stdout: &[u8]) -> Result<CheckerResult, String> {
    let said = shown(&String::from_utf8_lossy(stdout)).or_else(|| shown(&stderr.text));
    match code {
        0 => Ok(credited(Credit::FULL, worth, said)),
        1 => Ok(rejected(Verdict::WrongAnswer, said)),
        2 => Ok(rejected(Verdict::PresentationError, said)),
        3 => Err("failed (exit code 3)".to_owned()),
        7 if stderr.cut => {
            Err("awarded points (exit code 7), but its standard error is too long to be parsed".to_owned())
        }
        7 => {
            let parts = stderr.text.lines().filter_map(fraction);
            let part = parts.min_by(|one, other| one.total_cmp(other));
            let part =
                part.ok_or("awarded points (exit code 7), but no line of standard error has the form `partial X/Y`")?;
            if part > 1.0 {
                return Err(format!(
                    "awarded {part} of the points; expected a fraction of at most 1 in the line `partial X/Y`"
                ));
            }
            Ok(credited(share(part), worth, said))
        }
        code => Err(format!("ended with exit code {code}, which the protocol `coci` does not define")),
    }
}

/// Interprets an exit code of the protocol `peg`: 0 accepts and 1 rejects. However, if two consecutive lines of
/// standard output are numbers whose ratio is positive, the first such ratio is the awarded share of the points.
pub(super) fn peg(code: i32, worth: PointsMeaning, stdout: &[u8]) -> Result<CheckerResult, String> {
    let text = String::from_utf8_lossy(stdout);
    let numbers: Vec<Option<f64>> = text.lines().map(|line| line.trim().parse().ok()).collect();
    let ratios = numbers.windows(2).filter_map(|pair| match pair {
        [Some(part), Some(whole)] => Some(part / whole),
        _ => None,
    });
    let ratio = ratios.filter(|_| matches!(code, 0 | 1)).find(|ratio| *ratio > 0.0 && ratio.is_finite());
    match (code, ratio) {
        (_, Some(ratio)) => Ok(credited(share(ratio), worth, None)),
        (0, None) => Ok(credited(Credit::FULL, worth, shown(&text))),
        (1, None) => Ok(rejected(Verdict::WrongAnswer, shown(&text))),
        (code, None) => Err(format!("ended with exit code {code}, expected 0 or 1")),
    }
}

/// Parses a line `partial X/Y`. Returns `None` for any other line.
fn fraction(line: &str) -> Option<f64> {
    let (part, whole) = line.strip_prefix("partial ")?.split_once('/')?;
    let number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse::<f64>().ok())?;
    Some(number(part)? / number(whole).filter(|whole| *whole > 0.0)?)
}

/// Returns the credit for a share of the points. A share below 1 never earns the full credit.
fn share(share: f64) -> Credit {
    let millionths = (share.min(1.0) * 1e6).round() as u32;
    if share < 1.0 { Credit::millionths(millionths.min(Credit::FULL.as_millionths() - 1)) } else { Credit::FULL }
}

#[cfg(test)]
mod tests {
    use super::*;

    const POINTS: PointsMeaning = PointsMeaning::Points;

    fn found(result: Result<CheckerResult, String>) -> Result<(Verdict, u32), String> {
        result.map(|result| (result.verdict, result.credit.as_millionths()))
    }

    #[test]
    fn the_table_of_coci() {
        let coci = |code, stderr: &str| {
            let stderr = Capture::new(stderr.as_bytes(), 1 << 14, stderr.len() as u64);
            found(coci(code, POINTS, &stderr, b""))
        };
        assert_eq!(coci(0, ""), Ok((Verdict::Accepted, 1_000_000)));
        assert_eq!(coci(1, ""), Ok((Verdict::WrongAnswer, 0)));
        assert_eq!(coci(2, ""), Ok((Verdict::PresentationError, 0)));
        assert_eq!(coci(7, "close\npartial 3/4\n"), Ok((Verdict::Partial, 750_000)));
        assert_eq!(coci(7, "partial 5/5"), Ok((Verdict::Accepted, 1_000_000)));
        assert_eq!(coci(7, "partial 0/5"), Ok((Verdict::Partial, 0)));
        assert_eq!(coci(7, "partial 2/2\npartial 1/2"), Ok((Verdict::Partial, 500_000)), "the first may be quoted");
        for (code, stderr) in
            [(7, ""), (7, "partial 1/0"), (7, "partial 2/1"), (7, "partial x/1"), (7, "points 3"), (3, ""), (4, "")]
        {
            assert!(coci(code, stderr).is_err(), "{code} {stderr}");
        }
    }

    #[test]
    fn the_table_of_peg() {
        let peg = |code, stdout: &str| found(peg(code, POINTS, stdout.as_bytes()));
        assert_eq!(peg(0, ""), Ok((Verdict::Accepted, 1_000_000)));
        assert_eq!(peg(1, "wrong"), Ok((Verdict::WrongAnswer, 0)));
        assert_eq!(peg(1, "1\n4\n"), Ok((Verdict::Partial, 250_000)), "a part also of a rejected output");
        assert_eq!(peg(0, "near\n 2.5 \n5\n"), Ok((Verdict::Partial, 500_000)));
        assert_eq!(peg(0, "9\n3\n"), Ok((Verdict::Accepted, 1_000_000)));
        assert_eq!(peg(0, "0\n3\n"), Ok((Verdict::Accepted, 1_000_000)), "DMOJ ignores a ratio of 0");
        assert_eq!(peg(1, "1\n0\n"), Ok((Verdict::WrongAnswer, 0)));
        assert!(peg(2, "1\n2\n").is_err());
    }
}
