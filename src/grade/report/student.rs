//! The page of a student: marks with their formulas, cases as far as the feedback level allows, and the program. It
//! contains no links to other pages, so that it can be given to the student.

use maud::{Markup, html};
use similar::{ChangeTag, TextDiff};

use crate::lang::{LexemeClass, Syntax, lex};
use crate::model::{GroupResult, Verdict};
use crate::report::count;

use super::super::gradebook::{Gradebook, GradebookRow};
use super::super::marks::{Mark, Standing};
use super::super::policy::{FeedbackPolicy, Policy};
use super::super::record::{CaseMark, Excerpt, Failing, Record};
use super::index::of;
use super::style::{more_lines, page, tone};

/// Maximum number of lines of a program to show.
const MOST_LINES: usize = 2_000;
/// Maximum number of bytes of a line to show.
const LONGEST_LINE: usize = 500;
/// Maximum total number of bytes to show of the files for a problem.
const MOST_BYTES: usize = 64 << 10;
/// Maximum number of groups of a problem to show. If there are more, accepted groups are only counted.
const MOST_GROUPS: usize = 40;
/// Maximum number of cases of a group to show. If there are more, accepted cases are only counted.
const MOST_CASES: usize = 60;
/// Maximum number of failed cases of a problem to show with their data.
const MOST_FAILURES: usize = 8;
/// Maximum number of bytes of compiler output to show.
const MOST_OUTPUT: usize = 16 << 10;

/// The program that counts toward the mark of a problem, with its result and its files.
pub(super) struct Shown {
    pub(super) record: Record,
    /// Names and texts of the files.
    pub(super) files: Vec<(String, String)>,
}

/// Renders the page of a student. `shown` contains, for each problem, the program that counts, or `None` if there is
/// none.
pub(super) fn student(book: &Gradebook, policy: &Policy, row: &GradebookRow, shown: &[Option<Shown>]) -> String {
    let body = html! {
        h1 { (row.student) }
        p { b { "Total: " (of(row.total, book.max)) } }
        p.faint.small { "Total = " (book.formula) }
        @if let Some(comment) = &row.comment { p { (comment) } }
        @if !row.rubric.is_empty() {
            table { tbody { @for ((name, most), given) in book.rubric.iter().zip(&row.rubric) {
                tr { td { (name) } td.n { @match given { Some(given) => (given), None => "–" } " of " (most) } }
            } } }
        }
        @for ((column, mark), shown) in book.columns.iter().zip(&row.marks).zip(shown) {
            h2 { (column.name) }
            (heading(mark))
            @if let Some(shown) = shown {
                (record(policy, &shown.record))
                (programs(&shown.files))
            }
        }
    };
    page(&row.student, &body)
}

fn heading(mark: &Mark) -> Markup {
    html! {
        p {
            b { (of(mark.points, mark.max)) }
            @if let Standing::Attempt(_, verdict) = mark.standing {
                " · " span class=(tone(verdict)) { (verdict.long()) }
            }
            @if let Some(late) = &mark.late { " · " (late) }
        }
        p.faint.small { "Mark: " (mark.formula) @if mark.attempts > 1 { "; " (mark.attempts) " attempts" } }
        @if let Some(comment) = &mark.comment { p { (comment) } }
    }
}

fn record(policy: &Policy, record: &Record) -> Markup {
    let groups: Vec<(usize, &GroupResult)> = record.groups.iter().enumerate().collect();
    let is_accepted = |(_, group): &(usize, &GroupResult)| group.verdict == Some(Verdict::Accepted);
    let (shown, rest) = few(groups, MOST_GROUPS, &is_accepted);
    let known: Vec<&Failing> = record.failing.iter().take(MOST_FAILURES).collect();
    html! {
        @if let Some(refusal) = &record.refusal {
            h3 { (if record.language.is_empty() { "Not a program" } else { "Compilation failed" }) }
            pre { (cut(refusal, MOST_OUTPUT)) @if refusal.len() > MOST_OUTPUT { span.faint { "\n… (truncated)" } } }
        }
        @for (index, group) in shown {
            h3 {
                (group.group) ": "
                @match group.verdict {
                    Some(verdict) => span class=(tone(verdict)) { (verdict.long()) },
                    None => span.faint { "not run" },
                }
                @if group.max_score.as_thousandths() > 0 { ", " (group.score) " of " (group.max_score) " points" }
            }
            @if policy.sees(&group.group) != FeedbackPolicy::None {
                (chips(record.cases.iter().filter(|case| case.group == index)))
            } @else { p.faint.small { "The verdicts and the data for these cases are not shown." } }
            @for (number, failing) in known.iter().enumerate().filter(|(_, failing)| failing.group == group.group) {
                (evidence(failing, policy.sees(&group.group), number == 0))
            }
        }
        @if rest.accepted > 0 {
            p.faint { (count(rest.accepted, "accepted group is", "accepted groups are")) " not listed." }
        }
        @if rest.others > 0 { p.faint { "… and " (count(rest.others, "more group", "more groups")) } }
        @if record.failing.len() > MOST_FAILURES {
            @let hidden = record.failing.len() - MOST_FAILURES;
            p.faint { "The data for " (count(hidden, "more failed case", "more failed cases")) " is not shown." }
        }
    }
}

/// Numbers of accepted and of other groups or cases that are not shown.
struct HiddenCases {
    accepted: usize,
    others: usize,
}

/// Returns all items if there are at most `most`, and otherwise at most `most` of the items that are not accepted. Also
/// returns the numbers of items that are left out.
fn few<T>(items: Vec<T>, most: usize, is_accepted: &dyn Fn(&T) -> bool) -> (Vec<T>, HiddenCases) {
    if items.len() <= most {
        return (items, HiddenCases { accepted: 0, others: 0 });
    }
    let (accepted, mut others): (Vec<T>, Vec<T>) = items.into_iter().partition(|item| is_accepted(item));
    let rest = HiddenCases { accepted: accepted.len(), others: others.len().saturating_sub(most) };
    others.truncate(most);
    (others, rest)
}

/// Renders the cases of a group.
fn chips<'a>(cases: impl Iterator<Item = &'a CaseMark>) -> Markup {
    let (judged, left_out): (Vec<&CaseMark>, Vec<&CaseMark>) = cases.partition(|case| case.verdict.is_some());
    let (shown, rest) = few(judged, MOST_CASES, &|case| case.verdict.is_some_and(Verdict::accepted));
    html! {
        ul.chips {
            @for (case, verdict) in shown.into_iter().filter_map(|case| Some((case, case.verdict?))) {
                li class=(tone(verdict)) { (case.case) " " (verdict.short()) }
            }
            @if rest.accepted > 0 { li.good { (rest.accepted) " accepted" } }
            @if rest.others > 0 { li.bad { (rest.others) " more" } }
            @if !left_out.is_empty() { li.faint { (left_out.len()) " not run" } }
        }
    }
}

/// Returns the longest prefix of a text with at most `most` bytes.
fn cut(text: &str, most: usize) -> &str {
    &text[..text.floor_char_boundary(most)]
}

/// Renders a failed case as far as the feedback level allows. The data of the case is collapsed unless `open` is true.
fn evidence(failing: &Failing, feedback: FeedbackPolicy, open: bool) -> Markup {
    let hint = matches!(feedback, FeedbackPolicy::Hint | FeedbackPolicy::Full);
    html! {
        @if hint {
            p {
                (failing.case) ": " (failing.verdict.long())
                @if failing.verdict == Verdict::RuntimeError { ", " (failing.exit) }
                @if let Some(difference) = &failing.difference {
                    @if feedback == FeedbackPolicy::Full { ": " (difference.message) }
                    @else { ": the output differs at line " (difference.actual_line) ", column " (difference.actual_column) }
                }
            }
            @if let Some(message) = &failing.message { p { (message) } }
        }
        @if feedback == FeedbackPolicy::Full {
            details open[open] {
                summary { "Data for " (failing.case) }
                div.pair {
                    div { h4 { "Input" } (excerpt(&failing.input)) }
                    div { h4 { "Expected" } (excerpt(&failing.expected)) }
                    div { h4 { "Your output" } (excerpt(&failing.actual)) }
                }
                @if !failing.expected.cut && !failing.actual.cut { (difference(&failing.expected.text, &failing.actual.text)) }
                @if !failing.stderr.is_empty() { h4 { "Standard error" } pre { (failing.stderr) } }
            }
        }
    }
}

fn excerpt(excerpt: &Excerpt) -> Markup {
    html! { pre { (excerpt.text) @if excerpt.cut { span.faint { "\n… (truncated)" } } } }
}

/// Renders the first 200 lines of a line diff, or nothing if both texts have at most one line.
fn difference(expected: &str, actual: &str) -> Markup {
    if expected.lines().count() <= 1 && actual.lines().count() <= 1 {
        return html! {};
    }
    let diff = TextDiff::from_lines(expected, actual);
    let lines = diff.iter_all_changes().take(200).map(|change| match change.tag() {
        ChangeTag::Equal => ("same", ' ', change.value().to_owned()),
        ChangeTag::Delete => ("del", '-', change.value().to_owned()),
        ChangeTag::Insert => ("add", '+', change.value().to_owned()),
    });
    html! {
        h4 { "Differences between the expected output (−) and your output (+)" }
        pre { @for (class, sign, line) in lines { span class=(class) { (sign) " " (line.trim_end_matches('\n')) } } }
    }
}

/// Renders the files of a program, at most [`MOST_BYTES`] in total.
fn programs(files: &[(String, String)]) -> Markup {
    let mut room = MOST_BYTES;
    html! {
        @for (name, text) in files {
            @let shown = cut(text, room);
            @let left_out = { room -= shown.len(); text.len() - shown.len() };
            h3 { (name) }
            (program(name, shown))
            @if left_out > 0 { p.faint { "… and " (count(left_out, "more byte", "more bytes")) } }
        }
    }
}

fn program(name: &str, text: &str) -> Markup {
    let lines = highlighted(text, name.rsplit('.').next().unwrap_or(""));
    html! {
        pre.code { @for line in lines.iter().take(MOST_LINES) { span.l { (code_line(line)) } } }
        (more_lines(lines.len(), MOST_LINES))
    }
}

fn code_line(line: &[(LexemeClass, &str)]) -> Markup {
    if line.iter().map(|(_, piece)| piece.len()).sum::<usize>() > LONGEST_LINE {
        let whole: String = line.iter().map(|(_, piece)| *piece).collect();
        return html! { (cut(&whole, LONGEST_LINE)) span.faint { " … (truncated)" } };
    }
    html! {
        @for (class, piece) in line {
            @match class {
                LexemeClass::Keyword(_) | LexemeClass::Type => span.kw { (piece) },
                LexemeClass::Text => span.st { (piece) },
                LexemeClass::Number => span.nu { (piece) },
                LexemeClass::Comment => span.co { (piece) },
                LexemeClass::Space | LexemeClass::Name | LexemeClass::Sign => (piece),
            }
        }
    }
}

/// Returns the lexemes of each line with their classes. Lexemes that span several lines are split at the line breaks.
fn highlighted<'t>(text: &'t str, extension: &str) -> Vec<Vec<(LexemeClass, &'t str)>> {
    let mut lines = vec![Vec::new()];
    for (class, piece) in lex(text.trim_end_matches('\n'), Syntax::of_extension(extension)) {
        for (index, part) in piece.split('\n').enumerate() {
            if index > 0 {
                lines.push(Vec::new());
            }
            if let (Some(line), false) = (lines.last_mut(), part.is_empty()) {
                line.push((class, part.trim_end_matches('\r')));
            }
        }
    }
    lines
}

#[cfg(test)]
#[path = "student_tests.rs"]
mod tests;
