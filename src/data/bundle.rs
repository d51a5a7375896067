//! Exports test data for another judge as a folder or a zip file, with that judge's file names and a manifest.

use std::path::Path;

use serde::Serialize;

use crate::model::{Diagnostic, Failure, Fault, FaultKind, Limits};
use crate::problem::Problem;

use super::make::Case;
use super::pack::{Entry, write_entries};
use super::store::Store;

/// The patterns of the file names of inputs and of answers.
///
/// A pattern may contain placeholders: `{n}` is the number of the case, counted from 1, `{n0}` the number counted from
/// 0, `{nn}` the number counted from 1 and padded with zeros to the length of the last case's number, `{group}` the
/// name of the case's group, `{k}` the number of the case in its group, counted from 1, and `{id}` the id of the case
/// with `-` in place of `/`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BundleNames {
    input: String,
    answer: String,
}

impl Default for BundleNames {
    fn default() -> BundleNames {
        BundleNames { input: "{id}.in".to_owned(), answer: "{id}.ans".to_owned() }
    }
}

const PLACEHOLDERS: [&str; 6] = ["{n}", "{n0}", "{nn}", "{group}", "{k}", "{id}"];

impl std::str::FromStr for BundleNames {
    type Err = Diagnostic;

    fn from_str(text: &str) -> Result<BundleNames, Diagnostic> {
        let patterns: Vec<&str> = text.split_whitespace().collect();
        let [input, answer] = patterns[..] else {
            let message = format!("expected two file name patterns separated by a space, found `{text}`");
            return Err(Diagnostic::new(message).help("specify, for example, `--names '{n}.in {n}.out'`"));
        };
        for pattern in [input, answer] {
            let rest = PLACEHOLDERS.iter().fold(pattern.to_owned(), |rest, name| rest.replace(name, ""));
            if rest.contains(['{', '}']) {
                let known = PLACEHOLDERS.join("`, `");
                return Err(Diagnostic::new(format!(
                    "the pattern `{pattern}` has an unknown placeholder or an unmatched brace"
                ))
                .help(format!("use only the placeholders `{known}`")));
            }
            if pattern.split('/').any(|part| part.is_empty() || part == "." || part == "..") {
                let message = format!("the pattern `{pattern}` has an empty, `.` or `..` component in its path");
                return Err(
                    Diagnostic::new(message).help("use a relative path of plain names, such as `{group}/{k}.in`")
                );
            }
        }
        Ok(BundleNames { input: input.to_owned(), answer: answer.to_owned() })
    }
}

#[derive(Serialize)]
struct BundleManifest<'a> {
    format: u32,
    problem: &'a str,
    name: &'a str,
    time_limit_ms: u64,
    memory_limit_bytes: u64,
    cases: Vec<BundleCase<'a>>,
}

#[derive(Serialize)]
struct BundleCase<'a> {
    case: &'a str,
    group: &'a str,
    input: String,
    answer: String,
    input_blake3: String,
    answer_blake3: String,
}

/// Writes the inputs and answers of the cases, and a manifest, to `out`: a zip file if the name ends in `.zip`,
/// otherwise a folder, which must be new or empty.
///
/// # Errors
/// Fails if the patterns assign the same name to two files, or to a file and a folder, if the output folder is not
/// empty, if a blob can't be read, or if a file can't be written.
pub fn write(
    problem: &Problem,
    limits: &Limits,
    cases: &[Case],
    store: &Store,
    names: &BundleNames,
    out: &Path,
) -> Result<(), Failure> {
    let manifest = manifest(problem, limits, cases, names);
    check_names(&manifest)?;
    let files = manifest.cases.iter().zip(cases).flat_map(|(entry, case)| {
        [Entry::stored(&entry.input, case.input.digest), Entry::stored(&entry.answer, case.answer.digest)]
    });
    let mut files: Vec<Entry> = files.collect();
    let mut text =
        serde_json::to_string_pretty(&manifest).map_err(|error| Fault::io(FaultKind::Data, &error.into()))?;
    text.push('\n');
    files.push(Entry::new(MANIFEST, text));
    write_entries(&files, store, out)
}

fn manifest<'a>(problem: &'a Problem, limits: &Limits, cases: &'a [Case], names: &BundleNames) -> BundleManifest<'a> {
    let width = cases.len().to_string().len();
    let mut number_in_group = 0;
    let mut last = usize::MAX;
    let entries = cases.iter().enumerate().map(|(index, case)| {
        number_in_group = if case.group == last { number_in_group + 1 } else { 1 };
        last = case.group;
        let group = problem.groups[case.group].name.as_str();
        let fill = |pattern: &str| {
            pattern
                .replace("{n}", &(index + 1).to_string())
                .replace("{n0}", &index.to_string())
                .replace("{nn}", &format!("{:0width$}", index + 1))
                .replace("{group}", group)
                .replace("{k}", &number_in_group.to_string())
                .replace("{id}", &case.id.as_str().replace('/', "-"))
        };
        BundleCase {
            case: case.id.as_str(),
            group,
            input: fill(&names.input),
            answer: fill(&names.answer),
            input_blake3: case.input.digest.to_string(),
            answer_blake3: case.answer.digest.to_string(),
        }
    });
    BundleManifest {
        format: 1,
        problem: problem.id.as_str(),
        name: &problem.name,
        time_limit_ms: limits.cpu.as_micros() / 1_000,
        memory_limit_bytes: limits.memory.get(),
        cases: entries.collect(),
    }
}

const MANIFEST: &str = "manifest.json";

fn check_names(manifest: &BundleManifest<'_>) -> Result<(), Diagnostic> {
    let mut seen = std::collections::HashSet::from([MANIFEST]);
    for entry in &manifest.cases {
        for name in [&entry.input, &entry.answer] {
            if !seen.insert(name) {
                return Err(Diagnostic::new(format!("two files would have the name `{name}`"))
                    .help("use `{n}`, `{nn}` or `{id}` in both patterns, and different extensions"));
            }
        }
    }
    for entry in &manifest.cases {
        for name in [&entry.input, &entry.answer] {
            let folders = Path::new(name).ancestors().skip(1).filter_map(Path::to_str);
            if let Some(folder) = folders.into_iter().find(|folder| seen.contains(folder)) {
                return Err(Diagnostic::new(format!("`{folder}` would be both a file and the folder of `{name}`"))
                    .help("change the patterns so that no file has the name of a folder"));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_checked() {
        assert!("{n}.in {n}.out".parse::<BundleNames>().is_ok());
        for bad in ["", "{n}.in", "{n}.in {n}.out x", "{x}.in {n}.out", "../{n} {n}.out", "/{n} {n}.out"] {
            assert!(bad.parse::<BundleNames>().is_err(), "{bad}");
        }
    }
}
