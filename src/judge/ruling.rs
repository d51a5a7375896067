//! From the end of a checker's or interactor's run to what it says of the contestant's, by its protocol.
//!
//! Whatever the protocol does not foresee is the program's own failure: a fault, never a verdict.

use std::ffi::{OsStr, OsString};

use crate::model::{Breach, Credit, Execution, Exit, Fault, FaultKind, Limits, Points, Score, Verdict};
use crate::problem::{Companion, Protocol, Worth};

use super::classify::classify;

/// How much of a message is kept, in bytes.
const LONGEST_MESSAGE: usize = 8 << 10;

/// What a checker or an interactor says of the contestant's run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ruling {
    /// Accepted, partial, a wrong answer or a presentation error.
    pub verdict: Verdict,
    /// The share that was right.
    pub credit: Credit,
    /// The points it gave, where they count as they are.
    pub points: Option<Points>,
    /// What it wrote for people.
    pub message: Option<String>,
    /// The input of another pass, if it wants one.
    pub next_pass: Option<Vec<u8>>,
}

/// What a program left in its feedback folder: files by name.
pub type Feedback = Vec<(OsString, Vec<u8>)>;

/// The name of the file that asks for another pass.
pub const NEXT_PASS: &str = "nextpass.in";

/// What a companion's run says. `limits` are those it was held to, `name` is what people call it.
///
/// # Errors
/// A fault if it crashed, broke a limit or its protocol, or said itself that it failed.
pub fn rule(
    name: &str,
    companion: &Companion,
    execution: &Execution,
    limits: &Limits,
    feedback: &Feedback,
) -> Result<Ruling, Fault> {
    let fault = |what: String| Fault::new(FaultKind::Checker, format!("{name} {what}{}", said(execution)));
    let code = match (broken(execution, limits), execution.exit) {
        (Some(how), _) => return Err(fault(how)),
        (None, Exit::Code(code)) => code,
        (None, signal @ Exit::Signal(_)) => return Err(fault(format!("crashed: {signal}"))),
    };
    match companion.protocol {
        Protocol::Icpc => icpc(code, companion, feedback).map_err(fault),
        Protocol::Testlib => testlib(code, companion.full, &execution.stderr.text).map_err(fault),
        Protocol::Plain => plain(code, &execution.stderr.text).map_err(fault),
    }
}

/// Whether a validator accepts an input: none if it does, else why not.
///
/// # Errors
/// In words: it crashed, broke a limit or its protocol.
pub fn admit(protocol: Protocol, execution: &Execution, limits: &Limits) -> Result<Option<String>, String> {
    if let Some(how) = broken(execution, limits) {
        return Err(format!("{how}{}", said(execution)));
    }
    let words = execution.stderr.text.trim();
    let refused = Some(if words.is_empty() { "it gives no reason".to_owned() } else { cut(words) });
    match (protocol, execution.exit) {
        (Protocol::Icpc, Exit::Code(42)) | (Protocol::Testlib | Protocol::Plain, Exit::Code(0)) => Ok(None),
        (Protocol::Icpc, Exit::Code(43)) | (Protocol::Testlib, Exit::Code(1..=8)) => Ok(refused),
        (Protocol::Plain, Exit::Code(1)) => Ok(refused),
        (Protocol::Icpc, Exit::Code(code)) => Err(format!("{}{}", strange(code), said(execution))),
        (Protocol::Testlib | Protocol::Plain, Exit::Code(code)) => {
            Err(format!("ended with exit code {code}{}", said(execution)))
        }
        (_, signal @ Exit::Signal(_)) => Err(format!("crashed: {signal}{}", said(execution))),
    }
}

/// How it broke a limit, if it did.
pub(super) fn broken(execution: &Execution, limits: &Limits) -> Option<String> {
    match classify(execution, limits) {
        _ if execution.breach == Some(Breach::Processes) => Some("broke a limit: too many processes".to_owned()),
        // How it ended is for its protocol to say.
        None | Some(Verdict::RuntimeError) => None,
        Some(verdict) => Some(format!("broke a limit: {}", verdict.long())),
    }
}

/// Its last words, for a fault's message.
pub(super) fn said(execution: &Execution) -> String {
    let words = execution.stderr.text.trim();
    if words.is_empty() { String::new() } else { format!("; it said: {}", cut(words)) }
}

fn cut(words: &str) -> String {
    let end = (0..=words.len().min(LONGEST_MESSAGE)).rev().find(|&end| words.is_char_boundary(end)).unwrap_or(0);
    words[..end].trim().to_owned()
}

fn strange(code: i32) -> String {
    let hint = if (0..=8).contains(&code) { ": does it speak `protocol: testlib`?" } else { "" };
    format!("ended with exit code {code}, but `icpc` has 42 and 43{hint}")
}

fn icpc(code: i32, companion: &Companion, feedback: &Feedback) -> Result<Ruling, String> {
    let file = |name: &str| feedback.iter().find(|(file, _)| file == OsStr::new(name)).map(|(_, text)| text.as_slice());
    let message = ["teammessage.txt", "judgemessage.txt"].into_iter().filter_map(file);
    let message = message.map(|text| cut(String::from_utf8_lossy(text).trim())).filter(|text| !text.is_empty());
    let message = Some(message.collect::<Vec<_>>().join("\n")).filter(|text| !text.is_empty());
    let (score, share) = (file("score.txt"), file("score_multiplier.txt"));
    let points = match (companion.worth, score) {
        (Worth::Points, Some(text)) if code == 42 => Some(read_points(text)?),
        _ => None,
    };
    let (score, share) = match companion.worth {
        Worth::Nothing => (None, None),
        Worth::Points if code == 43 || points.is_some() => (None, share.filter(|_| points.is_some())),
        _ => (score, share),
    };
    if points.is_some() && share.is_some() {
        return Err("wrote both score.txt and score_multiplier.txt".to_owned());
    }
    match code {
        42 => {
            let credit = match (score, share) {
                (None, None) => Credit::FULL,
                (Some(score), None) => read_credit("score.txt", score, companion.full)?,
                (None, Some(share)) => read_credit("score_multiplier.txt", share, None)?,
                (Some(_), Some(_)) => return Err("wrote both score.txt and score_multiplier.txt".to_owned()),
            };
            let next_pass = file(NEXT_PASS).map(<[u8]>::to_vec);
            let ruling = credited(credit, message);
            // Who gets no points at all was accepted all the same where points are the package's.
            let none = companion.worth == Worth::Points && !ruling.verdict.accepted();
            let verdict = if none { Verdict::Partial } else { ruling.verdict };
            Ok(Ruling { next_pass, points, verdict, ..ruling })
        }
        43 if score.is_some() || share.is_some() => Err("rejected the output and wrote a score".to_owned()),
        43 if file(NEXT_PASS).is_some() => Err(format!("rejected the output and asked for another pass ({NEXT_PASS})")),
        43 => Ok(rejected(Verdict::WrongAnswer, message)),
        code => Err(strange(code)),
    }
}

fn plain(code: i32, stderr: &str) -> Result<Ruling, String> {
    let message = Some(cut(stderr.trim())).filter(|words| !words.is_empty());
    match code {
        0 => Ok(credited(Credit::FULL, message)),
        1 => Ok(rejected(Verdict::WrongAnswer, message)),
        code => Err(format!("ended with exit code {code}, and only 0 and 1 say something")),
    }
}

/// The exit codes of testlib as its header has them: see `resultExitCode` there. Where its `_dirt` is left as it is, it
/// is 4; a partial result is its percentage in halves, from 16 on.
fn testlib(code: i32, full: Option<Score>, stderr: &str) -> Result<Ruling, String> {
    let words = cut(stderr.trim());
    let message = Some(words.clone()).filter(|words| !words.is_empty());
    match code {
        0 => Ok(credited(Credit::FULL, message)),
        1 => Ok(rejected(Verdict::WrongAnswer, message)),
        2 | 4 | 8 => Ok(rejected(Verdict::PresentationError, message)),
        3 => Err("failed (exit code 3)".to_owned()),
        5 | 7 => {
            let points = words.strip_prefix("points ").and_then(|rest| rest.split_whitespace().next());
            let points = points.ok_or_else(|| format!("gave points (exit code {code}) and did not say how many"))?;
            read_credit("its points", points.as_bytes(), full).map(|credit| credited(credit, message))
        }
        16..=255 => {
            let inner = words.strip_prefix("partially correct (").and_then(|rest| rest.split(')').next());
            let halves = inner.and_then(|number| number.parse::<u32>().ok()).unwrap_or(code as u32 - 16);
            if halves > 200 {
                return Err(format!("gave {halves} of 200 halves of a percent"));
            }
            Ok(credited(Credit::millionths(halves * 5_000), message))
        }
        code => Err(format!("ended with exit code {code}, which `testlib` does not have")),
    }
}

fn credited(credit: Credit, message: Option<String>) -> Ruling {
    let verdict = match credit {
        Credit::FULL => Verdict::Accepted,
        Credit::NONE => Verdict::WrongAnswer,
        _ => Verdict::Partial,
    };
    Ruling { verdict, credit, points: None, message, next_pass: None }
}

fn rejected(verdict: Verdict, message: Option<String>) -> Ruling {
    Ruling { verdict, credit: Credit::NONE, points: None, message, next_pass: None }
}

/// Reads a decimal number as points.
fn read_points(text: &[u8]) -> Result<Points, String> {
    let text = String::from_utf8_lossy(text);
    let number = text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    let points = number.and_then(Points::nearest);
    points.ok_or_else(|| format!("wrote score.txt as `{}`, which is no number", cut(text.trim())))
}

/// Reads a decimal number, and makes the share of `full` (or of 1) of it, rounded to a millionth.
fn read_credit(what: &str, text: &[u8], full: Option<Score>) -> Result<Credit, String> {
    let text = String::from_utf8_lossy(text);
    let number = text.trim();
    let plain = number.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
    let value = if plain { number.parse::<f64>().ok() } else { None };
    let value = value.ok_or_else(|| format!("wrote {what} as `{}`, which is no number", cut(number)))?;
    let most = full.map_or(1.0, |full| full.as_thousandths() as f64 / 1_000.0);
    // A test that is worth nothing earns nothing: any points say that the output is right.
    if most == 0.0 && value >= 0.0 {
        return Ok(if value > 0.0 { Credit::FULL } else { Credit::NONE });
    }
    // A score has thousandths, and what the validator counts in may be finer.
    let rounding = if full.is_some() { 0.0005 } else { 0.0 };
    if !(0.0..=most + rounding).contains(&value) {
        let help = if full.is_none() { " (`points:` says what they are out of)" } else { "" };
        return Err(format!("wrote {what} as {number}, which is not from 0 to {most}{help}"));
    }
    Ok(Credit::millionths((value.min(most) / most * 1e6).round() as u32))
}

#[cfg(test)]
#[path = "ruling_tests.rs"]
mod tests;
