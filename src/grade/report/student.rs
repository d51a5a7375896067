//! The page of a student: marks with their formulas, cases as far as the feedback level allows, and the program. It
//! contains no links to other pages, so that it can be given to the student.

use maud::{Markup, html};
use similar::{ChangeTag, TextDiff};

use crate::lang::{LexemeClass, Syntax, lex};
use crate::model::Verdict;

use super::super::gradebook::{Gradebook, GradebookRow};
use super::super::marks::{Mark, Standing};
use super::super::policy::{FeedbackPolicy, Policy};
use super::super::record::{Excerpt, Failing, Record};
use super::index::of;
use super::style::{page, tone};

/// Maximum number of lines shown of a program.
const MOST_LINES: usize = 2_000;

/// A program that counts, with its result and files.
pub(super) struct Shown {
    pub(super) record: Record,
    /// Names and texts of the files.
    pub(super) files: Vec<(String, String)>,
}

/// Renders the page. `shown` contains for each problem the program that counts, if there is one.
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
                @for (name, text) in &shown.files { (program(name, text)) }
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
    html! {
        @if let Some(refusal) = &record.refusal { h3 { "Compilation failed" } pre { (refusal) } }
        @for (index, group) in record.groups.iter().enumerate() {
            @let cases = || record.cases.iter().filter(move |case| case.group == index);
            h3 {
                (group.group) ": "
                @match group.verdict {
                    Some(verdict) => span class=(tone(verdict)) { (verdict.long()) },
                    None => span.faint { "not run" },
                }
                @if group.max_score.as_thousandths() > 0 { ", " (group.score) " of " (group.max_score) " points" }
            }
            @if policy.sees(&group.group) != FeedbackPolicy::None {
                @let left_out = cases().filter(|case| case.verdict.is_none()).count();
                ul.chips {
                    @for (case, verdict) in cases().filter_map(|case| Some((case, case.verdict?))) {
                        li class=(tone(verdict)) { (case.case) " " (verdict.short()) }
                    }
                    @if left_out > 0 { li.faint { (left_out) " not run" } }
                }
            } @else { p.faint.small { "These cases are not shown." } }
            @for failing in record.failing.iter().filter(|failing| failing.group == group.group) {
                (evidence(failing, policy.sees(&group.group)))
            }
        }
    }
}

fn evidence(failing: &Failing, feedback: FeedbackPolicy) -> Markup {
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
            div.pair {
                div { h4 { "Input" } (excerpt(&failing.input)) }
                div { h4 { "Expected" } (excerpt(&failing.expected)) }
                div { h4 { "Your output" } (excerpt(&failing.actual)) }
            @if !failing.expected.cut && !failing.actual.cut { (difference(&failing.expected.text, &failing.actual.text)) }
            @if !failing.stderr.is_empty() { h4 { "Standard error" } pre { (failing.stderr) } }
            }
        }
    }
}

fn excerpt(excerpt: &Excerpt) -> Markup {
    html! { pre { (excerpt.text) @if excerpt.cut { span.faint { "\n… and more" } } } }
}

/// A line diff, if one of the texts has several lines.
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
        h4 { "From expected (−) to your output (+)" }
        pre { @for (class, sign, line) in lines { span class=(class) { (sign) " " (line.trim_end_matches('\n')) } } }
    }
}

fn program(name: &str, text: &str) -> Markup {
    let lines = highlighted(text, name.rsplit('.').next().unwrap_or(""));
    html! {
        h3 { (name) }
        pre.code { @for line in lines.iter().take(MOST_LINES) { span.l {
            @for (class, piece) in line {
                @match class {
                    LexemeClass::Keyword(_) | LexemeClass::Type => span.kw { (piece) },
                    LexemeClass::Text => span.st { (piece) },
                    LexemeClass::Number => span.nu { (piece) },
                    LexemeClass::Comment => span.co { (piece) },
                    LexemeClass::Space | LexemeClass::Name | LexemeClass::Sign => (piece),
                }
            }
        } } }
        @if lines.len() > MOST_LINES { p.faint { "… and " (lines.len() - MOST_LINES) " more lines" } }
    }
}

/// The lexemes of each line. Lexemes that span lines are split.
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
