//! The legacy ICPC format, as supported by Kattis, or with DOMjudge's additions.

use crate::data::Entry;
use crate::model::Failure;
use crate::problem::Judging;

use super::case_names::{case_files, case_number, group_name, short_name};
use super::escape::{mebibytes, seconds, yaml};
use super::format::{ExportFormat, RenderedPackage, unsupported};
use super::html::{FormulaStyle, escaped, html};
use super::icpc::{EXTENSIONS, inputs, origin, output, place_solutions, samples, tex, unscored, uuid};
use super::input::ExportInput;

/// The judge for which the package is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LegacyTarget {
    /// Kattis and compatible tools.
    Kattis,
    /// DOMjudge, which reads additional files.
    Domjudge,
}

/// The folders of the legacy format to which solutions are exported.
const FOLDERS: [&str; 4] = ["accepted", "wrong_answer", "time_limit_exceeded", "run_time_error"];
/// The folder for solutions that earn a part of the points, in packages of scoring problems.
const PARTIAL: &str = "partially_accepted";

pub(super) fn render(export: &ExportInput<'_>, target: LegacyTarget) -> Result<RenderedPackage, Failure> {
    let format = match target {
        LegacyTarget::Kattis => ExportFormat::KattisLegacy,
        LegacyTarget::Domjudge => ExportFormat::Domjudge,
    };
    let (validators, flags) = output(export, "output_validators", format)?;
    let mut files = vec![Entry::new("problem.yaml", metadata(export, &flags, format)?)];
    let mut notes = Vec::new();
    files.extend(validators);
    files.extend(inputs(export)?);
    files.extend(cases(export));
    // Tools that strictly follow the format ignore this file, and other tools read the time limit from it.
    files.push(Entry::new(".timelimit", format!("{}\n", seconds(export.limits.cpu))));
    match target {
        LegacyTarget::Kattis => {
            for statement in &export.statements {
                let path = format!("problem_statement/problem.{}.tex", statement.language);
                files.push(Entry::new(path, tex(&export.problem.name, statement)));
            }
        }
        LegacyTarget::Domjudge => {
            files.push(Entry::new("domjudge-problem.ini", ini(export)));
            files.push(Entry::new("problem_statement/problem.html", page(export, 0)));
            if export.statements.len() > 1 {
                notes.push(
                    "only the English statement is exported, because DOMjudge shows only one statement".to_owned(),
                );
            }
        }
    }
    place_solutions(export, &mut files, &mut notes, |folder| {
        match FOLDERS.contains(&folder) || (folder == PARTIAL && export.scored()) {
            true => Ok(folder),
            false => Err("the legacy format has no folder for its expected verdict"),
        }
    });
    Ok(RenderedPackage { files, notes })
}

fn metadata(export: &ExportInput<'_>, flags: &[String], format: ExportFormat) -> Result<String, Failure> {
    let problem = export.problem;
    let mut text = format!("name: {}\n", yaml(&problem.name));
    if export.scored() {
        text.push_str("type: scoring\n");
    }
    text.push_str(&format!("uuid: {}\n{}", uuid(export), origin(export)));
    if !problem.keywords.is_empty() {
        let words: Vec<String> = problem.keywords.iter().map(|word| word.replace(' ', "-")).collect();
        text.push_str(&format!("keywords: {}\n", yaml(&words.join(" "))));
    }
    let passes = export.judging().passes();
    let custom = match (export.judging(), passes) {
        (Judging::Compare(comparer), _) => super::checker::icpc_flags(*comparer).is_none().then_some("custom"),
        (Judging::Checker { .. }, 1) => Some("custom"),
        (Judging::Checker { .. }, _) if format == ExportFormat::Domjudge => Some("custom multi-pass"),
        (Judging::Interactor { .. }, 1) => Some("custom interactive"),
        _ => return Err(unsupported(format, "multi-pass problems")),
    };
    text.push_str(&format!("validation: {}\n", custom.unwrap_or("default")));
    if !flags.is_empty() {
        text.push_str(&format!("validator_flags: {}\n", yaml(&flags.join(" "))));
    }
    text.push_str(&format!("limits:\n  memory: {}\n", mebibytes(export.limits.memory)));
    text.push_str(&format!("  output: {}\n", mebibytes(export.limits.output)));
    if passes > 1 {
        text.push_str(&format!("  validation_passes: {passes}\n"));
    }
    if export.scored() {
        text.push_str("grading:\n  objective: max\n  show_test_data_groups: true\n");
    }
    Ok(text)
}

fn cases(export: &ExportInput<'_>) -> Vec<Entry> {
    let mut files = samples(export);
    if !export.scored() {
        files.extend(unscored(export));
        return files;
    }
    let total =
        export.groups.iter().filter_map(|group| group.points).fold(Default::default(), crate::model::Score::plus);
    let testdata = |path: &str, text: String| Entry::new(format!("{path}/testdata.yaml"), text);
    files.push(testdata("data", format!("on_reject: continue\nrange: 0 {total}\ngrader_flags: ignore_sample\n")));
    if export.samples().is_some() {
        let text = "on_reject: continue\nrange: 0 0\naccept_score: 0\ngrader_flags: first_error\n";
        files.push(testdata("data/sample", text.to_owned()));
    }
    let flags = "first_error accept_if_any_accepted";
    files.push(testdata("data/secret", format!("on_reject: continue\nrange: 0 {total}\ngrader_flags: {flags}\n")));
    for (index, group) in export.secret() {
        let folder = format!("data/secret/{}", group_name(export, index));
        let points = group.points.unwrap_or_default();
        let text = format!("on_reject: break\naccept_score: {points}\nrange: 0 {points}\ngrader_flags: min\n");
        files.push(testdata(&folder, text));
        // The legacy format does not support requirements between groups, so the cases of required groups are repeated
        // before a group's own cases.
        for needed in export.required_groups(index) {
            for (at, case) in export.groups[needed].cases.iter().enumerate() {
                let name = format!("{}-{}", group_name(export, needed), case_number(&export.groups[needed], at));
                files.extend(case_files(&format!("{folder}/{name}"), EXTENSIONS, case));
            }
        }
        for (at, case) in group.cases.iter().enumerate() {
            let name = format!("{}-{}", group_name(export, index), case_number(group, at));
            files.extend(case_files(&format!("{folder}/{name}"), EXTENSIONS, case));
        }
    }
    files
}

fn ini(export: &ExportInput<'_>) -> String {
    let name = export.problem.name.replace('\'', "’");
    let id = short_name(export);
    format!("short-name = {id}\nexternalid = {id}\nname = '{name}'\ntimelimit = '{}'\n", seconds(export.limits.cpu))
}

/// Renders a statement with its samples as a stand-alone HTML page.
pub(super) fn page(export: &ExportInput<'_>, statement: usize) -> String {
    let statement = &export.statements[statement];
    let name = escaped(&export.problem.name);
    let mut body = html(&statement.whole, FormulaStyle::Plain);
    if statement.samples.is_none() {
        for (at, sample) in export.problem.samples().iter().enumerate() {
            let [input, answer] = [Some(&sample.input), sample.answer.as_ref()]
                .map(|text| text.map(|text| format!("<pre>{}</pre>\n", escaped(text))).unwrap_or_default());
            body.push_str(&format!("<h3>{}</h3>\n{input}{answer}", at + 1));
        }
    }
    format!(
        "<!DOCTYPE html>\n<html lang=\"{}\">\n<head><meta charset=\"utf-8\"><title>{name}</title></head>\n<body>\n\
         <h1>{name}</h1>\n{body}</body>\n</html>\n",
        statement.language
    )
}
