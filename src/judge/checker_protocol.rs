//! Reads the results of checkers, interactors and validators by their protocols.
//!
//! A violation of the protocol is a failure of the auxiliary program: a fault, never a verdict.

use std::ffi::{OsStr, OsString};

use crate::model::{Breach, Capture, Credit, Execution, Exit, Fault, FaultKind, Limits, Points, Score, Verdict};
use crate::problem::{AuxProgram, PointsMeaning, Protocol};

use super::classify::classify;
use super::dmoj_protocol::{coci, peg};
use super::sinol_protocol::sinol;

/// Maximum length in bytes of a quoted message. A longer message is truncated.
const LONGEST_MESSAGE: usize = 8 << 10;

/// The result of a checker or an interactor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckerResult {
    /// The verdict. Checkers and interactors report only accepted, partial, wrong answer and presentation error.
    pub verdict: Verdict,
    /// The share of the case's points; [`Credit::FULL`] for an accepted output.
    pub credit: Credit,
    /// The points that the program awarded in `score.txt`; `None` if it awarded none, or if `credit` expresses them.
    pub points: Option<Points>,
    /// The message of the program, if it wrote one.
    pub message: Option<String>,
    /// The input of the next pass, if the program requests a further pass.
    pub next_pass: Option<Vec<u8>>,
}

/// The files in the feedback folder of a checker or an interactor, as pairs of name and content.
pub type Feedback = Vec<(OsString, Vec<u8>)>;

/// The name of the feedback file that requests another pass and contains its input.
pub const NEXT_PASS: &str = "nextpass.in";

/// Interprets a run of a checker or an interactor under `limits` according to the program's protocol. `name` is the
/// name of the program in messages. The last argument contains the program's standard output, which is empty for an
/// interactor, and the files of its feedback folder.
///
/// # Errors
/// Returns a fault if the program crashed, exceeded a limit, violated its protocol, or reported a failure of its own.
pub fn parse_result(
    name: &str,
    aux_program: &AuxProgram,
    execution: &Execution,
    limits: &Limits,
    (stdout, feedback): (&[u8], &Feedback),
) -> Result<CheckerResult, Fault> {
    let fault = |what: String| Fault::new(FaultKind::Checker, format!("{name} {what}{}", stderr_note(execution)));
    let code = match (exceeded_limit(execution, limits), execution.exit) {
        (Some(how), _) => return Err(fault(how)),
        (None, Exit::Code(code)) => code,
        (None, signal @ Exit::Signal(_)) => return Err(fault(format!("crashed: {signal}"))),
    };
    match aux_program.protocol {
        Protocol::Icpc | Protocol::Dmoj => icpc(code, aux_program, feedback).map_err(fault),
        Protocol::Testlib => testlib(code, aux_program, &execution.stderr).map_err(fault),
        Protocol::Plain => plain(code, &execution.stderr.text).map_err(fault),
        Protocol::Coci => coci(code, aux_program.worth, &execution.stderr, stdout).map_err(fault),
        Protocol::Peg => peg(code, aux_program.worth, stdout).map_err(fault),
        Protocol::Sinol => sinol(code, aux_program.worth, stdout, feedback).map_err(fault),
    }
}

/// Interprets a run of an input validator under `limits`. Returns `None` if the validator accepts the input, otherwise
/// the reason for the rejection.
///
/// # Errors
/// Returns a message if the validator exceeded a limit, or if it crashed or ended with an exit code that its protocol
/// does not define. In the protocols `plain`, `peg` and `sinol`, a crash and every exit code other than 0 reject the
/// input.
pub fn parse_validation(protocol: Protocol, execution: &Execution, limits: &Limits) -> Result<Option<String>, String> {
    use Protocol::{Coci, Dmoj, Icpc, Peg, Plain, Sinol, Testlib};
    if let Some(how) = exceeded_limit(execution, limits) {
        return Err(format!("{how}{}", stderr_note(execution)));
    }
    let words = execution.stderr.text.trim();
    let refused = Some(if words.is_empty() { "no reason given".to_owned() } else { cut(words) });
    match (protocol, execution.exit) {
        (Icpc | Dmoj, Exit::Code(42)) | (Testlib | Coci | Plain | Peg | Sinol, Exit::Code(0)) => Ok(None),
        (Icpc | Dmoj, Exit::Code(43)) | (Testlib | Coci, Exit::Code(1..=8)) => Ok(refused),
        // A validator of protocol `plain` may be a program with assertions. If one fails, the program exits with any
        // code other than 0, or is ended by a signal.
        (Plain | Peg | Sinol, _) => Ok(refused),
        (Icpc | Dmoj, Exit::Code(code)) => Err(format!("{}{}", strange(code), stderr_note(execution))),
        (Testlib | Coci, Exit::Code(code)) => {
            Err(format!("ended with exit code {code}, expected 0 to 8{}", stderr_note(execution)))
        }
        (_, signal @ Exit::Signal(_)) => Err(format!("crashed: {signal}{}", stderr_note(execution))),
    }
}

/// Describes the limit that a run exceeded, or states that the run made a forbidden system call. Returns `None` for any
/// other run.
pub(super) fn exceeded_limit(execution: &Execution, limits: &Limits) -> Option<String> {
    match classify(execution, limits) {
        _ if execution.breach == Some(Breach::Processes) => Some("exceeded its process limit".to_owned()),
        // An exit code or a signal is interpreted according to the protocol.
        None | Some(Verdict::RuntimeError) => None,
        Some(Verdict::Forbidden) => Some("made a forbidden system call".to_owned()),
        Some(verdict) => Some(format!("exceeded its {}", verdict.long().trim_end_matches(" exceeded"))),
    }
}

/// Returns the part of a fault's message that quotes the program's standard error, truncated; empty if standard error
/// is blank.
pub(super) fn stderr_note(execution: &Execution) -> String {
    let words = execution.stderr.text.trim();
    if words.is_empty() { String::new() } else { format!("; standard error: {}", cut(words)) }
}

/// Returns a program's message, truncated if it is long; `None` if it is blank.
pub(super) fn shown(words: &str) -> Option<String> {
    Some(cut(words.trim())).filter(|words| !words.is_empty())
}

fn cut(words: &str) -> String {
    let end = (0..=words.len().min(LONGEST_MESSAGE)).rev().find(|&end| words.is_char_boundary(end)).unwrap_or(0);
    words[..end].trim().to_owned()
}

fn strange(code: i32) -> String {
    let hint = if (0..=8).contains(&code) { " (a testlib program requires the protocol `testlib`)" } else { "" };
    format!("ended with exit code {code}, expected 42 or 43{hint}")
}

fn icpc(code: i32, aux_program: &AuxProgram, feedback: &Feedback) -> Result<CheckerResult, String> {
    let file = |name: &str| feedback.iter().find(|(file, _)| file == OsStr::new(name)).map(|(_, text)| text.as_slice());
    let message = ["teammessage.txt", "judgemessage.txt"].into_iter().filter_map(file);
    let message = message.filter_map(|text| shown(&String::from_utf8_lossy(text)));
    let message = Some(message.collect::<Vec<_>>().join("\n")).filter(|text| !text.is_empty());
    let score = (file("score.txt"), file("score_multiplier.txt"));
    match code {
        42 => {
            let next_pass = file(NEXT_PASS).map(<[u8]>::to_vec);
            let (credit, points) = earned(aux_program.worth, aux_program.full, score, next_pass.is_none())?;
            Ok(CheckerResult { next_pass, points, ..credited(credit, aux_program.worth, message) })
        }
        43 if score != (None, None) && !matches!(aux_program.worth, PointsMeaning::Points | PointsMeaning::Nothing) => {
            Err("rejected the output but wrote a score, which only an accepted output may have".to_owned())
        }
        43 if file(NEXT_PASS).is_some() => {
            Err(format!("rejected the output but requested another pass (`{NEXT_PASS}`)"))
        }
        43 => {
            // DOMjudge also counts the points of a rejected output.
            let awarded = file("score.txt").filter(|_| aux_program.worth == PointsMeaning::Points);
            let points = awarded.and_then(|score| read_points(score).ok());
            Ok(CheckerResult { points, ..rejected(Verdict::WrongAnswer, message) })
        }
        code => Err(strange(code)),
    }
}

/// Parses the score of an accepted case from `files`, the contents of `score.txt` and `score_multiplier.txt`. Returns a
/// credit, and points if the program awards points. Without these files the credit is full, except that their absence
/// is an error in the `last` pass of a case without maximum points.
fn earned(
    worth: PointsMeaning,
    full: Option<Score>,
    files: (Option<&[u8]>, Option<&[u8]>),
    last: bool,
) -> Result<(Credit, Option<Points>), String> {
    match (worth, files) {
        (PointsMeaning::Case(None), (None, None)) if last => {
            Err("accepted the output but wrote no `score.txt`, although the case has no maximum score".to_owned())
        }
        (PointsMeaning::Nothing, _) | (_, (None, None)) => Ok((Credit::FULL, None)),
        (_, (Some(_), Some(_))) => {
            Err("wrote both `score.txt` and `score_multiplier.txt`, expected only one of them".to_owned())
        }
        (PointsMeaning::Whole, _) => Err("wrote a score, but the group of the case is pass-fail".to_owned()),
        (PointsMeaning::Share, (Some(score), None)) => Ok((read_credit("to `score.txt`", score, full)?, None)),
        (PointsMeaning::Points, (Some(score), None)) => Ok((Credit::FULL, Some(read_points(score)?))),
        (PointsMeaning::Case(most), (Some(score), None)) => Ok((Credit::FULL, read_points_up_to(score, most)?)),
        (PointsMeaning::Case(None), (None, Some(_))) => {
            Err("wrote `score_multiplier.txt`, but the case has no maximum score".to_owned())
        }
        (_, (None, Some(share))) => {
            let credit = read_credit(TO_MULTIPLIER, share, None)?;
            Ok(match full.filter(|_| worth == PointsMeaning::Points) {
                Some(full) => (Credit::FULL, Some(full.share(credit).into())),
                None => (credit, None),
            })
        }
    }
}

pub(super) fn plain(code: i32, stderr: &str) -> Result<CheckerResult, String> {
    let message = shown(stderr);
    match code {
        0 => Ok(credited(Credit::FULL, PointsMeaning::Share, message)),
        1 => Ok(rejected(Verdict::WrongAnswer, message)),
        code => Err(format!("ended with exit code {code}, expected 0 or 1")),
    }
}

/// Interprets an exit code of testlib; see `resultExitCode` in testlib.h (`_dirt` is 4 by default). A checker may quote
/// the submission's output on standard error, where it also reports its result, so the lowest of several results
/// counts.
fn testlib(code: i32, aux_program: &AuxProgram, stderr: &Capture) -> Result<CheckerResult, String> {
    let words = stderr.text.trim();
    let message = shown(words);
    let given = |credit| Ok(credited(credit, aux_program.worth, message.clone()));
    if stderr.cut && (matches!(code, 5 | 7) || code >= 16) {
        return Err(format!("awarded points (exit code {code}), but its standard error is too long to be parsed"));
    }
    let part = if stderr.cut { None } else { halves(code, words) };
    match (code, part) {
        (_, Some(halves)) if halves > 200 => Err(format!(
            "awarded a partial result of {halves} (exit code {code}), expected at most 200, which is full credit"
        )),
        (5 | 7, Some(halves)) if least(words).is_some() => {
            given(points(code, aux_program, words)?.min(Credit::millionths(halves * 5_000)))
        }
        (_, Some(halves)) => given(Credit::millionths(halves * 5_000)),
        (0, None) => given(Credit::FULL),
        (1, None) => Ok(rejected(Verdict::WrongAnswer, message)),
        (2 | 4 | 8, None) => Ok(rejected(Verdict::PresentationError, message)),
        (3, None) => Err("failed (exit code 3)".to_owned()),
        (5 | 7, None) => given(points(code, aux_program, words)?),
        (code, None) => Err(format!("ended with exit code {code}, which the protocol `testlib` does not define")),
    }
}

/// Returns the share of a partial result in units of 0.5 %; `None` for other results. The exit code is the share in
/// these units, to which some versions of testlib.h add 16 or 50. A code below 16 is a partial result only if a line of
/// standard error reports it.
fn halves(code: i32, words: &str) -> Option<u32> {
    let code = u32::try_from(code).ok()?;
    let numbers =
        words.lines().filter_map(|line| line.strip_prefix("partially correct (")?.split_once(')')?.0.parse().ok());
    let least =
        numbers.filter(|number: &u32| [0, 16, 50].iter().any(|more| number.checked_add(*more) == Some(code))).min();
    least.filter(|_| !rejects(code, words)).or_else(|| code.checked_sub(16))
}

/// Returns true if `code` is the exit code of a rejection or a failure, and a line of the message begins with testlib's
/// text for `code`.
fn rejects(code: u32, words: &str) -> bool {
    let own = match code {
        1 => "wrong answer",
        2 | 4 => "wrong output format",
        3 => "FAIL",
        8 => "unexpected eof",
        _ => return false,
    };
    words.lines().any(|line| line.starts_with(own))
}

/// The text that precedes the points in a message.
const POINTS: &str = "points ";

/// Converts the lowest number of points in a checker's message to a credit. Fails if the message has no points.
fn points(code: i32, aux_program: &AuxProgram, words: &str) -> Result<Credit, String> {
    let number = least(words).ok_or_else(|| {
        format!("awarded points (exit code {code}), but did not write `points NUMBER` to standard error")
    })?;
    match aux_program.worth {
        PointsMeaning::Points => granted(number, aux_program.full),
        PointsMeaning::Share | PointsMeaning::Case(_) | PointsMeaning::Whole | PointsMeaning::Nothing => {
            read_credit("as its points", number.as_bytes(), aux_program.full)
        }
    }
}

/// Returns the lowest number of points in the message, as written; `None` if the message has no points. The points need
/// not be at the start of a line, since quoted output before them may lack a line end. Points for another program
/// (`points_info=…`) count as lowest, and words that are not numbers as highest.
fn least(words: &str) -> Option<&str> {
    let places = words.lines().flat_map(|line| line.match_indices(POINTS).map(|(at, word)| &line[at + word.len()..]));
    let size = |number: &str| match number.starts_with(POINTS_INFO) {
        true => f64::NEG_INFINITY,
        false => decimal("as its points", number).unwrap_or(f64::INFINITY),
    };
    let numbers = places.filter_map(|rest| rest.split_whitespace().next());
    numbers.min_by(|one, other| size(one).total_cmp(&size(other)))
}

/// The prefix of points that are meant for a program other than the judge.
const POINTS_INFO: &str = "points_info=";

/// Converts the points of a package's checker to a credit. Points of at least the maximum give the full credit. If the
/// maximum is not known, or the points are for another program (`points_info=…`), there is no credit. Fails for
/// negative points.
fn granted(number: &str, full: Option<Score>) -> Result<Credit, String> {
    if number.starts_with(POINTS_INFO) {
        return Ok(Credit::NONE);
    }
    let points = decimal("as its points", number)?;
    if points < 0.0 {
        return Err(format!("wrote `{number}` as its points, expected a non-negative number"));
    }
    Ok(match full.map(Score::as_points) {
        None => Credit::NONE,
        Some(most) if points + ROUNDING >= most => Credit::FULL,
        Some(most) => Credit::millionths(((points / most * 1e6).round() as u32).min(Credit::FULL.as_millionths() - 1)),
    })
}

/// Creates the result for a credit: accepted for full credit, partial for less. Without credit the verdict is wrong
/// answer, or partial if the package defines the points.
pub(super) fn credited(credit: Credit, worth: PointsMeaning, message: Option<String>) -> CheckerResult {
    let verdict = match (credit, worth) {
        (Credit::FULL, _) => Verdict::Accepted,
        (Credit::NONE, PointsMeaning::Share | PointsMeaning::Nothing) => Verdict::WrongAnswer,
        _ => Verdict::Partial,
    };
    CheckerResult { verdict, credit, points: None, message, next_pass: None }
}

pub(super) fn rejected(verdict: Verdict, message: Option<String>) -> CheckerResult {
    CheckerResult { verdict, credit: Credit::NONE, points: None, message, next_pass: None }
}

/// Parses the content of `score.txt` as points.
fn read_points(text: &[u8]) -> Result<Points, String> {
    let text = String::from_utf8_lossy(text);
    let number = text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    let points = number.and_then(Points::nearest);
    points.ok_or_else(|| format!("wrote `{}` to `score.txt`, expected a number", cut(text.trim())))
}

/// Parses the content of `score.txt` as points from 0 to `most`. Returns `None` if the points are at least `most`; the
/// case then earns its full credit instead of a rounded number, so that the sum of its group is exact.
fn read_points_up_to(text: &[u8], most: Option<Points>) -> Result<Option<Points>, String> {
    let points = read_points(text)?;
    // The maximum of a case was rounded when the maximum of its group was divided, so a program may award slightly
    // more.
    let bound = most.map_or(Points::MOST, |most| most.plus(Points::thousandths(1)));
    if points < Points::ZERO || points > bound {
        let (wrote, range) = (String::from_utf8_lossy(text), most.map(|most| most.score().to_string()));
        let range = range.map_or("of at least 0".to_owned(), |most| format!("from 0 to {most}"));
        return Err(format!("wrote `{}` to `score.txt`, expected a number {range}", cut(wrote.trim())));
    }
    Ok(Some(points).filter(|points| most.is_none_or(|most| *points < most)))
}

/// Tolerance for rounding, in points: a [`Score`] is in thousandths, and a program may compute more precisely.
const ROUNDING: f64 = 0.0005;

/// Parses a decimal number. `place` follows the number in the error message, such as `to score.txt`.
fn decimal(place: &str, number: &str) -> Result<f64, String> {
    let plain = number.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
    let value = if plain { number.parse::<f64>().ok() } else { None };
    value.ok_or_else(|| format!("wrote `{}` {place}, expected a number", cut(number)))
}

/// The argument `place` of [`read_credit`] for a number from `score_multiplier.txt`.
const TO_MULTIPLIER: &str = "to `score_multiplier.txt`";

/// Parses a decimal number as a share of `full` points, or of 1 if `full` is `None`, rounded to a millionth. `place`
/// follows the number in the error message, such as `to score.txt`.
fn read_credit(place: &str, text: &[u8], full: Option<Score>) -> Result<Credit, String> {
    let text = String::from_utf8_lossy(text);
    let number = text.trim();
    let value = decimal(place, number)?;
    let most = full.map_or(1.0, Score::as_points);
    let rounding = if full.is_some() { ROUNDING } else { 0.0 };
    if !(0.0..=most + rounding).contains(&value) {
        let help = match full {
            None if place != TO_MULTIPLIER => {
                " (to change the maximum, set `points:` of the checker in `problem.yaml`)"
            }
            _ => "",
        };
        return Err(format!("wrote `{number}` {place}, expected a number from 0 to {most}{help}"));
    }
    Ok(Credit::millionths((value.min(most) / most * 1e6).round() as u32))
}

#[cfg(test)]
#[path = "checker_protocol_tests.rs"]
mod tests;
