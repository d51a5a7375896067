//! The protocol of a package's custom grader: its input for a group, and the parser of its output.

use crate::model::{Execution, Exit, Fault, FaultKind, Limits, Points, Verdict};

use super::checker_protocol::{exceeded_limit, stderr_note};
use super::scoring::GroupOutcome;

/// The command-line arguments and the input of a custom grader for a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GraderQuestion {
    /// The command-line arguments of the grader.
    pub flags: Vec<String>,
    /// The verdicts and points of the cases and subgroups that were judged, in judging order.
    pub results: Vec<(Verdict, Points)>,
}

impl GraderQuestion {
    /// Returns the standard input of the grader: one line per result, with the code of the verdict and the points.
    pub fn text(&self) -> String {
        self.results.iter().map(|(verdict, points)| format!("{} {}\n", code(*verdict), decimal(*points))).collect()
    }
}

/// Interprets a run of a grader under `limits`. `name` is the name of the grader in messages.
///
/// # Errors
/// Returns a fault if the grader exceeded a limit, did not exit with code 0, or did not print exactly a verdict and
/// points.
pub fn parse_grade(name: &str, execution: &Execution, limits: &Limits, stdout: &[u8]) -> Result<GroupOutcome, Fault> {
    let fault = |what: String| Fault::new(FaultKind::Checker, format!("{name} {what}{}", stderr_note(execution)));
    if let Some(how) = exceeded_limit(execution, limits) {
        return Err(fault(how));
    }
    if execution.exit != Exit::Code(0) {
        return Err(fault(format!("ended with {}, expected exit code 0", execution.exit)));
    }
    let text = String::from_utf8_lossy(stdout);
    let mut words = text.split_whitespace();
    let verdict = words.next().and_then(verdict);
    let points = words.next().and_then(|word| word.parse::<f64>().ok()).filter(|points| points.is_finite());
    match (verdict, points.and_then(Points::nearest), words.next()) {
        (Some(verdict), Some(points), None) => Ok(GroupOutcome { verdict: Some(verdict), points }),
        _ => {
            let start: String = text.trim().chars().take(60).collect();
            let printed = if start.is_empty() { "nothing".to_owned() } else { format!("`{start}`") };
            Err(fault(format!("printed {printed}, expected a verdict and points, such as `AC 40`")))
        }
    }
}

/// Returns the code for a verdict. The format has only these four codes.
fn code(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Accepted | Verdict::Partial => "AC",
        Verdict::WrongAnswer | Verdict::PresentationError | Verdict::OutputLimit => "WA",
        Verdict::TimeLimit | Verdict::IdleLimit => "TLE",
        Verdict::RuntimeError | Verdict::MemoryLimit | Verdict::Forbidden | Verdict::CompileError => "RTE",
    }
}

/// Returns the verdict for a code; `None` for an unknown code. The format does not define `MLE` and `OLE`, but other
/// tools accept them.
fn verdict(code: &str) -> Option<Verdict> {
    Some(match code {
        "AC" => Verdict::Accepted,
        "WA" => Verdict::WrongAnswer,
        "TLE" => Verdict::TimeLimit,
        "RTE" => Verdict::RuntimeError,
        "MLE" => Verdict::MemoryLimit,
        "OLE" => Verdict::OutputLimit,
        _ => return None,
    })
}

/// Formats points as a decimal number without trailing zeros.
fn decimal(points: Points) -> String {
    let millionths = points.as_millionths();
    let (sign, size) = (if millionths < 0 { "-" } else { "" }, millionths.unsigned_abs());
    let text = format!("{sign}{}.{:06}", size / 1_000_000, size % 1_000_000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Breach, ByteSize, Capture, TimeSpan, Usage};

    const LIMITS: Limits = Limits {
        cpu: TimeSpan::seconds(1),
        wall: TimeSpan::seconds(2),
        memory: ByteSize::mib(64),
        output: ByteSize::mib(1),
        processes: 4,
    };

    fn ended(exit: Exit, breach: Option<Breach>) -> Execution {
        Execution { exit, breach, usage: Usage::default(), stderr: Capture::default() }
    }

    #[test]
    fn it_is_told_a_line_for_each_part() {
        let points = Points::thousandths;
        let results = vec![
            (Verdict::Accepted, points(12_000)),
            (Verdict::MemoryLimit, points(0)),
            (Verdict::IdleLimit, points(-1_500)),
            (Verdict::OutputLimit, points(5)),
            (Verdict::Accepted, Points::nearest(0.456_78).unwrap()),
        ];
        let question = GraderQuestion { flags: Vec::new(), results };
        assert_eq!(question.text(), "AC 12\nRTE 0\nTLE -1.5\nWA 0.005\nAC 0.45678\n");
    }

    #[test]
    fn it_answers_with_a_verdict_and_points() {
        let of = |stdout: &str| parse_grade("g", &ended(Exit::Code(0), None), &LIMITS, stdout.as_bytes());
        let graded =
            |verdict, thousandths| GroupOutcome { verdict: Some(verdict), points: Points::thousandths(thousandths) };
        assert_eq!(of("AC 40.500000\n"), Ok(graded(Verdict::Accepted, 40_500)));
        assert_eq!(of("TLE -3"), Ok(graded(Verdict::TimeLimit, -3_000)));
        for bad in ["", "JE 0", "JE", "AC", "AC x", "AC inf", "AC 1 2", "40 AC", "AC 1\nAC 2\n"] {
            assert!(of(bad).unwrap_err().message.contains("such as `AC 40`"), "{bad:?}");
        }
    }

    #[test]
    fn its_failure_is_a_fault() {
        for (exit, breach) in [(Exit::Code(1), None), (Exit::Signal(11), None), (Exit::Signal(9), Some(Breach::Cpu))] {
            let fault = parse_grade("g", &ended(exit, breach), &LIMITS, b"AC 1\n").unwrap_err();
            assert_eq!(fault.kind, FaultKind::Checker);
        }
    }
}
