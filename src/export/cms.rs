//! The format that the loader `italy_yaml` of CMS reads: a folder with `task.yaml`, numbered tests, and subtasks in
//! `gen/GEN`.

use crate::check::ComparisonRule;
use crate::data::Entry;
use crate::model::{Failure, Score};
use crate::problem::Judging;

use super::case_names::{numbered_cases, short_name};
use super::checker::{self, Dialect};
use super::escape::{language_name, mebibytes, seconds, yaml};
use super::format::{ExportFormat, RenderedPackage, program_kind, unsupported, whole_points};
use super::input::ExportInput;
use super::legacy::page;

pub(super) fn render(export: &ExportInput<'_>) -> Result<RenderedPackage, Failure> {
    let Judging::Compare(comparer) = export.judging() else {
        return Err(unsupported(ExportFormat::Cms, program_kind(export)));
    };
    let mut notes =
        vec!["CMS requires PDF statements: print each `statement/NAME.html` to `statement/NAME.pdf`".to_owned()];
    let mut files = vec![Entry::new("task.yaml", task(export)), Entry::new("gen/GEN", generation(export)?)];
    // The case-sensitive comparison of tokens is exported without a checker. CMS then compares the tokens of each line,
    // so unlike Nimatron, it rejects an output whose line breaks differ from those of the answer.
    if comparer.rule != ComparisonRule::Tokens || comparer.fold_case {
        files.push(Entry::new("check/checker.cpp", checker::cpp(*comparer, Dialect::Cms)));
        notes.push(
            "CMS requires a compiled checker: run `g++ -O2 -static -o check/checker check/checker.cpp`".to_owned(),
        );
    }
    for (number, (_, _, case)) in numbered_cases(export).into_iter().enumerate() {
        files.push(Entry::stored(format!("input/input{number}.txt"), case.input.digest));
        files.push(Entry::stored(format!("output/output{number}.txt"), case.answer.digest));
    }
    for at in 0..export.statements.len() {
        let name = language_name(&export.statements[at].language);
        files.push(Entry::new(format!("statement/{name}.html"), page(export, at)));
    }
    files.extend(export.solutions_below("sol"));
    Ok(RenderedPackage { files, notes })
}

fn task(export: &ExportInput<'_>) -> String {
    let count = numbered_cases(export).len();
    let samples =
        numbered_cases(export).into_iter().enumerate().filter(|(_, (group, ..))| export.groups[*group].sample);
    let samples: Vec<String> = samples.map(|(number, _)| number.to_string()).collect();
    format!(
        "name: {}\ntitle: {}\ntime_limit: {}\nmemory_limit: {}\nn_input: {count}\ninfile: \"\"\noutfile: \"\"\n\
         primary_language: en\npublic_testcases: {}\ntoken_mode: disabled\n",
        yaml(&short_name(export)),
        yaml(&export.problem.name),
        seconds(export.limits.cpu),
        mebibytes(export.limits.memory),
        yaml(&samples.join(",")),
    )
}

/// Returns the text of `gen/GEN`, which lists the tests, with the points of each subtask before its tests. If no group
/// has points, all tests form one subtask of 100 points.
fn generation(export: &ExportInput<'_>) -> Result<String, Failure> {
    let total = export.groups.iter().filter_map(|group| group.points).fold(Score::ZERO, Score::plus);
    if export.scored() && total != Score::points(100) {
        return Err(unsupported(ExportFormat::Cms, &format!("a total of {total} points; the total must be 100")));
    }
    let mut text = String::new();
    if !export.scored() {
        text.push_str("#ST: 100\n");
    }
    let mut last = None;
    for (group, name, _) in numbered_cases(export) {
        if export.scored() && last != Some(group) {
            if !export.groups[group].after.is_empty() {
                let what = format!("groups that require other groups, such as `{}`", export.groups[group].name);
                return Err(unsupported(ExportFormat::Cms, &what));
            }
            text.push_str(&format!("#ST: {}\n", whole_points(&export.groups[group], ExportFormat::Cms)?));
            last = Some(group);
        }
        text.push_str(&format!("{name}\n"));
    }
    Ok(text)
}
