//! Checks that the time limit is far enough from the run times of accepted solutions and of solutions that are too
//! slow.

use crate::model::TimeSpan;
use crate::runner::{ACCEPTED_TO_LIMIT, least_too_slow};

use super::check_result::{Check, Status};
use super::matrix::{Matrix, MatrixRow};

/// Checks the margins between the time limit and the run times of accepted and of too slow solutions. Returns `None` if
/// there are no solutions to compare with the limit.
pub(super) fn check(matrix: &Matrix) -> Option<Check> {
    let rows = || matrix.rows.iter().filter(|row| !row.unexpected).filter_map(|row| Some((row, row.limit?)));
    let share = |(row, limit): (&MatrixRow, TimeSpan)| row.slowest.as_seconds_f64() / limit.as_seconds_f64().max(1e-6);
    let slowest = rows().filter(|(row, _)| row.right).max_by(|a, b| share(*a).total_cmp(&share(*b)));
    let fastest = rows().filter(|(row, _)| row.slow).min_by(|a, b| share(*a).total_cmp(&share(*b)));
    if slowest.is_none() && fastest.is_none() {
        return None;
    }
    let mut told = Vec::new();
    let mut check = Check::new("margins", Status::Pass, "");
    if let Some((row, limit)) = slowest {
        let times = 1.0 / share((row, limit)).max(1e-4);
        told.push(format!(
            "the slowest accepted solution, {}, takes {:.0} ms; the time limit of {} is {} as long",
            row.name,
            row.slowest.as_millis_f64(),
            limit,
            many(times)
        ));
        check = check.with("limit_to_accepted", (times * 10.0).round() / 10.0);
        if times < ACCEPTED_TO_LIMIT as f64 {
            check = check
                .warn(format!("the time limit is less than {ACCEPTED_TO_LIMIT} times the run time of {}", row.name));
        }
    }
    if let Some((row, limit)) = fastest {
        let times = share((row, limit));
        let at_least = if least_too_slow(limit) <= row.slowest { "at least " } else { "" };
        told.push(format!(
            "the fastest solution that must exceed the time limit, {}, takes {at_least}{times:.1} times the limit",
            row.name
        ));
        check = check.with("tle_to_limit", (times * 10.0).round() / 10.0);
        // An idle program is stopped by the wall time limit, so its CPU time does not show how slow it is.
        let waits = row.slowest < limit;
        if row.slowest < least_too_slow(limit) && !waits {
            check = check.warn(format!("{} exceeds the time limit by less than 50 %", row.name));
        }
    }
    check.detail = told.join("; ");
    Some(check)
}

fn many(times: f64) -> String {
    match times {
        times if times >= 100.0 => "at least 100 times".to_owned(),
        times => format!("{times:.1} times"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str, millis: u64, right: bool, slow: bool) -> MatrixRow {
        let (slowest, limit) = (TimeSpan::millis(millis), TimeSpan::seconds(2));
        MatrixRow {
            name: name.to_owned(),
            cells: Vec::new(),
            slowest,
            limit: Some(limit),
            right,
            slow,
            unexpected: false,
        }
    }

    fn checked(rows: Vec<MatrixRow>) -> Option<Check> {
        check(&Matrix { groups: Vec::new(), rows })
    }

    #[test]
    fn wide_margins_give_no_warning() {
        let rows = vec![row("a.rs", 10, true, false), row("b.py", 200, true, false), row("c.cpp", 3_000, false, true)];
        let check = checked(rows).unwrap();
        assert!(check.warnings.is_empty(), "{check:?}");
        assert!(
            check.detail.contains("b.py, takes 200 ms; the time limit of 2s is 10.0 times as long"),
            "{}",
            check.detail
        );
        assert!(check.detail.contains("c.cpp, takes at least 1.5 times"), "{}", check.detail);
    }

    #[test]
    fn thin_margins_give_warnings() {
        let check = checked(vec![row("b.py", 1_200, true, false), row("c.cpp", 2_300, false, true)]).unwrap();
        assert_eq!(check.warnings.len(), 2, "{check:?}");
        assert!(check.detail.contains("the time limit of 2s is 1.7 times as long"), "{}", check.detail);
        assert_eq!(check.status, Status::Pass);
    }

    #[test]
    fn no_check_without_solutions() {
        assert_eq!(checked(vec![row("w.py", 5, false, false)]), None);
    }
}
