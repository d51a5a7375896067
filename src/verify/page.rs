//! The results of `nimatron verify` as a self-contained HTML page without scripts.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::check_result::{Check, Status};
use super::matrix::{Matrix, MatrixCell, MatrixRow};

/// The results for a problem.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Verification {
    /// Id of the problem.
    pub id: String,
    /// Name of the problem; `None` if its spec is invalid.
    pub name: Option<String>,
    /// The checks, in the order in which they were performed.
    pub checks: Vec<Check>,
    /// Verdicts of the solutions in each group.
    pub matrix: Matrix,
    /// Whether all checks were performed and none of them failed or, with [`super::VerifyOptions::strict`], was
    /// skipped.
    pub good: bool,
}

const STYLE: &str = "
:root { color-scheme: light dark; --ink: #1c2024; --soft: #5b6470; --paper: #fff; --line: #d9dee3; --back: #f4f6f8;
  --good: #14713a; --bad: #b3201b; --warn: #8a5a00; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ec; --soft: #9aa4af; --paper: #16191d; --line: #333a42;
  --back: #20252b; --good: #5fcf8a; --bad: #ff8a80; --warn: #f0b849; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 76rem; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: .5rem 0; } h2 { font-size: 1.2rem; margin: 2.5rem 0 .5rem; }
h2 small { color: var(--soft); font-weight: normal; }
a { color: inherit; } p { margin: .5rem 0; }
.wide { overflow-x: auto; border: 1px solid var(--line); border-radius: 6px; margin: .75rem 0; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .35rem .75rem; border-top: 1px solid var(--line); }
thead th { border-top: 0; background: var(--back); color: var(--soft); font-weight: 600; white-space: nowrap; }
tbody th { font-weight: 600; }
.mark { font-weight: 700; white-space: nowrap; }
.pass { color: var(--good); } .fail { color: var(--bad); } .skip { color: var(--soft); } .warn { color: var(--warn); }
.detail { white-space: pre-wrap; overflow-wrap: anywhere; }
pre { margin: .5rem 0 0; padding: .5rem; background: var(--back); border-radius: 4px; overflow-x: auto;
  font: 13px/1.4 ui-monospace, monospace; }
.matrix td, .matrix th { white-space: nowrap; font-variant-numeric: tabular-nums; }
.matrix small { color: var(--soft); }
.matrix th:first-child { position: sticky; left: 0; background: var(--paper); box-shadow: 1px 0 var(--line); }
.matrix thead th:first-child { background: var(--back); }
.number { text-align: right; }
@media (max-width: 40rem) {
  .checks thead { display: none; } .checks, .checks tbody, .checks tr, .checks td, .checks th { display: block; }
  .checks tr { border-top: 1px solid var(--line); padding: .4rem 0; }
  .checks td, .checks th { border: 0; padding: .1rem .75rem; }
  .checks td:first-child, .checks th { display: inline-block; } .checks th { padding-left: 0; }
  .matrix th:first-child { max-width: 11rem; white-space: normal; overflow-wrap: anywhere; }
}
";

/// Returns the summary of the results in one line. It includes the number of skipped checks, since they verify nothing.
pub fn headline(problems: &[Verification]) -> String {
    let good = problems.iter().filter(|problem| problem.good).count();
    let checks = problems.iter().flat_map(|problem| &problem.checks);
    let skipped = match checks.filter(|check| check.status == Status::Skip).count() {
        0 => String::new(),
        1 => ", 1 check skipped".to_owned(),
        count => format!(", {count} checks skipped"),
    };
    format!("{good} of {} problems verified{skipped}", problems.len())
}

/// Renders the page.
pub fn page(problems: &[Verification]) -> String {
    let title = headline(problems);
    let whole = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                h1 { (title) }
                @if problems.len() > 1 { (overview(problems)) }
                @for problem in problems { (section(problem)) }
            }
        }
    };
    whole.into_string()
}

fn overview(problems: &[Verification]) -> Markup {
    html! {
        div.wide { table {
            thead { tr { th { "problem" } th { "result" } th.number { "checks" } th.number { "warnings" } th { "failed" } } }
            tbody {
                @for problem in problems {
                    @let warnings: usize = problem.checks.iter().map(|check| check.warnings.len()).sum();
                    @let failed = problem.checks.iter().filter(|check| check.status == Status::Fail);
                    @let failed: Vec<&str> = failed.map(|check| check.name.as_str()).collect();
                    tr {
                        th scope="row" { a href=(format!("#{}", problem.id)) { (problem.name.as_deref().unwrap_or(&problem.id)) } }
                        td { @if problem.good { span.mark.pass { "verified" } } @else { span.mark.fail { "not verified" } } }
                        td.number { (problem.checks.len()) }
                        td.number { (warnings) }
                        td { (failed.join(", ")) }
                    }
                }
            }
        } }
    }
}

fn section(problem: &Verification) -> Markup {
    html! {
        h2 id=(problem.id) {
            @match &problem.name { Some(name) => { (name) " " small { (problem.id) } } None => (problem.id), }
        }
        div.wide { table.checks {
            thead { tr { th { "result" } th { "check" } th { "details" } } }
            tbody { @for check in &problem.checks { (row_of(check)) } }
        } }
        @if !problem.matrix.rows.is_empty() { (matrix(&problem.matrix)) }
    }
}

fn row_of(check: &Check) -> Markup {
    let (class, word) = check.mark();
    html! {
        tr {
            td { span class=(format!("mark {class}")) { (word) } }
            th scope="row" { (check.name) }
            td {
                div.detail { (check.detail) @if check.cached { " (cached)" } }
                @for warning in &check.warnings { div.warn { "warning: " (warning) } }
                @if !check.notes.is_empty() { pre { (check.notes) } }
            }
        }
    }
}

fn matrix(matrix: &Matrix) -> Markup {
    html! {
        div.wide { table.matrix {
            thead { tr {
                th { "solution" }
                @for group in &matrix.groups { th { (group) } }
                th.number { "slowest" }
            } }
            tbody { @for row in &matrix.rows { (solution(row)) } }
        } }
    }
}

fn solution(row: &MatrixRow) -> Markup {
    html! {
        tr {
            th scope="row" { @if row.unexpected { span.fail { "unexpected: " } } (row.name) }
            @for cell in &row.cells { td { (shown(cell.as_ref())) } }
            td.number { (format!("{:.0} ms", row.slowest.as_millis_f64())) }
        }
    }
}

fn shown(cell: Option<&MatrixCell>) -> Markup {
    let Some(cell) = cell else { return html! { span.skip title="not judged" { "·" } } };
    let class = if cell.verdict.accepted() { "pass" } else { "fail" };
    html! {
        span class=(class) title=(cell.verdict.long()) { (cell.verdict.short()) }
        " " small { (format!("{:.0} ms", cell.slowest.as_millis_f64())) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{TimeSpan, Verdict};

    fn sample() -> Verification {
        let hostile = "<script>alert('x')</script> & \"more\"";
        let cell = MatrixCell { verdict: Verdict::WrongAnswer, slowest: TimeSpan::millis(12) };
        let row = MatrixRow {
            name: hostile.to_owned(),
            cells: vec![Some(cell), None],
            slowest: TimeSpan::millis(12),
            limit: Some(TimeSpan::seconds(1)),
            right: false,
            slow: false,
            unexpected: true,
        };
        Verification {
            id: "nim".to_owned(),
            name: Some(hostile.to_owned()),
            checks: vec![
                Check::new("spec", Status::Pass, hostile).warn(hostile),
                Check::new("oracle", Status::Fail, "a\nb").with_notes(hostile.to_owned()),
            ],
            matrix: Matrix { groups: vec!["tiny".to_owned(), "large".to_owned()], rows: vec![row] },
            good: false,
        }
    }

    #[test]
    fn text_is_escaped_and_page_is_self_contained() {
        let text = page(&[sample(), sample()]);
        assert!(!text.contains("<script"), "{text}");
        assert_eq!(text.matches("&lt;script&gt;").count(), 2 * 5 + 2, "{text}");
        assert!(!text.contains("http:") && !text.contains("https:") && !text.contains("url("), "{text}");
    }

    #[test]
    fn headline_counts_skipped_checks() {
        let with = |skipped: usize| {
            let mut one = sample();
            one.checks.extend(vec![Check::new("programs", Status::Skip, "no compiler"); skipped]);
            headline(&[one, Verification { good: true, ..Verification::default() }])
        };
        assert_eq!(with(0), "1 of 2 problems verified");
        assert_eq!(with(1), "1 of 2 problems verified, 1 check skipped");
        assert_eq!(with(3), "1 of 2 problems verified, 3 checks skipped");
    }

    #[test]
    fn failures_are_shown_as_text() {
        let text = page(&[sample()]);
        for words in ["0 of 1 problems verified", "FAIL", "warn", "unexpected: ", "WA", "12 ms", "not judged"] {
            assert!(text.contains(words), "{words} in {text}");
        }
    }
}
