//! The page of a problem: acceptance rate of each case, and verdicts of failed programs.

use maud::html;

use crate::model::{Limits, Verdict};

use super::super::gradebook::GradebookColumn;
use super::statistics::Counts;
use super::style::{page, tone};

/// Renders the page of a problem.
pub(super) fn problem(column: &GradebookColumn, counts: &Counts, limits: &Limits) -> String {
    let seen: Vec<usize> =
        (0..Verdict::ALL.len()).filter(|&verdict| counts.cases.iter().any(|case| case.verdicts[verdict] > 0)).collect();
    let accepted = Verdict::ALL.iter().position(|verdict| verdict.accepted()).unwrap_or(0);
    let body = html! {
        p.small { a href="../index.html" { "all marks" } }
        h1 { (column.name) }
        p.faint { (column.id) ", " (limits.cpu) " and " (limits.memory) " per case, " (column.max) " points" }
        p {
            "The table shows the verdicts on each case for the submissions that count. Judging of a group stops at its "
            "first failed case, unless the policy gives partial credit or all cases were requested. Therefore, fewer "
            "programs may have been run on the later cases of a group."
        }
        @if counts.cases.is_empty() { p { "No program was run." } }
        div.wide { table {
            thead { tr {
                th { "case" } th { "accepted" } th.n { "%" } th.n { "run" }
                @for &verdict in &seen { th.n title=(Verdict::ALL[verdict].long()) { (Verdict::ALL[verdict].short()) } }
                th.n { "not run" }
            } }
            tbody { @for case in &counts.cases {
                @let share = case.verdicts[accepted] * 100 / case.run().max(1);
                tr {
                    td.name { (case.case) }
                    td { span.track { span.bar style=(format!("width:{share}%")) {} } }
                    td.n { @if case.run() > 0 { (share) } }
                    td.n { (case.run()) }
                    @for &verdict in &seen {
                        td class={ "n " (tone(Verdict::ALL[verdict])) } { @if case.verdicts[verdict] > 0 { (case.verdicts[verdict]) } }
                    }
                    td.n.faint { @if case.left_out > 0 { (case.left_out) } }
                }
            } }
        } }
    };
    page(&column.name, &body)
}
