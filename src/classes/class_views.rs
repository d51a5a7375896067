//! What is shown of a class: plain values, which the API sends as JSON and pages render.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model::Score;

/// Points as a number.
pub(super) fn points(score: Score) -> f64 {
    score.as_thousandths() as f64 / 1_000.0
}

/// A class and how far it is judged.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ClassOverview {
    /// Id of the class.
    pub id: String,
    /// Name that the teacher gave it.
    pub name: String,
    /// `draft`, `preparing`, `running`, `paused`, `finished` or `failed`.
    pub state: String,
    /// Why the class can't be judged, in the state `failed`.
    pub error: Option<String>,
    /// When it was uploaded, in seconds since 1970.
    pub created: i64,
    /// The problems, in the order of the gradebook.
    pub problems: Vec<ClassProblemView>,
    /// How far it is judged.
    #[serde(flatten)]
    pub progress: ProgressView,
}

/// A problem of a class.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ClassProblemView {
    /// Id of the problem.
    pub id: String,
    /// Display name.
    pub name: String,
    /// Maximum score; `None` until the problem is prepared.
    pub max_score: Option<f64>,
}

/// How far a class is judged.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct ProgressView {
    /// Number of students.
    pub students: usize,
    /// Number of programs that count.
    pub programs: usize,
    /// Number of those that have a result.
    pub judged: usize,
    /// Number of programs that wait to be judged.
    pub queued: usize,
    /// Number of programs that are being judged.
    pub running: usize,
    /// Number of programs on which the judge failed.
    pub faults: usize,
    /// Number of results with each verdict, by its abbreviation.
    pub verdicts: BTreeMap<String, usize>,
    /// Programs judged per minute; `None` if nothing was judged in the last minute.
    pub rate: Option<f64>,
    /// Estimated time until all are judged, in seconds.
    pub seconds_left: Option<u64>,
    /// What is being judged.
    pub current: Vec<CurrentView>,
}

/// A program that is being judged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CurrentView {
    /// The student.
    pub student: String,
    /// Id of the problem.
    pub problem: String,
}

/// Whose the files are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RosterView {
    /// Name of the recognised layout.
    pub layout: String,
    /// The programs, by student and problem.
    pub claims: Vec<ClaimView>,
    /// All students, also those without a program.
    pub students: Vec<String>,
    /// Files that belong to no program.
    pub left: Vec<LeftView>,
}

/// A program and whose it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ClaimView {
    /// The file or folder.
    pub path: String,
    /// The student.
    pub student: String,
    /// Id of the problem.
    pub problem: String,
    /// Its files.
    pub files: Vec<String>,
    /// Number of the attempt; 0 if the names contain none.
    pub attempt: u64,
    /// Whether it may count, so that it is judged.
    pub counts: bool,
    /// What was guessed about it, as sentences.
    pub guesses: Vec<String>,
    /// Whether it was corrected by hand.
    pub corrected: bool,
}

/// A file that belongs to no program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LeftView {
    /// The file.
    pub path: String,
    /// Why it belongs to none.
    pub reason: String,
    /// Whether it was left out by hand.
    pub corrected: bool,
}

/// A correction of the roster.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "RosterCorrection")]
pub struct RosterCorrectionJson {
    /// The path of a program, or of a file that belongs to none.
    pub path: String,
    /// Whose it is.
    #[serde(default)]
    pub student: Option<String>,
    /// Id of the problem that it is for.
    #[serde(default)]
    pub problem: Option<String>,
    /// Whether it is left out.
    #[serde(default)]
    pub leave_out: bool,
    /// Whether earlier corrections of this path are taken back.
    #[serde(default)]
    pub reset: bool,
}

/// The gradebook as a page shows it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct GradebookView {
    /// Changes whenever a mark may have changed.
    pub revision: u64,
    /// Number of the last event that it contains. Events after it are those of `/events?after=NUMBER`.
    pub last_event: Option<u64>,
    /// The problems, in the order of the marks.
    pub problems: Vec<GradebookColumnView>,
    /// The criteria that are marked by hand.
    pub rubric: Vec<String>,
    /// Maximum total.
    pub max_total: f64,
    /// The students, sorted by name.
    pub students: Vec<StudentView>,
}

/// A problem of the gradebook.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct GradebookColumnView {
    /// Id of the problem.
    pub id: String,
    /// Display name.
    pub name: String,
    /// Maximum score that the judge gives.
    pub max_score: f64,
    /// Maximum mark.
    pub max_mark: f64,
}

/// The marks of a student.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct StudentView {
    /// The student.
    pub student: String,
    /// Number of the student in the system that the upload is from.
    pub number: Option<String>,
    /// The marks, in the order of the problems.
    pub marks: Vec<MarkView>,
    /// The marks of the rubric; `None` if not marked yet.
    pub rubric: Vec<Option<f64>>,
    /// The total; `None` while a mark is open.
    pub total: Option<f64>,
    /// Comment of a teacher.
    pub comment: Option<String>,
}

/// A mark.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct MarkView {
    /// Id of the problem.
    pub problem: String,
    /// `missing`, `queued`, `running`, `judged` or `open` (the judge failed).
    pub state: String,
    /// Abbreviation of the verdict.
    pub verdict: Option<String>,
    /// The mark; `None` while it is not known.
    pub mark: Option<f64>,
    /// Maximum mark.
    pub max_mark: f64,
    /// How the mark was computed.
    pub formula: String,
    /// Number of attempts.
    pub attempts: usize,
    /// Seconds after the due date; `None` if in time.
    pub late_seconds: Option<u64>,
    /// The file or folder of the program that counts.
    pub path: Option<String>,
    /// Comment of a teacher.
    pub comment: Option<String>,
    /// Whether the mark was given by hand.
    pub overridden: bool,
    /// Why it needs review, as headings.
    pub flags: Vec<String>,
}

/// A mark given by hand.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewOverride {
    /// The student.
    pub student: String,
    /// Id of the problem, or the name of a criterion of the rubric.
    pub problem: String,
    /// The mark: a number, or a text such as `12.5`. `null` keeps the computed mark, for a comment alone.
    #[serde(default)]
    pub mark: serde_json::Value,
    /// Why, for the log.
    pub reason: String,
    /// Comment for the student.
    #[serde(default)]
    pub comment: Option<String>,
}

/// An action or a change of a mark.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LogEntryView {
    /// Number of the entry; unique among those of the same kind.
    pub id: i64,
    /// Seconds since 1970.
    pub at: i64,
    /// Who did it; empty for the grader.
    pub who: String,
    /// `created`, `started`, `paused`, `resumed`, `override`, `undo`, `rejudge`, `rules`, `roster` or `mark`.
    pub what: String,
    /// The student.
    pub student: Option<String>,
    /// The problem, a criterion of the rubric, or `total`.
    pub problem: Option<String>,
    /// Value before.
    pub before: Option<String>,
    /// Value after.
    pub after: Option<String>,
    /// The reason that was given.
    pub reason: String,
    /// Whether it was undone.
    pub undone: bool,
}

/// The rules of a class.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct RulesView {
    /// The grading policy, in YAML; empty for the default.
    pub policy: String,
    /// Extended due dates, in CSV; empty for none.
    pub extensions: String,
    /// Limits of each problem; empty until the problems are prepared.
    pub limits: Vec<LimitsView>,
}

/// The limits of a problem.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct LimitsView {
    /// Id of the problem.
    pub problem: String,
    /// CPU time in force, in milliseconds.
    pub cpu_ms: f64,
    /// Memory in force, in bytes.
    pub memory_bytes: u64,
    /// The problem's own CPU time limit, in milliseconds.
    pub own_cpu_ms: f64,
    /// The problem's own memory limit, in bytes.
    pub own_memory_bytes: u64,
    /// Whether the limits in force are not the problem's own.
    pub changed: bool,
}

/// What other rules would change.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PreviewView {
    /// `judging` or `ready`. The changes are those that are known so far.
    pub state: String,
    /// Number of programs that are judged again for the preview.
    pub to_judge: usize,
    /// Number of those that were judged.
    pub judged: usize,
    /// The marks that would change.
    pub changes: Vec<MarkChangeView>,
    /// The totals that would change.
    pub totals: Vec<TotalChangeView>,
}

/// A mark that would change.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct MarkChangeView {
    /// The student.
    pub student: String,
    /// Id of the problem.
    pub problem: String,
    /// The mark now.
    pub before: Option<f64>,
    /// The mark with the other rules.
    pub after: Option<f64>,
    /// Abbreviation of the verdict now.
    pub verdict_before: Option<String>,
    /// Abbreviation of the verdict with the other rules.
    pub verdict_after: Option<String>,
}

/// A total that would change.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct TotalChangeView {
    /// The student.
    pub student: String,
    /// The total now.
    pub before: Option<f64>,
    /// The total with the other rules.
    pub after: Option<f64>,
}

/// The similar programs of a problem.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ProblemPairsView {
    /// Id of the problem.
    pub problem: String,
    /// Display name.
    pub name: String,
    /// Number of programs that were compared.
    pub programs: usize,
    /// Number of programs that are too short to compare.
    pub too_short: usize,
    /// The share that two programs usually have in common, in thousandths.
    pub usual: u32,
    /// Number of further pairs above the threshold.
    pub more: usize,
    /// Lists of students whose programs are identical except for names, literals, comments and layout.
    pub identical: Vec<Vec<String>>,
    /// The pairs, the most similar first.
    pub pairs: Vec<PairsRow>,
}

/// A pair of similar programs in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PairsRow {
    /// Id of the pair, which stays the same while the programs do.
    pub id: String,
    /// How much more the programs share than is usual, in thousandths.
    pub likeness: u32,
    /// What both have in common, in thousandths.
    pub shared: u32,
    /// Number of steps of the longest common part.
    pub longest: usize,
    /// Whether the programs are in different languages.
    pub across_languages: bool,
    /// The students of one program.
    pub left: Vec<String>,
    /// The students of the other program.
    pub right: Vec<String>,
}

/// Two similar programs with their common parts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PairView {
    /// Id of the pair.
    pub id: String,
    /// Id of the problem.
    pub problem: String,
    /// How much more the programs share than is usual, in thousandths.
    pub likeness: u32,
    /// What both have in common, in thousandths.
    pub shared: u32,
    /// Whether the programs are in different languages.
    pub across_languages: bool,
    /// One program.
    pub left: PairSideView,
    /// The other program.
    pub right: PairSideView,
}

/// One program of a pair.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PairSideView {
    /// Its students.
    pub students: Vec<String>,
    /// Its files.
    pub files: Vec<SourceFileView>,
}

/// A file of a program, with the parts that another program shares.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SourceFileView {
    /// Name of the file.
    pub name: String,
    /// Its text.
    pub text: String,
    /// The common parts, in the order of the text.
    pub regions: Vec<RegionView>,
}

/// A common part in a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RegionView {
    /// Number of the part, from 1; the same on both sides.
    pub part: usize,
    /// First byte in the text.
    pub start: usize,
    /// Byte after the last one.
    pub end: usize,
}

/// Students whose programs fail the same smallest input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AnswerGroupView {
    /// Id of the problem.
    pub problem: String,
    /// The input, or its beginning.
    pub input: String,
    /// Whether the input is cut.
    pub input_cut: bool,
    /// Id of its case.
    pub case: String,
    /// The expected output, or its beginning.
    pub expected: String,
    /// The students and what their programs did.
    pub students: Vec<AnswerView>,
}

/// What a program did on an input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AnswerView {
    /// The student.
    pub student: String,
    /// Abbreviation of the verdict.
    pub verdict: String,
    /// The output, or its beginning.
    pub actual: String,
}

/// The verdicts of all students on the cases of a problem.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TestsView {
    /// Id of the problem.
    pub problem: String,
    /// The cases, in order.
    pub cases: Vec<TestColumnView>,
    /// The students with a judged program.
    pub students: Vec<TestRowView>,
}

/// A case of a problem.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TestColumnView {
    /// Id of the case.
    pub case: String,
    /// Its group.
    pub group: String,
    /// Number of programs that pass it.
    pub accepted: usize,
    /// Number of programs that fail it.
    pub failed: usize,
}

/// The verdicts of a student.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TestRowView {
    /// The student.
    pub student: String,
    /// Abbreviations of the verdicts, in the order of the cases; `None` if a case was not run.
    pub verdicts: Vec<Option<String>>,
}

/// A program of a student with its result.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SubmissionView {
    /// The student.
    pub student: String,
    /// Id of the problem.
    pub problem: String,
    /// The file or folder; `None` if nothing was submitted.
    pub path: Option<String>,
    /// When it was submitted, in seconds since 1970.
    pub at: Option<i64>,
    /// Id of the language; empty if it was not judged.
    pub language: String,
    /// Abbreviation of the verdict.
    pub verdict: Option<String>,
    /// Points of the run.
    pub score: Option<f64>,
    /// Maximum points.
    pub max_score: Option<f64>,
    /// The compiler's output, or why the files are not a program.
    pub refusal: Option<String>,
    /// The mark of the student on this problem.
    pub mark: MarkView,
    /// The sources.
    pub files: Vec<SourceFileView>,
    /// Results of groups.
    pub groups: Vec<GroupView>,
    /// Results of cases.
    pub cases: Vec<CaseView>,
    /// The first failed case of each group.
    pub failing: Vec<FailingView>,
    /// All attempts of the student on this problem, the oldest first.
    pub attempts: Vec<AttemptView>,
}

/// Result of a group.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct GroupView {
    /// Name of the group.
    pub group: String,
    /// Abbreviation of the verdict; `None` if it was not run.
    pub verdict: Option<String>,
    /// Points.
    pub score: f64,
    /// Maximum points.
    pub max_score: f64,
}

/// Result of a case.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct CaseView {
    /// Id of the case.
    pub case: String,
    /// Name of its group.
    pub group: String,
    /// Abbreviation of the verdict; `None` if it was not run.
    pub verdict: Option<String>,
    /// CPU time, in milliseconds.
    pub cpu_ms: f64,
    /// Peak memory, in bytes.
    pub memory_bytes: u64,
}

/// A failed case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FailingView {
    /// Id of the case.
    pub case: String,
    /// Name of its group.
    pub group: String,
    /// Abbreviation of the verdict.
    pub verdict: String,
    /// Message of the checker.
    pub message: Option<String>,
    /// The first difference, as a sentence.
    pub difference: Option<String>,
    /// The input, or its beginning.
    pub input: String,
    /// The expected output, or its beginning.
    pub expected: String,
    /// The program's output, or its beginning.
    pub actual: String,
    /// Beginning of the error output.
    pub stderr: String,
}

/// An attempt of a student.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct AttemptView {
    /// The file or folder.
    pub path: String,
    /// When it was submitted, in seconds since 1970.
    pub at: Option<i64>,
    /// Whether it is the one that counts.
    pub counts: bool,
    /// Abbreviation of the verdict; `None` if it was not judged.
    pub verdict: Option<String>,
    /// Points.
    pub score: Option<f64>,
}

/// A file that can be downloaded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DownloadView {
    /// Name in the address, and of the file.
    pub name: String,
    /// What it is.
    pub title: String,
    /// Its media type.
    pub content_type: String,
}
