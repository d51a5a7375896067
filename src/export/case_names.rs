//! Names of exported cases. The names contain the numbers of groups and cases, so that the order of the names is the
//! order of judging.

use crate::data::{Case, Entry};

use super::input::{ExportGroup, ExportInput};

/// Returns the name of a group, preceded by its number among all groups, such as `02-random`.
pub(super) fn group_name(export: &ExportInput<'_>, index: usize) -> String {
    let width = export.groups.len().to_string().len();
    format!("{:0width$}-{}", index + 1, export.groups[index].name)
}

/// Returns the number of a case in its group, counted from 1, such as `007`.
pub(super) fn case_number(group: &ExportGroup<'_>, at: usize) -> String {
    let width = group.cases.len().to_string().len();
    format!("{:0width$}", at + 1)
}

/// Returns all cases in the order of judging, each with its group's index and its name, such as `02-random-007`.
pub(super) fn numbered_cases<'s>(export: &'s ExportInput<'_>) -> Vec<(usize, String, &'s Case)> {
    let groups = export.groups.iter().enumerate();
    let cases = groups.flat_map(|(index, group)| {
        let name = group_name(export, index);
        let one = move |(at, case): (usize, &&'s Case)| (index, format!("{name}-{}", case_number(group, at)), *case);
        group.cases.iter().enumerate().map(one).collect::<Vec<_>>()
    });
    cases.collect()
}

/// Returns the input and answer files of a case. `base` is the path of both files without the extension.
pub(super) fn case_files(base: &str, [input, answer]: [&str; 2], case: &Case) -> [Entry; 2] {
    [
        Entry::stored(format!("{base}{input}"), case.input.digest),
        Entry::stored(format!("{base}{answer}"), case.answer.digest),
    ]
}

/// Returns the lower-case letters and digits of the problem's id, since names of package folders allow no other
/// characters. Returns `problem` if no character is left.
pub(super) fn short_name(export: &ExportInput<'_>) -> String {
    let id = export.problem.id.as_str().to_ascii_lowercase();
    let short: String = id.chars().filter(char::is_ascii_alphanumeric).collect();
    if short.is_empty() { "problem".to_owned() } else { short }
}

/// Formats numbers as a YAML list.
pub(super) fn numbers(numbers: &[usize]) -> String {
    format!("[{}]", numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(", "))
}
