//! The format of Hydro: numbered tests in `testdata/` with `config.yaml`, and statements in Markdown.

use crate::check::ComparisonRule;
use crate::data::Entry;
use crate::model::Failure;
use crate::problem::{AuxProgram, Judging};

use super::case_names::{case_files, numbered_cases, numbers, short_name};
use super::checker::{self, Dialect};
use super::escape::{mebibytes, yaml, yaml_list};
use super::format::{ExportFormat, RenderedPackage, TESTLIB, unsupported, validator, whole_points};
use super::input::ExportInput;
use super::program_files::{JudgeRole, for_testlib};
use super::statement::ParsedStatement;

/// Extensions of the input and answer files.
const EXTENSIONS: [&str; 2] = [".in", ".out"];

pub(super) fn render(export: &ExportInput<'_>) -> Result<RenderedPackage, Failure> {
    let (judging, programs) = judging(export)?;
    let mut files = vec![
        Entry::new("problem.yaml", metadata(export)),
        Entry::new("testdata/config.yaml", config(export, &judging)?),
        Entry::new("testdata/validator.cc", validator(export, TESTLIB)),
    ];
    files.extend(programs);
    for statement in &export.statements {
        let path = format!("problem_{}.md", statement.language);
        files.push(Entry::new(path, markdown(export, statement)));
    }
    for (_, name, case) in numbered_cases(export) {
        files.extend(case_files(&format!("testdata/{name}"), EXTENSIONS, case));
    }
    files.extend(export.solutions_below("solution"));
    Ok(RenderedPackage { files, notes: Vec::new() })
}

fn metadata(export: &ExportInput<'_>) -> String {
    let words = yaml_list(&export.problem.keywords);
    let (id, title) = (short_name(export), yaml(&export.problem.name));
    format!("pid: {}\ntitle: {title}\ntag: {words}\n", yaml(&id))
}

/// Returns the keys that specify the checker or interactor, and the files to which they refer.
fn judging(export: &ExportInput<'_>) -> Result<(String, Vec<Entry>), Failure> {
    let program = |aux_program: &AuxProgram, role: JudgeRole| -> Result<(String, Vec<Entry>), Failure> {
        let program = for_testlib(aux_program, role, "Hydro")?;
        let more: Vec<&str> = program.files.iter().skip(1).map(|(name, _)| name.as_str()).collect();
        // Files that are not listed in `judge_extra_files` are not available when the program is compiled.
        let more = if more.is_empty() { String::new() } else { format!("judge_extra_files: {}\n", yaml_list(&more)) };
        Ok((format!("{}\n{more}", yaml(program.main())), program.entries_with_prefix("testdata/")))
    };
    let kind = |name: &str| format!("type: default\nchecker_type: {name}\n");
    match export.judging() {
        Judging::Compare(comparer) => Ok(match (comparer.rule, comparer.fold_case) {
            (ComparisonRule::Exact, false) => (kind("strict"), Vec::new()),
            (ComparisonRule::Lines, false) => (kind("default"), Vec::new()),
            (ComparisonRule::Tokens, false) => (format!("{}checker: wcmp\n", kind("testlib")), Vec::new()),
            _ => {
                let text = checker::cpp(*comparer, Dialect::Testlib);
                (format!("{}checker: compare.cc\n", kind("testlib")), vec![Entry::new("testdata/compare.cc", text)])
            }
        }),
        Judging::Checker { checker, passes: 1 } => {
            let (main, files) = program(checker, JudgeRole::Checker)?;
            Ok((format!("{}checker: {main}", kind("testlib")), files))
        }
        Judging::Interactor { interactor, checker: None, passes: 1 } => {
            let (main, files) = program(interactor, JudgeRole::Interactor)?;
            Ok((format!("type: interactive\ninteractor: {main}"), files))
        }
        Judging::Interactor { checker: Some(_), .. } => {
            Err(unsupported(ExportFormat::Hydro, "a checker that runs after an interactor"))
        }
        _ => Err(unsupported(ExportFormat::Hydro, "multi-pass problems")),
    }
}

fn config(export: &ExportInput<'_>, judging: &str) -> Result<String, Failure> {
    let (time, memory) = (export.limits.cpu.as_micros() / 1_000, mebibytes(export.limits.memory));
    let mut text = format!("{judging}time: {time}ms\nmemory: {memory}m\nvalidator: validator.cc\nsubtasks:\n");
    let case = |name: &str| format!("      - {{ input: {name}{}, output: {name}{} }}\n", EXTENSIONS[0], EXTENSIONS[1]);
    let named = numbered_cases(export);
    if !export.scored() {
        let cases: String = named.iter().map(|(_, name, _)| case(name)).collect();
        return Ok(text + &format!("  - id: 1\n    type: min\n    score: 100\n    cases:\n{cases}"));
    }
    // A group without points is not exported as a subtask, because Hydro would assign points to it.
    for (at, subtask) in export.subtasks().iter().enumerate() {
        let points = whole_points(&export.groups[subtask.group], ExportFormat::Hydro)?;
        text.push_str(&format!("  - id: {}\n    type: min\n    score: {points}\n", at + 1));
        if !subtask.after.is_empty() {
            text.push_str(&format!("    if: {}\n", numbers(&subtask.after)));
        }
        text.push_str("    cases:\n");
        text.extend(named.iter().filter(|(of, ..)| subtask.cases_of.contains(of)).map(|(_, name, _)| case(name)));
    }
    Ok(text)
}

/// Returns the statement with its samples in the site's notation.
fn markdown(export: &ExportInput<'_>, statement: &ParsedStatement) -> String {
    let mut text = statement.legend.clone();
    for section in &statement.sections {
        text.push_str(&format!("\n## {}\n\n{}", section.title, section.body));
    }
    for (at, sample) in export.problem.samples().iter().enumerate() {
        let n = at + 1;
        text.push_str(&format!("\n```input{n}\n{}\n```\n", sample.input.trim_end()));
        let answer = sample.answer.as_deref().unwrap_or_default();
        text.push_str(&format!("\n```output{n}\n{}\n```\n", answer.trim_end()));
    }
    if let Some(notes) = statement.notes() {
        text.push_str(&format!("\n## {}\n\n{}", notes.title, notes.body));
    }
    text.trim_end().to_owned() + "\n"
}
