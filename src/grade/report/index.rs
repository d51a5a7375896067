//! The overview page of a class, for teachers.

use std::io::{self, Write};

use maud::{Markup, html};

use crate::model::{Score, Verdict};
use crate::report::count;

use super::super::gradebook::{Gradebook, GradebookRow};
use super::super::marks::{Mark, Standing};
use super::super::review_flags::{ReviewFlag, all_late, grouped};
use super::chart::{bins, histogram};
use super::statistics::{Counts, middle};
use super::style::{CLOSING, opening, percent, tone};
use super::write::file_name;

/// Writes the page one student at a time, since the size of the page grows with the class. `similar` is the number of
/// similar pairs plus the number of groups of identical programs, or `None` if programs were not compared.
///
/// # Errors
/// Returns an error if the page can't be written.
pub(super) fn index(
    to: &mut dyn Write,
    book: &Gradebook,
    counts: &[Counts],
    flags: &[ReviewFlag],
    similar: Option<usize>,
) -> io::Result<()> {
    let mut put = |text: &str| to.write_all(text.as_bytes());
    put(&opening("Marks"))?;
    put(&summary(book, counts, flags, similar).0)?;
    put(r#"<h2>Students</h2><div class="wide"><table>"#)?;
    put(&heading(book).0)?;
    put("<tbody>")?;
    book.rows.iter().try_for_each(|row| put(&student(row).0))?;
    put("</tbody></table></div>")?;
    put(&review_list(flags).0)?;
    put(CLOSING)
}

/// Renders the statistics of the class.
fn summary(book: &Gradebook, counts: &[Counts], flags: &[ReviewFlag], similar: Option<usize>) -> Markup {
    let totals = || book.rows.iter().filter_map(|row| row.total);
    let open = book.rows.iter().filter(|row| row.total.is_none()).count();
    html! {
        h1 { "Marks for " (count(book.rows.len(), "student", "students")) }
        p.faint { "Total = " (book.formula) ", at most " (book.max) }
        ul.figures {
            li { b { (book.rows.len()) } "students" }
            li { b { (counts.iter().map(|counts| counts.programs).sum::<usize>()) } "submissions that count" }
            @if let Some((mean, median)) = middle(totals().collect()) {
                li { b { (mean) } "mean" }
                li { b { (median) } "median" }
            }
            @if open > 0 { li.ours { b { (open) } "open totals" } }
            li { b { a href="#eye" { (flags.len()) } } "to review" }
            @if let Some(similar) = similar { li { b { a href="likeness/index.html" { (similar) } } (if similar == 1 { "similar pair" } else { "similar pairs" }) } }
        }
        @if let Some(warning) = all_late(book) { p.bad { (warning) } }
        h2 { "Distribution of totals, in percent of the maximum" }
        (histogram(&bins(totals(), book.max)))
        h2 { "Problems" }
        (problems(book, counts))
    }
}

fn problems(book: &Gradebook, counts: &[Counts]) -> Markup {
    let with = |column: usize, verdict: Verdict| {
        let has = |row: &&GradebookRow| matches!(row.marks[column].standing, Standing::Attempt(_, v) if v == verdict);
        book.rows.iter().filter(has).count()
    };
    let columns = 0..book.columns.len();
    let seen: Vec<Verdict> =
        Verdict::ALL.into_iter().filter(|verdict| columns.clone().any(|column| with(column, *verdict) > 0)).collect();
    html! {
        div.wide { table {
            thead { tr {
                th { "problem" } th.n { "mean" } th.n { "median" } th.n { "of" }
                @for verdict in &seen { th.n title=(verdict.long()) { (verdict.short()) } }
                th.n { "missing" } th.n { "open" } th { "languages" }
            } }
            tbody { @for (at, column) in book.columns.iter().enumerate() {
                @let points = book.rows.iter().filter_map(|row| row.marks[at].points).collect();
                @let (mean, median) = middle(points).unwrap_or_default();
                @let max = book.rows.first().map_or(column.max, |row| row.marks[at].max);
                tr {
                    td.name { a href=(format!("problems/{}.html", column.id)) { (column.name) } }
                    td.n { (mean) } td.n { (median) } td.n { (max) }
                    @for verdict in &seen { td.n { (with(at, *verdict)) } }
                    td.n { (book.rows.iter().filter(|row| row.marks[at].standing == Standing::Missing).count()) }
                    td.n { (book.rows.iter().filter(|row| matches!(row.marks[at].standing, Standing::Open(_))).count()) }
                    td.faint { (counts[at].languages.iter().map(|(name, count)| format!("{name} {count}")).collect::<Vec<_>>().join(", ")) }
                }
            } }
        } }
    }
}

/// Renders the header of the table of students.
fn heading(book: &Gradebook) -> Markup {
    html! {
        thead { tr {
            th { "student" }
            // The total is in the second column, so that it is visible on narrow screens.
            th.n { "total" }
            @for column in &book.columns { th.n { (column.id) } }
            @for (name, _) in &book.rubric { th.n { (name) } }
        } }
    }
}

/// Renders the row of a student.
fn student(row: &GradebookRow) -> Markup {
    html! {
        tr {
            td.name { a href=(format!("students/{}.html", file_name(&row.student))) { (row.student) } }
            td.n { @match row.total { Some(total) => b { (total) }, None => span.ours { "open" } } }
            @for mark in &row.marks { (cell(mark)) }
            @for given in &row.rubric { td.n { (given.map(|given| given.to_string()).unwrap_or_default()) } }
        }
    }
}

fn cell(mark: &Mark) -> Markup {
    let points = mark.points.map(|points| points.to_string()).unwrap_or_default();
    html! {
        @match mark.standing {
            Standing::Missing => td.n.faint { (points) span.v title="no submission" { "–" } },
            Standing::Open(_) => td.n.ours title=(mark.formula) { "open" span.v { "not judged" } },
            Standing::Attempt(_, verdict) => td.n title=(mark.formula) {
                (points) span class={ "v " (tone(verdict)) } title=(verdict.long()) { (verdict.short()) }
            },
        }
    }
}

fn review_list(flags: &[ReviewFlag]) -> Markup {
    html! {
        h2 id="eye" { "Needs manual review" }
        @if flags.is_empty() { p { "Nothing." } }
        @for (kind, causes) in grouped(flags) {
            h3 { (kind.words()) }
            div.wide { table { tbody { @for (what, about) in causes {
                tr { td.n { (about.len()) } td { (what) } td.faint.small { (about.join("; ")) } }
            } } } }
        }
    }
}

/// Renders a mark with its maximum and its percentage, such as `80 of 100 (80 %)`, or a placeholder if the mark is not
/// known.
pub(super) fn of(points: Option<Score>, max: Score) -> Markup {
    html! {
        @match points {
            Some(points) => { (points) " of " (max) span.faint { " (" (percent(points, max)) " %)" } },
            None => span.ours { "not determined yet" },
        }
    }
}
