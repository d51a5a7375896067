//! What is kept of a judgement: enough for marks and for the pages, and nothing that differs from run to run but times.

use serde::{Deserialize, Serialize};

use crate::judge::Plan;
use crate::model::{
    ByteSize, CaseId, Difference, EventKind, Exit, FailedCase, Fault, GroupResult, Outcome, Score, TimeSpan, Verdict,
};
use crate::service::RunReport;

/// How much of an input, an answer or an output is kept to be shown, in bytes.
const KEPT: usize = 4 << 10;

/// The judgement on a program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The verdict.
    pub verdict: Verdict,
    /// The points.
    pub score: Score,
    /// The most points there are.
    pub max_score: Score,
    /// The language's id; empty if it is no program.
    pub language: String,
    /// Why it can't be run: the compiler's words, or what is wrong with the files.
    pub refusal: Option<String>,
    /// The groups, in order.
    pub groups: Vec<GroupResult>,
    /// The cases, in order.
    pub cases: Vec<CaseMark>,
    /// Of each group the first case that was not accepted, in order.
    pub failing: Vec<Failing>,
}

/// A case in short.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseMark {
    /// Its name.
    #[serde(rename = "c")]
    pub case: CaseId,
    /// Its group, as its place in [`Record::groups`].
    #[serde(rename = "g")]
    pub group: usize,
    /// Its verdict; none if it was left out.
    #[serde(rename = "v")]
    pub verdict: Option<Verdict>,
    /// CPU time.
    #[serde(rename = "t")]
    pub cpu: TimeSpan,
    /// Peak memory.
    #[serde(rename = "m")]
    pub memory: ByteSize,
}

/// A case that was not accepted, with what a person needs to see why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failing {
    /// Its name.
    pub case: CaseId,
    /// Its group.
    pub group: String,
    /// Its verdict.
    pub verdict: Verdict,
    /// How the program ended.
    pub exit: Exit,
    /// The input, cut.
    pub input: Excerpt,
    /// The answer, cut.
    pub expected: Excerpt,
    /// What the program wrote, cut.
    pub actual: Excerpt,
    /// Where the two differ first.
    pub difference: Option<Difference>,
    /// The head of its standard error.
    pub stderr: String,
    /// What a checker told.
    pub message: Option<String>,
}

/// The head of a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Excerpt {
    /// The head.
    pub text: String,
    /// Whether there was more.
    pub cut: bool,
}

impl Excerpt {
    /// The head of these bytes; what is not UTF-8 is replaced.
    pub fn of(bytes: &[u8]) -> Excerpt {
        let cut = bytes.len() > KEPT;
        Excerpt { text: String::from_utf8_lossy(&bytes[..bytes.len().min(KEPT)]).into_owned(), cut }
    }
}

impl Record {
    /// The record of files that are no program: refused as by a compiler, with the reason.
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

    /// How many cases were accepted.
    pub fn accepted(&self) -> usize {
        self.cases.iter().filter(|case| case.verdict.is_some_and(Verdict::accepted)).count()
    }

    /// The longest CPU time of a case.
    pub fn slowest(&self) -> TimeSpan {
        self.cases.iter().map(|case| case.cpu).max().unwrap_or(TimeSpan::ZERO)
    }

    /// The largest peak of memory of a case.
    pub fn memory(&self) -> ByteSize {
        self.cases.iter().map(|case| case.memory).max().unwrap_or(ByteSize::new(0))
    }
}

impl Record {
    /// The record of a run.
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
