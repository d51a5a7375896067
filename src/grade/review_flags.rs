//! What a person should look at: what went wrong in a way that a mark does not tell.

use std::collections::BTreeMap;

use crate::model::{Limits, TimeSpan, Verdict};

use super::gradebook::{Column, Gradebook};
use super::marks::Standing;
use super::record::Record;

/// Something to look at.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ReviewFlag {
    /// What kind of thing it is, in words.
    pub kind: Kind,
    /// Whom or which file it is about.
    pub about: String,
    /// What it is.
    pub what: String,
}

/// The kinds of things to look at, the most pressing first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// We failed.
    Fault,
    /// The program did what no program needs.
    Forbidden,
    /// The compiler refused it, or it is no program.
    Refused,
    /// The time is so near to the limit that another run might end otherwise.
    NearTime,
    /// So is the memory.
    NearMemory,
    /// Several programs were handed in without saying which counts.
    Several,
    /// A file that is nobody's program.
    Left,
}

impl Kind {
    /// The kind's heading.
    pub fn words(self) -> &'static str {
        match self {
            Kind::Fault => "not judged, through no fault of the student",
            Kind::Forbidden => "forbidden system calls",
            Kind::Refused => "refused by the compiler, or no program",
            Kind::NearTime => "near the time limit",
            Kind::NearMemory => "near the memory limit",
            Kind::Several => "several programs for one problem",
            Kind::Left => "files that are nobody's program",
        }
    }
}

/// What to look at in a record.
pub fn of_record(student: &str, column: &Column, record: &Record, limits: &Limits) -> Vec<ReviewFlag> {
    let notice = |kind, what: String| ReviewFlag { kind, about: format!("{student}, {}", column.id), what };
    let mut notices = Vec::new();
    if let Some(refusal) = &record.refusal {
        notices.push(notice(Kind::Refused, cause(refusal)));
    }
    for case in record.cases.iter().filter(|case| case.verdict == Some(Verdict::Forbidden)).take(1) {
        notices.push(notice(Kind::Forbidden, format!("at {}", case.case)));
    }
    let near = |value: u64, limit: u64, low: u64, high: u64| value * 100 >= limit * low && value * 100 <= limit * high;
    let timed = record.cases.iter().find(|case| {
        let decided = matches!(case.verdict, Some(Verdict::Accepted | Verdict::TimeLimit));
        // Just above the limit a program is run again, alone; what ended there has at most this much.
        decided && near(case.cpu.as_micros(), limits.cpu.as_micros(), 85, 109)
    });
    if let Some(case) = timed {
        let verdict = case.verdict.map_or("", Verdict::short);
        let time = TimeSpan::millis(case.cpu.as_micros() / 1_000);
        notices.push(notice(Kind::NearTime, format!("{} took {time} of {}: {verdict}", case.case, limits.cpu)));
    }
    let full = record.cases.iter().find(|case| {
        let crashed = matches!(case.verdict, Some(Verdict::RuntimeError | Verdict::Accepted));
        crashed && near(case.memory.get(), limits.memory.get(), 90, 100)
    });
    if let Some(case) = full {
        let verdict = case.verdict.map_or("", Verdict::short);
        notices.push(notice(Kind::NearMemory, format!("{} took {}: {verdict}", case.case, case.memory.human())));
    }
    notices
}

/// What to look at in a book.
pub fn of_book(book: &Gradebook) -> Vec<ReviewFlag> {
    let mut notices: Vec<ReviewFlag> = book
        .left
        .iter()
        .map(|left| ReviewFlag { kind: Kind::Left, about: left.path.clone(), what: left.reason.clone() })
        .collect();
    for row in &book.rows {
        for (column, mark) in book.columns.iter().zip(&row.marks) {
            if let Standing::Open(_) = mark.standing {
                let about = format!("{}, {}", row.student, column.id);
                notices.push(ReviewFlag { kind: Kind::Fault, about, what: mark.formula.clone() });
            }
        }
    }
    notices
}

/// The cause in a compiler's words: the first line that says what is wrong, without its place, so that the same cause
/// reads the same.
pub fn cause(words: &str) -> String {
    let lines = || words.lines().map(str::trim).filter(|line| !line.is_empty());
    let telling = |line: &&str| line.contains("error") || line.contains("Error");
    let line = lines().find(telling).or_else(|| lines().next()).unwrap_or("the compiler said nothing");
    let start = ["fatal error", "error[", "error:", "Error:"].iter().filter_map(|word| line.find(word)).min();
    // `SyntaxError: …` from its first letter on.
    let start = line[..start.unwrap_or(0)].trim_end_matches(char::is_alphanumeric).len();
    let line = &line[start..];
    // Perl names the place behind the cause.
    let end = line.find(" line ").and_then(|end| line[..end].rfind(" at "));
    let line = &line[..end.unwrap_or(line.len())];
    // What is wrong with a file begins with its name.
    let (name, rest) = line.split_once(' ').unwrap_or((line, ""));
    let of_file = name.contains('.') && rest.starts_with("is ");
    let line = if of_file { format!("it {rest}") } else { line.to_owned() };
    line.chars().take(120).collect()
}

/// Notices by kind, and of one kind by what they are: the same cause is told once, with all it is about.
pub fn grouped(notices: &[ReviewFlag]) -> BTreeMap<Kind, BTreeMap<&str, Vec<&str>>> {
    let mut groups: BTreeMap<Kind, BTreeMap<&str, Vec<&str>>> = BTreeMap::new();
    for notice in notices {
        groups.entry(notice.kind).or_default().entry(&notice.what).or_default().push(&notice.about);
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grade::record::CaseMark;
    use crate::model::{ByteSize, CaseId, Score};

    fn noticed(verdict: Verdict, millis: u64, mib: u64) -> Vec<Kind> {
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
        let column = Column { id: "nim".parse().unwrap(), name: String::new(), max: Score::ZERO, scored: false };
        of_record("ann", &column, &record, &limits).into_iter().map(|notice| notice.kind).collect()
    }

    #[test]
    fn what_is_near_a_limit_is_noticed() {
        assert_eq!(noticed(Verdict::Accepted, 500, 50), []);
        assert_eq!(noticed(Verdict::Accepted, 900, 50), [Kind::NearTime]);
        assert_eq!(noticed(Verdict::TimeLimit, 1_050, 50), [Kind::NearTime]);
        assert_eq!(noticed(Verdict::TimeLimit, 1_100, 50), [], "it ran into the stop, so it might have run for ever");
        assert_eq!(noticed(Verdict::RuntimeError, 10, 95), [Kind::NearMemory]);
        assert_eq!(noticed(Verdict::Forbidden, 10, 5), [Kind::Forbidden]);
    }

    #[test]
    fn the_same_cause_reads_the_same() {
        assert_eq!(cause("a.c:3:5: error: expected ';'\n  x\n"), "error: expected ';'");
        assert_eq!(cause("b.c: In function 'main':\nb.c:9:1: error: expected ';'"), "error: expected ';'");
        assert_eq!(cause("error[E0308]: mismatched types\n --> a.rs"), "error[E0308]: mismatched types");
        assert_eq!(cause("  File \"a.py\", line 2\nSyntaxError: '(' was"), "SyntaxError: '(' was");
        assert_eq!(cause("syntax error at é.pl line 7, at EOF\n"), "syntax error");
        assert_eq!(cause("a.py is empty"), "it is empty");
        assert_eq!(cause(""), "the compiler said nothing");
    }
}
