//! The ICPC package format 2025-09, and the parts that it shares with the legacy format.

use crate::data::Entry;
use crate::input::ExitCodes;
use crate::model::{Digest, Failure};
use crate::problem::{AuxProgram, Judging};

use super::case_names::{case_files, case_number, group_name, numbered_cases};
use super::checker::{self, Dialect, icpc_flags};
use super::escape::{mebibytes, seconds, yaml, yaml_list};
use super::format::{ExportFormat, RenderedPackage, unsupported, validator, whole_points};
use super::input::ExportInput;
use super::latex::{escaped, latex};
use super::program_files::{PartialCredit, for_icpc};
use super::statement::ParsedStatement;

/// Extensions of the input and answer files.
pub(super) const EXTENSIONS: [&str; 2] = [".in", ".ans"];
/// The values of the key `license` that the format defines, except `unknown`.
const LICENSES: [&str; 6] = ["public domain", "cc0", "cc by", "cc by-sa", "educational", "permission"];

pub(super) fn render(export: &ExportInput<'_>) -> Result<RenderedPackage, Failure> {
    let mut files = vec![Entry::new("problem.yaml", metadata(export)?)];
    let mut notes = Vec::new();
    for statement in &export.statements {
        let path = format!("statement/problem.{}.tex", statement.language);
        files.push(Entry::new(path, tex(&export.problem.name, statement)));
    }
    let (validators, args) = output(export, "output_validator", ExportFormat::Icpc)?;
    files.extend(validators);
    files.extend(inputs(export)?);
    files.extend(cases(export, &args)?);
    let known = ["accepted", "wrong_answer", "time_limit_exceeded", "run_time_error", "rejected"];
    place_solutions(export, &mut files, &mut notes, |folder| match folder {
        folder if known.contains(&folder) => Ok(folder),
        "compile_error" => Err("the format has no folder for compile errors"),
        _ => Ok("rejected"),
    });
    Ok(RenderedPackage { files, notes })
}

/// Adds the files of each solution to the corresponding folder of the format, or adds a note with the reason why the
/// solution is not exported.
pub(super) fn place_solutions<'a>(
    export: &'a ExportInput<'_>,
    files: &mut Vec<Entry>,
    notes: &mut Vec<String>,
    folder: impl Fn(&'a str) -> Result<&'a str, &'static str>,
) {
    for solution in &export.solutions {
        let placed = folder(&solution.folder).map_err(str::to_owned);
        match placed
            .and_then(|folder| Ok(solution.program.portable_sources()?.entries_in(&format!("submissions/{folder}"))))
        {
            Ok(placed) => files.extend(placed),
            Err(why) => notes.push(solution.skip_note(&why)),
        }
    }
}

fn metadata(export: &ExportInput<'_>) -> Result<String, Failure> {
    let problem = export.problem;
    let mut kinds = vec![if export.scored() { "scoring" } else { "pass-fail" }];
    if export.judging().interactive() {
        kinds.push("interactive");
    }
    if export.judging().passes() > 1 {
        kinds.push("multi-pass");
    }
    let names =
        export.statements.iter().map(|statement| format!("  {}: {}\n", statement.language, yaml(&problem.name)));
    let mut text = format!(
        "problem_format_version: 2025-09\ntype: [{}]\nname:\n{}uuid: {}\n",
        kinds.join(", "),
        names.collect::<String>(),
        uuid(export)
    );
    text.push_str(&origin(export));
    if !problem.keywords.is_empty() {
        text.push_str(&format!("keywords: {}\n", yaml_list(&problem.keywords)));
    }
    let time = export.limits.cpu;
    text.push_str(&format!("limits:\n  time_limit: {}\n", seconds(time)));
    if !time.as_micros().is_multiple_of(1_000_000) {
        text.push_str("  time_resolution: 0.001\n");
    }
    text.push_str(&format!("  memory: {}\n", mebibytes(export.limits.memory)));
    text.push_str(&format!("  output: {}\n", mebibytes(export.limits.output)));
    if export.judging().passes() > 1 {
        text.push_str(&format!("  validation_passes: {}\n", export.judging().passes()));
    }
    Ok(text)
}

/// Returns the keys for the source, the license and the rights owner of the problem.
pub(super) fn origin(export: &ExportInput<'_>) -> String {
    let problem = export.problem;
    let mut text = String::new();
    if let Some(source) = &problem.source {
        text.push_str(&format!("source: {}\n", yaml(source)));
    }
    let license = problem.license.as_deref().filter(|license| LICENSES.contains(license));
    text.push_str(&format!("license: {}\n", license.unwrap_or("unknown")));
    if license.is_some_and(|license| license != "public domain") && problem.source.is_none() {
        text.push_str(&format!("rights_owner: {}\n", yaml(&format!("the authors of {}", problem.name))));
    }
    text
}

/// Returns the UUID of the problem. It is derived from the problem's id and name, so it is the same in every
/// export.
pub(super) fn uuid(export: &ExportInput<'_>) -> String {
    let parts = [b"uuid".as_slice(), export.problem.id.as_str().as_bytes(), export.problem.name.as_bytes()];
    let digest = Digest::of_parts(parts).to_string();
    // Version 8 of the UUID format is reserved for application-specific contents.
    format!("{}-{}-8{}-a{}-{}", &digest[..8], &digest[8..12], &digest[13..16], &digest[17..20], &digest[20..32])
}

/// Converts a statement to the format's LaTeX.
pub(super) fn tex(name: &str, statement: &ParsedStatement) -> String {
    let mut text = format!("\\problemname{{{}}}\n\n{}", escaped(name), latex(&statement.legend));
    for (section, environment) in [(statement.input(), "Input"), (statement.output(), "Output")] {
        if let Some(section) = section {
            text.push_str(&format!("\n\\begin{{{environment}}}\n{}\\end{{{environment}}}\n", latex(&section.body)));
        }
    }
    let notes = statement.notes();
    for section in statement.others().iter().chain(&notes) {
        text.push_str(&format!("\n\\section*{{{}}}\n{}", escaped(&section.title), latex(&section.body)));
    }
    text
}

/// Returns the files of the output validator, with paths below `folder`, and the arguments of the validator.
pub(super) fn output(
    export: &ExportInput<'_>,
    folder: &str,
    format: ExportFormat,
) -> Result<(Vec<Entry>, Vec<String>), Failure> {
    let program = |judge: &AuxProgram| -> Result<(Vec<Entry>, Vec<String>), Failure> {
        // Partial credit is exported only in the current format, and only if the problem has points.
        let credit = if format == ExportFormat::Icpc && export.scored() {
            PartialCredit::Multiplier
        } else {
            PartialCredit::None
        };
        let program = for_icpc(judge, format.name(), credit)?;
        Ok((program.entries_in_own_folder(folder), judge.args.clone()))
    };
    match export.judging() {
        Judging::Compare(comparer) => Ok(match icpc_flags(*comparer) {
            Some(flags) => (Vec::new(), flags),
            None => {
                let path = format!("{folder}/compare.cpp");
                (vec![Entry::new(path, checker::cpp(*comparer, Dialect::Icpc))], Vec::new())
            }
        }),
        Judging::Checker { checker, .. } => program(checker),
        Judging::Interactor { interactor, checker: None, .. } => program(interactor),
        Judging::Interactor { .. } => Err(unsupported(format, "a checker that runs after an interactor")),
    }
}

/// Returns the input validators: the validator that is generated from the description, and the problem's programs.
pub(super) fn inputs(export: &ExportInput<'_>) -> Result<Vec<Entry>, Failure> {
    let answers = ExitCodes { accepted: 42, refused: 43 };
    let mut files = vec![Entry::new("input_validators/description.cpp", validator(export, answers))];
    for own in &export.problem.validators {
        files.extend(
            for_icpc(own, "the ICPC format", PartialCredit::NotApplicable)?.entries_in_own_folder("input_validators"),
        );
    }
    Ok(files)
}

fn cases(export: &ExportInput<'_>, args: &[String]) -> Result<Vec<Entry>, Failure> {
    let mut files = samples(export);
    let args = match args {
        [] => String::new(),
        args => format!("output_validator_args: {}\n", yaml_list(args)),
    };
    if !args.is_empty() && export.samples().is_some() {
        files.push(Entry::new("data/sample/test_group.yaml", args.clone()));
    }
    if !export.scored() {
        files.extend(unscored(export));
        files.extend((!args.is_empty()).then(|| Entry::new("data/secret/test_group.yaml", args)));
        return Ok(files);
    }
    let mut total = 0;
    for (index, group) in export.secret() {
        let points = whole_points(group, ExportFormat::Icpc)?;
        total += points;
        let folder = format!("data/secret/{}", group_name(export, index));
        for (at, case) in group.cases.iter().enumerate() {
            files.extend(case_files(&format!("{folder}/{}", case_number(group, at)), EXTENSIONS, case));
        }
        let rule = if matches!(export.judging(), Judging::Compare(_)) { "pass-fail" } else { "min" };
        let mut text = format!("max_score: {points}\nscore_aggregation: {rule}\n");
        let place = |needed: &usize| match &export.groups[*needed] {
            group if group.sample => "sample".to_owned(),
            _ => format!("secret/{}", group_name(export, *needed)),
        };
        if !group.after.is_empty() {
            let needed: Vec<String> = group.after.iter().map(place).collect();
            text.push_str(&format!("require_pass: [{}]\n", needed.join(", ")));
        }
        files.push(Entry::new(format!("{folder}/test_group.yaml"), text));
    }
    files
        .push(Entry::new("data/secret/test_group.yaml", format!("max_score: {total}\nscore_aggregation: sum\n{args}")));
    Ok(files)
}

/// Returns the files of the samples.
pub(super) fn samples(export: &ExportInput<'_>) -> Vec<Entry> {
    let cases =
        export.samples().into_iter().flat_map(|group| group.cases.iter().enumerate().map(move |one| (group, one)));
    cases
        .flat_map(|(group, (at, case))| {
            case_files(&format!("data/sample/{}", case_number(group, at)), EXTENSIONS, case)
        })
        .collect()
}

/// Returns the files of all cases that are not samples, for problems without points.
pub(super) fn unscored(export: &ExportInput<'_>) -> Vec<Entry> {
    let secret = numbered_cases(export).into_iter().filter(|(group, ..)| !export.groups[*group].sample);
    secret.flat_map(|(_, name, case)| case_files(&format!("data/secret/{name}"), EXTENSIONS, case)).collect()
}
