//! Views of a class: plain values that the API sends as JSON and that pages render.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A class and its judging progress.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ClassOverview {
    /// Id of the class.
    pub id: String,
    /// Name of the class.
    pub name: String,
    /// State of the class: `draft`, `preparing`, `running`, `paused`, `finished` or `failed`.
    pub state: String,
    /// The error that stopped the class, if any.
    pub error: Option<String>,
    /// Time of the upload, in seconds since the Unix epoch.
    pub created: i64,
    /// The problems, in the order of the gradebook.
    pub problems: Vec<ClassProblemView>,
    /// Judging progress of the class.
    #[serde(flatten)]
    pub progress: ProgressView,
}

/// A problem for which the programs of a class are judged.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ClassProblemView {
    /// Id of the problem.
    pub id: String,
    /// Display name of the problem.
    pub name: String,
    /// Maximum score; `None` until the problem is prepared.
    pub max_score: Option<f64>,
}

/// Judging progress of a class.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct ProgressView {
    /// Number of students.
    pub students: usize,
    /// Number of programs that count toward the marks; until the problems are prepared, the number of all programs.
    pub programs: usize,
    /// Number of programs that have a result.
    pub judged: usize,
    /// Number of programs that are waiting to be judged.
    pub queued: usize,
    /// Number of programs that are being judged.
    pub running: usize,
    /// Number of programs on which the judge failed.
    pub faults: usize,
    /// Number of judged programs with each verdict, by the abbreviation of the verdict.
    pub verdicts: BTreeMap<String, usize>,
    /// Number of programs judged per minute; `None` if judging has just started, or if nothing was judged in the last
    /// minute.
    pub rate: Option<f64>,
    /// Estimated time until all programs are judged, in seconds; `None` if unknown.
    pub seconds_left: Option<u64>,
    /// The programs that are being judged.
    pub current: Vec<CurrentView>,
}

/// A program that is being judged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CurrentView {
    /// Name of the student.
    pub student: String,
    /// Id of the problem.
    pub problem: String,
}

/// The roster: the student and the problem of each program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RosterView {
    /// Name of the recognized layout of the upload.
    pub layout: String,
    /// The programs, by student and problem.
    pub claims: Vec<ClaimView>,
    /// All students, including those without a program.
    pub students: Vec<String>,
    /// Files that belong to no program.
    pub left: Vec<LeftView>,
}

/// A program, with its student and problem.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ClaimView {
    /// Path of the program's file or folder.
    pub path: String,
    /// Name of the student.
    pub student: String,
    /// Id of the problem.
    pub problem: String,
    /// Paths of the files of the program.
    pub files: Vec<String>,
    /// Number of the attempt; 0 if the names of the file and its folders contain no attempt number.
    pub attempt: u64,
    /// Whether the program may count toward a mark and is therefore judged.
    pub counts: bool,
    /// Explanations of the guesses about the program, as sentences.
    pub guesses: Vec<String>,
    /// Whether the student or the problem was corrected manually.
    pub corrected: bool,
}

/// A file that belongs to no program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LeftView {
    /// Path of the file.
    pub path: String,
    /// Reason why the file belongs to no program.
    pub reason: String,
    /// Whether the file was excluded manually.
    pub corrected: bool,
}

/// A teacher's correction of the roster for one program or file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "RosterCorrection")]
pub struct RosterCorrectionJson {
    /// Path of a program, or of a file that belongs to no program.
    pub path: String,
    /// Name of the student to whom the program is assigned; `None` to leave the student unchanged.
    #[serde(default)]
    pub student: Option<String>,
    /// Id of the problem to which the program is assigned; `None` to leave the problem unchanged.
    #[serde(default)]
    pub problem: Option<String>,
    /// Whether to exclude the files from grading, so that they belong to no program.
    #[serde(default)]
    pub leave_out: bool,
    /// Whether to remove the earlier corrections of this path. If true, the other fields are ignored.
    #[serde(default)]
    pub reset: bool,
}

/// The marks of all students of a class.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct GradebookView {
    /// Revision number, which changes whenever a mark may have changed.
    pub revision: u64,
    /// Number of the last event that the view includes; `None` if there is no event. `/events?after=NUMBER` returns the
    /// later events.
    pub last_event: Option<u64>,
    /// The problems, in the order of the marks.
    pub problems: Vec<GradebookColumnView>,
    /// Names of the criteria that are marked manually.
    pub rubric: Vec<String>,
    /// Maximum total of a student.
    pub max_total: f64,
    /// The students, sorted by name.
    pub students: Vec<StudentView>,
}

/// A problem of the gradebook.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct GradebookColumnView {
    /// Id of the problem.
    pub id: String,
    /// Display name of the problem.
    pub name: String,
    /// Maximum score that the judge awards.
    pub max_score: f64,
    /// Maximum mark for the problem.
    pub max_mark: f64,
}

/// The marks of a student.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct StudentView {
    /// Name of the student.
    pub student: String,
    /// Number of the student in the system that the upload comes from, if known.
    pub number: Option<String>,
    /// The marks, in the order of the problems.
    pub marks: Vec<MarkView>,
    /// The marks for the criteria, in the order of the rubric; `None` for a criterion that is not marked yet.
    pub rubric: Vec<Option<f64>>,
    /// The student's total; `None` while a mark is open.
    pub total: Option<f64>,
    /// Comment by a teacher, if there is one.
    pub comment: Option<String>,
}

/// The mark of a student on a problem.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct MarkView {
    /// Id of the problem.
    pub problem: String,
    /// State of the mark: `missing`, `queued`, `running`, `judged` or `open` (the judge failed).
    pub state: String,
    /// Abbreviation of the verdict; `None` if no program was judged.
    pub verdict: Option<String>,
    /// The mark; `None` while it is not known.
    pub mark: Option<f64>,
    /// Maximum mark for the problem.
    pub max_mark: f64,
    /// The computation of the mark, as text.
    pub formula: String,
    /// Number of attempts of the student on the problem.
    pub attempts: usize,
    /// Lateness, in seconds; `None` if on time.
    pub late_seconds: Option<u64>,
    /// Path of the program that counts toward the mark; `None` if nothing was submitted.
    pub path: Option<String>,
    /// Comment by a teacher, if there is one.
    pub comment: Option<String>,
    /// Whether the mark was overridden.
    pub overridden: bool,
    /// Reasons why the program needs a manual review, as short headings.
    pub flags: Vec<String>,
}

/// An override of a mark.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewOverride {
    /// Name of the student.
    pub student: String,
    /// Id of the problem, or the name of a criterion of the rubric.
    pub problem: String,
    /// The mark: a number, or a string such as `"12.5"`. `null` retains the computed mark.
    #[serde(default)]
    pub mark: serde_json::Value,
    /// Reason that is recorded in the log.
    pub reason: String,
    /// Comment for the student; `None` for no comment.
    #[serde(default)]
    pub comment: Option<String>,
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
    /// CPU time limit in force, in milliseconds.
    pub cpu_ms: f64,
    /// Memory limit in force, in bytes.
    pub memory_bytes: u64,
    /// The problem's own CPU time limit, in milliseconds.
    pub own_cpu_ms: f64,
    /// The problem's own memory limit, in bytes.
    pub own_memory_bytes: u64,
    /// Whether the limits in force are not the problem's own.
    pub changed: bool,
}

/// Preview of the marks under other rules.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PreviewView {
    /// State of the preview: `judging` or `ready`. The changes are incomplete while the state is `judging`.
    pub state: String,
    /// Number of programs that must be judged for the preview.
    pub to_judge: usize,
    /// Number of programs that have been judged for the preview.
    pub judged: usize,
    /// The marks that would change.
    pub changes: Vec<MarkChangeView>,
    /// The totals that would change.
    pub totals: Vec<TotalChangeView>,
}

/// A mark that would change.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct MarkChangeView {
    /// Name of the student.
    pub student: String,
    /// Id of the problem.
    pub problem: String,
    /// The current mark; `None` while it is not known.
    pub before: Option<f64>,
    /// The mark under the other rules. It is always known, since marks that are open under these rules are not listed.
    pub after: Option<f64>,
    /// Abbreviation of the current verdict; `None` if no program was judged.
    pub verdict_before: Option<String>,
    /// Abbreviation of the verdict under the other rules; `None` if no program was judged.
    pub verdict_after: Option<String>,
}

/// A total that would change.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct TotalChangeView {
    /// Name of the student.
    pub student: String,
    /// The current total; `None` while a mark is open.
    pub before: Option<f64>,
    /// The total under the other rules. It is always known, since totals that are open under these rules are not
    /// listed.
    pub after: Option<f64>,
}

/// The similar programs of a problem.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ProblemPairsView {
    /// Id of the problem.
    pub problem: String,
    /// Display name of the problem.
    pub name: String,
    /// Number of programs that were compared.
    pub programs: usize,
    /// Number of programs that are too short to compare.
    pub too_short: usize,
    /// The share of tokens, in thousandths, that two programs for the problem typically have in common: the median over
    /// sampled pairs of programs of the class, and a few artificial pairs with the share that is expected of
    /// independent programs.
    pub usual: u32,
    /// Number of pairs whose similarity reaches the threshold, but which are not listed.
    pub more: usize,
    /// Lists of students whose programs are identical except for names, literals, comments and layout.
    pub identical: Vec<Vec<String>>,
    /// The pairs, the most similar first.
    pub pairs: Vec<PairsRow>,
}

/// A pair of similar programs in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PairsRow {
    /// Id of the pair, derived from the problem and the students.
    pub id: String,
    /// Similarity, in thousandths: 0 if the shared part is at most as large as is typical for the problem, 1,000 if
    /// both programs have the same tokens.
    pub likeness: u32,
    /// The share of the tokens of both programs that match, in thousandths.
    pub shared: u32,
    /// Number of tokens in the longest common part.
    pub longest: usize,
    /// Whether the programs are in different languages.
    pub across_languages: bool,
    /// Names of the students who submitted the first program.
    pub left: Vec<String>,
    /// Names of the students who submitted the second program.
    pub right: Vec<String>,
}

/// Two similar programs with their common parts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PairView {
    /// Id of the pair.
    pub id: String,
    /// Id of the problem.
    pub problem: String,
    /// Similarity, in thousandths: 0 if the shared part is at most as large as is typical for the problem, 1,000 if
    /// both programs have the same tokens.
    pub likeness: u32,
    /// The share of the tokens of both programs that match, in thousandths.
    pub shared: u32,
    /// Whether the programs are in different languages.
    pub across_languages: bool,
    /// The first program of the pair.
    pub left: PairSideView,
    /// The second program of the pair.
    pub right: PairSideView,
}

/// One program of a pair.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PairSideView {
    /// Students who submitted the program.
    pub students: Vec<String>,
    /// Files of the program.
    pub files: Vec<SourceFileView>,
}

/// A source file of a program, with the parts that it has in common with another program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SourceFileView {
    /// Name of the file.
    pub name: String,
    /// Text of the file.
    pub text: String,
    /// The positions of the common parts, in the order of the text; empty if the program is shown on its own.
    pub regions: Vec<RegionView>,
}

/// The position of a common part in the text of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RegionView {
    /// Number of the part, from 1. A common part has the same number in both programs.
    pub part: usize,
    /// Byte offset of the start in the text.
    pub start: usize,
    /// Byte offset of the end in the text.
    pub end: usize,
}

/// Students whose programs fail on the same smallest input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AnswerGroupView {
    /// Id of the problem.
    pub problem: String,
    /// The input, or its beginning.
    pub input: String,
    /// Whether the input is truncated.
    pub input_cut: bool,
    /// Id of the case with this input.
    pub case: String,
    /// The expected output, or its beginning.
    pub expected: String,
    /// The students, with the results of their programs.
    pub students: Vec<AnswerView>,
}

/// Result of a program on an input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AnswerView {
    /// Name of the student.
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
    /// The cases, in the order of the problem.
    pub cases: Vec<TestColumnView>,
    /// The verdicts of each student who has a judged program.
    pub students: Vec<TestRowView>,
}

/// A case of a problem.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TestColumnView {
    /// Id of the case.
    pub case: String,
    /// Name of the group to which the case belongs.
    pub group: String,
    /// Number of programs that pass the case.
    pub accepted: usize,
    /// Number of programs that fail the case.
    pub failed: usize,
}

/// The verdicts of a student on the cases of a problem.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TestRowView {
    /// Name of the student.
    pub student: String,
    /// Abbreviations of the verdicts, in the order of the cases; `None` if a case was not run.
    pub verdicts: Vec<Option<String>>,
}

/// A program of a student with its result.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SubmissionView {
    /// Name of the student.
    pub student: String,
    /// Id of the problem.
    pub problem: String,
    /// Path of the program's file or folder; `None` if nothing was submitted.
    pub path: Option<String>,
    /// Submission time, in seconds since the Unix epoch, if known.
    pub at: Option<i64>,
    /// Id of the language; empty if the program was not judged.
    pub language: String,
    /// Abbreviation of the verdict; `None` if the program was not judged.
    pub verdict: Option<String>,
    /// Points of the program; `None` if the program was not judged.
    pub score: Option<f64>,
    /// Maximum points; `None` if the program was not judged.
    pub max_score: Option<f64>,
    /// The compiler's output if compilation failed, or the reason why the files are not a program; `None` otherwise.
    pub refusal: Option<String>,
    /// The mark of the student on this problem.
    pub mark: MarkView,
    /// The source files.
    pub files: Vec<SourceFileView>,
    /// Results of the groups.
    pub groups: Vec<GroupView>,
    /// Results of the cases.
    pub cases: Vec<CaseView>,
    /// The first failed case of each group.
    pub failing: Vec<FailingView>,
    /// All attempts of the student on this problem, in order of their numbers.
    pub attempts: Vec<AttemptView>,
}

/// Result of a group.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct GroupView {
    /// Name of the group.
    pub group: String,
    /// Abbreviation of the verdict; `None` if the group was not run.
    pub verdict: Option<String>,
    /// Points of the group.
    pub score: f64,
    /// Maximum points of the group.
    pub max_score: f64,
}

/// Result of a case.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct CaseView {
    /// Id of the case.
    pub case: String,
    /// Name of the group to which the case belongs.
    pub group: String,
    /// Abbreviation of the verdict; `None` if the case was not run.
    pub verdict: Option<String>,
    /// CPU time of the program on the case, in milliseconds.
    pub cpu_ms: f64,
    /// Peak memory use of the program on the case, in bytes.
    pub memory_bytes: u64,
}

/// A failed case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FailingView {
    /// Id of the case.
    pub case: String,
    /// Name of the group to which the case belongs.
    pub group: String,
    /// Abbreviation of the verdict.
    pub verdict: String,
    /// Message of the checker, if any.
    pub message: Option<String>,
    /// The first difference from the expected output, as a sentence; `None` if the outputs were not compared.
    pub difference: Option<String>,
    /// The input, or its beginning.
    pub input: String,
    /// The expected output, or its beginning.
    pub expected: String,
    /// The program's output, or its beginning.
    pub actual: String,
    /// Beginning of the program's error output.
    pub stderr: String,
}

/// An attempt of a student.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct AttemptView {
    /// Path of the program's file or folder.
    pub path: String,
    /// Submission time, in seconds since the Unix epoch, if known.
    pub at: Option<i64>,
    /// Whether the attempt counts toward the mark.
    pub counts: bool,
    /// Abbreviation of the verdict; `None` if the attempt was not judged.
    pub verdict: Option<String>,
    /// Points of the attempt; `None` if the attempt was not judged.
    pub score: Option<f64>,
}

/// A file that can be downloaded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DownloadView {
    /// Name of the file, which is also the last segment of its URL.
    pub name: String,
    /// Description of the file.
    pub title: String,
    /// Media type of the file.
    pub content_type: String,
}
