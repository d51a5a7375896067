//! What is kept of a judgement: enough for marks and for the pages, and nothing that differs from run to run but times.

use serde::{Deserialize, Serialize};

use crate::judge::Plan;
use crate::model::{
    ByteSize, CaseId, Difference, Event, EventKind, Exit, Fault, GroupResult, Outcome, Score, TimeSpan, Verdict,
};
use crate::runner::Witness;

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

/// Listens to a run and makes the record of it.
#[derive(Debug, Default)]
pub struct Listener {
    language: String,
    refusal: Option<String>,
    groups: Vec<GroupResult>,
    cases: Vec<CaseMark>,
    ended: Option<(Outcome, Score)>,
}

impl Listener {
    /// Hears an event of the run.
    pub fn hear(&mut self, event: &Event) {
        match &event.kind {
            EventKind::BuildStarted { language } => self.language.clone_from(language),
            EventKind::BuildFinished { error, .. } => self.refusal.clone_from(error),
            EventKind::CaseFinished(result) => self.cases.push(CaseMark {
                case: result.case.clone(),
                group: self.groups.len(),
                verdict: Some(result.verdict),
                cpu: result.usage.cpu,
                memory: result.usage.memory,
            }),
            EventKind::CaseSkipped { case, .. } => self.cases.push(CaseMark {
                case: case.clone(),
                group: self.groups.len(),
                verdict: None,
                cpu: TimeSpan::ZERO,
                memory: ByteSize::new(0),
            }),
            EventKind::GroupFinished(group) => self.groups.push(group.clone()),
            EventKind::RunFinished(summary) => self.ended = Some((summary.outcome.clone(), summary.max_score)),
            EventKind::RunStarted { .. } | EventKind::CaseStarted { .. } | EventKind::CaseFaulted { .. } => {}
        }
    }

    /// The record, or the first fault of ours.
    ///
    /// # Errors
    /// We failed at a case, or the run never ended.
    pub fn record(self, failures: &[Witness]) -> Result<Record, Fault> {
        let (verdict, score, max_score) = match self.ended {
            Some((Outcome::Final { verdict, score }, max_score)) => (verdict, score, max_score),
            Some((Outcome::Inconclusive { faults }, _)) => return Err(Fault::first_of(&faults)),
            None => return Err(Fault::first_of(&[])),
        };
        let Listener { language, refusal, groups, cases, .. } = self;
        // What was run by looking ahead, and left out in the end, is no evidence.
        let counts =
            |witness: &&Witness| cases.iter().any(|case| case.case == witness.result.case && case.verdict.is_some());
        let failing = failures.iter().filter(counts).map(failing).collect::<Result<_, _>>()?;
        Ok(Record { verdict, score, max_score, language, refusal, groups, cases, failing })
    }
}

fn failing(witness: &Witness) -> Result<Failing, Fault> {
    let result = &witness.result;
    let head = |path: &std::path::Path| -> Result<Excerpt, Fault> {
        use std::io::Read;
        let mut bytes = Vec::new();
        let read = fs_err::File::open(path).and_then(|file| file.take(KEPT as u64 + 1).read_to_end(&mut bytes));
        read.map_err(|error| Fault::new(crate::model::FaultKind::Data, error.to_string()))?;
        Ok(Excerpt::of(&bytes))
    };
    Ok(Failing {
        case: result.case.clone(),
        group: result.group.clone(),
        verdict: result.verdict,
        exit: result.exit,
        input: head(&witness.files.input)?,
        expected: head(&witness.files.answer)?,
        actual: Excerpt::of(&witness.output),
        difference: result.difference.clone(),
        stderr: Excerpt::of(result.stderr.text.as_bytes()).text,
        message: result.message.clone(),
    })
}
