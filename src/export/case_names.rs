//! How cases are called: groups and cases by number, so that the order of the names is the order of judging.

use crate::data::{Case, Entry};

use super::input::{ExportGroup, ExportInput};

/// `02-random`: a group's name with its place among all groups.
pub(super) fn group_name(export: &ExportInput<'_>, index: usize) -> String {
    let width = export.groups.len().to_string().len();
    format!("{:0width$}-{}", index + 1, export.groups[index].name)
}

/// `007`: a case's number in its group, from 1.
pub(super) fn case_number(group: &ExportGroup<'_>, at: usize) -> String {
    let width = group.cases.len().to_string().len();
    format!("{:0width$}", at + 1)
}

/// All cases in order, each with its numbered_cases name `02-random-007`.
pub(super) fn numbered_cases<'s>(export: &'s ExportInput<'_>) -> Vec<(usize, String, &'s Case)> {
    let groups = export.groups.iter().enumerate();
    let cases = groups.flat_map(|(index, group)| {
        let name = group_name(export, index);
        let one = move |(at, case): (usize, &&'s Case)| (index, format!("{name}-{}", case_number(group, at)), *case);
        group.cases.iter().enumerate().map(one).collect::<Vec<_>>()
    });
    cases.collect()
}

/// The two files of a case.
pub(super) fn case_files(base: &str, [input, answer]: [&str; 2], case: &Case) -> [Entry; 2] {
    [
        Entry::stored(format!("{base}{input}"), case.input.digest),
        Entry::stored(format!("{base}{answer}"), case.answer.digest),
    ]
}

/// A problem's id in small letters and digits alone, as packages' folders are called.
pub(super) fn short_name(export: &ExportInput<'_>) -> String {
    let id = export.problem.id.as_str().to_ascii_lowercase();
    let short: String = id.chars().filter(char::is_ascii_alphanumeric).collect();
    if short.is_empty() { "problem".to_owned() } else { short }
}

/// Numbers as a list of YAML.
pub(super) fn numbers(numbers: &[usize]) -> String {
    format!("[{}]", numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(", "))
}
