//! Submissions, files and students that need manual review.

use std::collections::BTreeMap;

use crate::model::{Limits, TimeSpan, Verdict};

use super::gradebook::{Gradebook, GradebookColumn};
use super::marks::Standing;
use super::record::Record;
use super::roster::{Claim, Roster};

/// A submission, file or student that needs manual review.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ReviewFlag {
    /// Reason for the review.
    pub kind: FlagKind,
    /// The student and the problem; for [`FlagKind::Guessed`], the path of the program; for [`FlagKind::Left`], the
    /// path of the file or folder, or the student.
    pub about: String,
    /// Description of the finding.
    pub what: String,
}

/// Reasons for a review, the most important first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FlagKind {
    /// The judge failed.
    Fault,
    /// The program made a forbidden system call.
    Forbidden,
    /// The program failed to compile, or the files are not a program.
    Refused,
    /// The program is empty. It is judged, and prints nothing.
    Empty,
    /// The CPU time is so close to the limit that another run might result in a different verdict.
    NearTime,
    /// The memory usage is close to the limit.
    NearMemory,
    /// Several programs were submitted, and it is unknown which of them counts.
    Several,
    /// The problem or the language of a submission was guessed.
    Guessed,
    /// The submission that counts is late.
    Late,
    /// A file or folder belongs to no submission, or a student with a manual mark, a comment or an extension is not in
    /// the download.
    Left,
}

impl FlagKind {
    /// Returns the heading for this kind.
    pub fn words(self) -> &'static str {
        match self {
            FlagKind::Fault => "not judged",
            FlagKind::Forbidden => "forbidden system calls",
            FlagKind::Refused => "compile errors and invalid programs",
            FlagKind::Empty => "empty programs",
            FlagKind::NearTime => "near the time limit",
            FlagKind::NearMemory => "near the memory limit",
            FlagKind::Several => "several programs for one problem",
            FlagKind::Guessed => "guessed problems and languages",
            FlagKind::Late => "late submissions",
            FlagKind::Left => "files that belong to no submission, and students who are not in the download",
        }
    }
}

/// Returns the findings about a record.
pub fn of_record(student: &str, column: &GradebookColumn, record: &Record, limits: &Limits) -> Vec<ReviewFlag> {
    let flag = |kind, what: String| ReviewFlag { kind, about: format!("{student}, {}", column.id), what };
    let mut flags = Vec::new();
    if let Some(refusal) = &record.refusal {
        flags.push(flag(FlagKind::Refused, cause(refusal)));
    }
    for case in record.cases.iter().filter(|case| case.verdict == Some(Verdict::Forbidden)).take(1) {
        flags.push(flag(FlagKind::Forbidden, format!("at {}", case.case)));
    }
    let near = |value: u64, limit: u64, low: u64, high: u64| value * 100 >= limit * low && value * 100 <= limit * high;
    let timed = record.cases.iter().find(|case| {
        let decided = matches!(case.verdict, Some(Verdict::Accepted | Verdict::TimeLimit));
        // A program that slightly exceeds the time limit is run again while no other program runs, with 110 % of the
        // limit. A program that used more than 109 % may have been stopped by that limit.
        decided && near(case.cpu.as_micros(), limits.cpu.as_micros(), 85, 109)
    });
    if let Some(case) = timed {
        let verdict = case.verdict.map_or("", Verdict::long);
        let time = TimeSpan::millis(case.cpu.as_micros() / 1_000);
        flags.push(flag(FlagKind::NearTime, format!("{} took {time} of {} ({verdict})", case.case, limits.cpu)));
    }
    let full = record.cases.iter().find(|case| {
        let crashed = matches!(case.verdict, Some(Verdict::RuntimeError | Verdict::Accepted));
        crashed && near(case.memory.get(), limits.memory.get(), 90, 100)
    });
    if let Some(case) = full {
        let verdict = case.verdict.map_or("", Verdict::long);
        let (used, most) = (case.memory.human(), limits.memory.human());
        flags.push(flag(FlagKind::NearMemory, format!("{} used {used} of {most} ({verdict})", case.case)));
    }
    flags
}

/// Returns the finding for an empty program.
pub fn of_empty(student: &str, column: &GradebookColumn) -> ReviewFlag {
    let what = "the program is empty and prints nothing; the wrong file may have been submitted".to_owned();
    ReviewFlag { kind: FlagKind::Empty, about: format!("{student}, {}", column.id), what }
}

/// Returns a finding for each guess about a submission for which `wanted` is true.
pub fn of_roster(roster: &Roster, wanted: &[bool]) -> Vec<ReviewFlag> {
    let counting = roster.claims.iter().zip(wanted).filter(|(_, wanted)| **wanted);
    let guess = |claim: &Claim, what: &String| ReviewFlag {
        kind: FlagKind::Guessed,
        about: claim.path.clone(),
        what: what.clone(),
    };
    counting.flat_map(|(claim, _)| claim.guesses.iter().map(move |what| guess(claim, what))).collect()
}

/// Returns the number of marks that are based on a late submission, and the number of marks that are based on any
/// submission.
pub fn late(book: &Gradebook) -> (usize, usize) {
    let marks = book.rows.iter().flat_map(|row| &row.marks);
    let submitted = marks.filter(|mark| matches!(mark.standing, Standing::Attempt(..)));
    submitted.fold((0, 0), |(late, all), mark| (late + usize::from(mark.late.is_some()), all + 1))
}

/// Returns a warning if there are several submissions and all are late, since the recorded times are then probably not
/// the times of submission.
pub fn all_late(book: &Gradebook) -> Option<String> {
    let (late, all) = late(book);
    (all > 1 && late == all).then(|| {
        format!(
            "all {all} submissions are late; if the file times are the times of the download, specify the times of \
             submission in the column `submitted` of a CSV list; otherwise check `due` in the policy"
        )
    })
}

/// Returns the findings about late submissions and missing results in a gradebook, and about the files, folders and
/// students in [`Gradebook::left`].
pub fn of_book(book: &Gradebook) -> Vec<ReviewFlag> {
    let mut flags: Vec<ReviewFlag> = book
        .left
        .iter()
        .map(|left| ReviewFlag { kind: FlagKind::Left, about: left.path.clone(), what: left.reason.clone() })
        .collect();
    for row in &book.rows {
        for (column, mark) in book.columns.iter().zip(&row.marks) {
            if let Some(late) = &mark.late {
                let about = format!("{}, {}", row.student, column.id);
                flags.push(ReviewFlag { kind: FlagKind::Late, about, what: late.to_string() });
            }
            if let Standing::Open(_) = mark.standing {
                let about = format!("{}, {}", row.student, column.id);
                flags.push(ReviewFlag { kind: FlagKind::Fault, about, what: mark.formula.clone() });
            }
        }
    }
    flags
}

/// Extracts the cause from compiler output: the first line with an error message, without its position, so that equal
/// causes yield equal strings.
pub fn cause(words: &str) -> String {
    let lines = || words.lines().map(str::trim).filter(|line| !line.is_empty());
    let telling = |line: &&str| line.contains("error") || line.contains("Error");
    let line = lines().find(telling).or_else(|| lines().next()).unwrap_or("no compiler output");
    let start = ["fatal error", "error[", "error:", "Error:"].iter().filter_map(|word| line.find(word)).min();
    // The cause begins with the whole word that contains the match, as in `SyntaxError: …`.
    let start = line[..start.unwrap_or(0)].trim_end_matches(char::is_alphanumeric).len();
    let line = &line[start..];
    // Perl prints the position after the cause.
    let end = line.find(" line ").and_then(|end| line[..end].rfind(" at "));
    let line = &line[..end.unwrap_or(line.len())];
    // In a message that begins with a file name, `it` replaces the file name.
    let (name, rest) = line.split_once(' ').unwrap_or((line, ""));
    let of_file = name.contains('.') && ["is ", "contains ", "begins with "].iter().any(|verb| rest.starts_with(verb));
    let line = if of_file { format!("it {rest}") } else { line.to_owned() };
    line.chars().take(120).collect()
}

/// Groups findings by kind and description, so that each cause is listed once, with all affected submissions and files.
pub fn grouped(flags: &[ReviewFlag]) -> BTreeMap<FlagKind, BTreeMap<&str, Vec<&str>>> {
    let mut groups: BTreeMap<FlagKind, BTreeMap<&str, Vec<&str>>> = BTreeMap::new();
    for flag in flags {
        groups.entry(flag.kind).or_default().entry(&flag.what).or_default().push(&flag.about);
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grade::record::CaseMark;
    use crate::model::{ByteSize, CaseId, Score};

    fn flags_of(verdict: Verdict, millis: u64, mib: u64) -> Vec<FlagKind> {
        let case = CaseMark {
            case: CaseId::new("a", 1),
            group: 0,
            verdict: Some(verdict),
            cpu: TimeSpan::millis(millis),
            memory: ByteSize::mib(mib),
        };
        let record = Record {
            verdict,
            score: Score::ZERO,
            max_score: Score::points(100),
            language: String::new(),
            refusal: None,
            groups: vec![],
            cases: vec![case],
            failing: vec![],
        };
        let limits = Limits {
            cpu: TimeSpan::seconds(1),
            wall: TimeSpan::seconds(3),
            memory: ByteSize::mib(100),
            output: ByteSize::mib(1),
            processes: 4,
        };
        let column =
            GradebookColumn { id: "nim".parse().unwrap(), name: String::new(), max: Score::ZERO, scored: false };
        of_record("ann", &column, &record, &limits).into_iter().map(|flag| flag.kind).collect()
    }

    #[test]
    fn cases_near_limits_are_flagged() {
        assert_eq!(flags_of(Verdict::Accepted, 500, 50), []);
        assert_eq!(flags_of(Verdict::Accepted, 900, 50), [FlagKind::NearTime]);
        assert_eq!(flags_of(Verdict::TimeLimit, 1_050, 50), [FlagKind::NearTime]);
        assert_eq!(flags_of(Verdict::TimeLimit, 1_100, 50), [], "stopped at the time limit");
        assert_eq!(flags_of(Verdict::RuntimeError, 10, 95), [FlagKind::NearMemory]);
        assert_eq!(flags_of(Verdict::Forbidden, 10, 5), [FlagKind::Forbidden]);
    }

    #[test]
    fn equal_causes_give_equal_texts() {
        assert_eq!(cause("a.c:3:5: error: expected ';'\n  x\n"), "error: expected ';'");
        assert_eq!(cause("b.c: In function 'main':\nb.c:9:1: error: expected ';'"), "error: expected ';'");
        assert_eq!(cause("error[E0308]: mismatched types\n --> a.rs"), "error[E0308]: mismatched types");
        assert_eq!(cause("  File \"a.py\", line 2\nSyntaxError: '(' was"), "SyntaxError: '(' was");
        assert_eq!(cause("syntax error at é.pl line 7, at EOF\n"), "syntax error");
        assert_eq!(cause("`a.py` is empty"), "it is empty");
        assert_eq!(cause(""), "no compiler output");
    }
}
