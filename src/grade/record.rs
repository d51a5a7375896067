//! The stored result of judging a program, from which marks and reports are computed.

use serde::{Deserialize, Serialize};

use crate::judge::Plan;
use crate::model::{
    ByteSize, CaseId, Difference, EventKind, Exit, FailedCase, Fault, GroupResult, Outcome, Score, TimeSpan, Verdict,
};
use crate::service::RunReport;

/// Maximum number of bytes of an input, an answer, an output or standard error to store.
const KEPT: usize = 4 << 10;

/// Result of judging a program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Verdict of the run.
    pub verdict: Verdict,
    /// Points of the run.
    pub score: Score,
    /// Maximum points of the problem.
    pub max_score: Score,
    /// Id of the language; empty if the files are not a program.
    pub language: String,
    /// The reason why the program was not run: the compiler's output, or a description of what is wrong with the files;
    /// `None` if the program was run.
    pub refusal: Option<String>,
    /// Results of groups, in the order of judging.
    pub groups: Vec<GroupResult>,
    /// Results of cases, in the order of judging.
    pub cases: Vec<CaseMark>,
    /// The first failed case of each group, in the order of judging.
    pub failing: Vec<Failing>,
}

/// The parts of a case's result that are needed for marks and reports.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseMark {
    /// Id of the case.
    #[serde(rename = "c")]
    pub case: CaseId,
    /// Group of the case, as an index into [`Record::groups`].
    #[serde(rename = "g")]
    pub group: usize,
    /// Verdict; `None` if the case was not run.
    #[serde(rename = "v")]
    pub verdict: Option<Verdict>,
    /// CPU time used.
    #[serde(rename = "t")]
    pub cpu: TimeSpan,
    /// Peak memory used.
    #[serde(rename = "m")]
    pub memory: ByteSize,
}

/// A failed case with excerpts of its data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failing {
    /// Id of the case.
    pub case: CaseId,
    /// Name of the group.
    pub group: String,
    /// Verdict of the case.
    pub verdict: Verdict,
    /// Exit status of the program.
    pub exit: Exit,
    /// Excerpt of the input.
    pub input: Excerpt,
    /// Excerpt of the expected output.
    pub expected: Excerpt,
    /// Excerpt of the program's output.
    pub actual: Excerpt,
    /// First difference between the expected output and the program's output; `None` if no difference is known.
    pub difference: Option<Difference>,
    /// The text decoded from at most the first 4 KiB of the program's standard error.
    pub stderr: String,
    /// Message of the checker; `None` if there is none.
    pub message: Option<String>,
}

/// The beginning of a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Excerpt {
    /// The text, decoded from at most the first 4 KiB of the original bytes.
    pub text: String,
    /// Whether the text is truncated.
    pub cut: bool,
}

impl Excerpt {
    /// Creates an excerpt from the beginning of `bytes`. Invalid UTF-8 is replaced.
    pub fn of(bytes: &[u8]) -> Excerpt {
        let cut = bytes.len() > KEPT;
        Excerpt { text: String::from_utf8_lossy(&bytes[..bytes.len().min(KEPT)]).into_owned(), cut }
    }
}

impl Record {
    /// Returns the record of a submission whose files are not a program: a compile error with `reason` as the refusal.
    pub fn refused(reason: &str, plan: &Plan) -> Record {
        Record {
            verdict: Verdict::CompileError,
            score: Score::ZERO,
            max_score: plan.max_score(),
            language: String::new(),
            refusal: Some(reason.to_owned()),
            groups: Vec::new(),
            cases: Vec::new(),
            failing: Vec::new(),
        }
    }

    /// Returns the number of accepted cases.
    pub fn accepted(&self) -> usize {
        self.cases.iter().filter(|case| case.verdict.is_some_and(Verdict::accepted)).count()
    }

    /// Returns the longest CPU time of a case.
    pub fn slowest(&self) -> TimeSpan {
        self.cases.iter().map(|case| case.cpu).max().unwrap_or(TimeSpan::ZERO)
    }

    /// Returns the highest peak memory use of a case.
    pub fn memory(&self) -> ByteSize {
        self.cases.iter().map(|case| case.memory).max().unwrap_or(ByteSize::new(0))
    }
}

impl Record {
    /// Converts the report of a run to a record.
    ///
    /// # Errors
    /// Returns the first error of the judge if the outcome is inconclusive.
    pub fn of_report(report: RunReport) -> Result<Record, Fault> {
        let RunReport { summary, language, compile_error, failures, log, .. } = report;
        let (verdict, score) = match summary.outcome {
            Outcome::Final { verdict, score } => (verdict, score),
            Outcome::Inconclusive { faults } => return Err(Fault::first_of(&faults)),
        };
        let (mut groups, mut cases) = (Vec::new(), Vec::new());
        for entry in log {
            match entry.kind {
                EventKind::CaseFinished(result) => cases.push(CaseMark {
                    case: result.case,
                    group: groups.len(),
                    verdict: Some(result.verdict),
                    cpu: result.usage.cpu,
                    memory: result.usage.memory,
                }),
                EventKind::CaseSkipped { case, .. } => cases.push(CaseMark {
                    case,
                    group: groups.len(),
                    verdict: None,
                    cpu: TimeSpan::ZERO,
                    memory: ByteSize::new(0),
                }),
                EventKind::GroupFinished(group) => groups.push(group),
                _ => {}
            }
        }
        let failing = failures.into_iter().map(Failing::from).collect();
        let (max_score, refusal) = (summary.max_score, compile_error);
        Ok(Record { verdict, score, max_score, language, refusal, groups, cases, failing })
    }
}

impl From<FailedCase> for Failing {
    fn from(failed: FailedCase) -> Failing {
        let FailedCase { result, input, answer, output } = failed;
        Failing {
            case: result.case,
            group: result.group,
            verdict: result.verdict,
            exit: result.exit,
            input: Excerpt::of(&input),
            expected: Excerpt::of(&answer),
            actual: Excerpt::of(&output),
            difference: result.difference,
            stderr: Excerpt::of(result.stderr.text.as_bytes()).text,
            message: result.message,
        }
    }
}
